#include "plan/device/conflict.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "dep/dependence.h"
#include "plan/device/kernels.h"
#include "plan/device/places.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "program/meet.h"

#include <isl/space.h>
#include <isl/val.h>

struct search {
    struct arena *arena;
    const struct gpu *gpu;
    const struct program *program;
    const struct order *kernel;
    int dims;     /* of positions */
    bool divided; /* does one of its statements have instances in another kernel? */
    isl_union_map *position;
    VEC(struct conflict) found;
};

bool loop_is_bound(const struct order *loop)
{
    return loop->info->plan && loop->info->plan->axis != AXIS_NONE;
}

bool loop_walks(const struct gpu *gpu, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    if (!loop_is_bound(loop) || !plan->size || !axis_is_block(plan->axis))
        return false;
    if (loop->info->tuple != 0 || plan->size->kind != EXPR_INT)
        return plan->blocks > 0;
    return plan->size->integer > (plan->blocks ? plan->blocks : gpu->limit[plan->axis]);
}

static isl_union_map *position_of(const struct program *program, const struct order *kernel)
{
    int64_t threads[3] = {1, 1, 1};

    kernel_threads(kernel, threads);
    return kernel_positions(program, kernel, threads, kernels_dims(kernel));
}

/* { [p] -> [q] } of positions of so many dimensions that are equal as far as they count. */
static __isl_give isl_union_map *equal_positions(const struct program *program, const bool *counts, int dims)
{
    isl_space *space = isl_space_set_from_params(program_params_space(program));
    isl_map *map;

    space = isl_space_add_dims(space, isl_dim_set, (unsigned)dims);
    map = isl_map_universe(isl_space_map_from_set(space));
    for (int k = 0; k < dims; k++)
        if (counts[k])
            map = isl_map_equate(map, isl_dim_in, k, isl_dim_out, k);
    return isl_union_map_from_map(map);
}

/* { S -> T } at related positions */
static __isl_give isl_union_map *instances_at(__isl_keep isl_union_map *position, __isl_take isl_union_map *relation)
{
    relation = isl_union_map_apply_range(isl_union_map_copy(position), relation);
    return isl_union_map_apply_range(relation, isl_union_map_reverse(isl_union_map_copy(position)));
}

/* Is the access of an update in one go the updated element's? */
static bool is_updated(const struct statement *statement, const struct access *access)
{
    return statement->atomic && access->array == statement->target->array &&
           isl_map_is_equal(access->map, statement->access[0].map) == isl_bool_true;
}

struct accesses {
    VEC(const struct access *) list;
};

/* Adds the statement's accesses to array: those that write, or those that only read, of updates in one go or of
 * others. */
static void add_accesses_of(const struct search *search, const struct statement *statement, const struct array *array,
                            bool writes, bool atomic, struct accesses *accesses)
{
    for (int k = 0; k < statement->n_access; k++) {
        const struct access *access = &statement->access[k];
        if (access->array == array && access->write == writes && is_updated(statement, access) == atomic)
            VEC_PUSH(search->arena, &accesses->list, access);
    }
}

/* The same of all statements of the kernel. */
static void add_accesses(const struct search *search, const struct array *array, bool writes, bool atomic,
                         struct accesses *accesses)
{
    for (int s = 0; s < search->program->n_statement; s++)
        if (order_has(search->kernel, search->program->statement[s]))
            add_accesses_of(search, search->program->statement[s], array, writes, atomic, accesses);
}

static __isl_give isl_union_map *maps_of(const struct search *search, const struct accesses *accesses)
{
    isl_union_map *all = isl_union_map_empty(program_params_space(search->program));

    for (int k = 0; k < accesses->list.n; k++)
        all = isl_union_map_union(all, isl_union_map_from_map(isl_map_copy(accesses->list.at[k]->map)));
    return all;
}

static bool has_indirect(const struct accesses *accesses)
{
    bool has = false;

    for (int k = 0; k < accesses->list.n; k++)
        has = has || accesses->list.at[k]->may;
    return has;
}

/* { S -> T } of which one of the accesses of each meet. */
static __isl_give isl_union_map *meeting(const struct search *search, const struct accesses *from,
                                         const struct accesses *to)
{
    isl_union_map *pairs;

    if (!has_indirect(from) || !has_indirect(to))
        return isl_union_map_apply_range(maps_of(search, from), isl_union_map_reverse(maps_of(search, to)));
    pairs = isl_union_map_empty(program_params_space(search->program));
    for (int a = 0; a < from->list.n; a++)
        for (int b = 0; b < to->list.n; b++) {
            isl_map *map = accesses_meeting(search->program, from->list.at[a], to->list.at[b]);
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(map));
        }
    return pairs;
}

static __isl_give isl_union_map *of_kernel(const struct search *search, __isl_take isl_union_map *pairs)
{
    isl_union_set *own = order_domain(search->kernel);

    return isl_union_map_intersect(pairs, isl_union_map_from_domain_and_range(isl_union_set_copy(own), own));
}

/* Are both updates in one go, by operators that do not mix? */
static bool are_unlike(const struct statement *a, const struct statement *b)
{
    enum expr_op first = OP_NONE, second = OP_NONE;

    if (!a->atomic || !b->atomic)
        return false;
    statement_is_update(a, &first);
    statement_is_update(b, &second);
    return first != second;
}

/* Pairs of such updates of the array. */
static __isl_give isl_union_map *unlike_updates(const struct search *search, const struct array *array, bool writes)
{
    const struct program *program = search->program;
    isl_union_map *pairs = isl_union_map_empty(program_params_space(program));

    for (int s = 0; s < program->n_statement; s++)
        for (int t = 0; t < program->n_statement; t++) {
            const struct statement *first = program->statement[s], *second = program->statement[t];
            struct accesses from = {0}, to = {0};
            if (!are_unlike(first, second) || !order_has(search->kernel, first) || !order_has(search->kernel, second))
                continue;
            add_accesses_of(search, first, array, writes, true, &from);
            add_accesses_of(search, second, array, true, true, &to);
            if (writes)
                add_accesses_of(search, second, array, false, true, &to);
            pairs = isl_union_map_union(pairs, meeting(search, &from, &to));
        }
    return pairs;
}

/* Pairs of accesses to array of which the first writes, or only reads; two updates in one go are none, unless their
 * operators do not mix. */
static __isl_give isl_union_map *array_pairs(const struct search *search, const struct array *array, bool writes)
{
    isl_union_map *pairs = unlike_updates(search, array, writes);

    for (int first = 0; first < 2; first++)
        for (int second = 0; second < (first ? 1 : 2); second++) {
            struct accesses from = {0}, to = {0};
            add_accesses(search, array, writes, first != 0, &from);
            add_accesses(search, array, true, second != 0, &to);
            if (writes)
                add_accesses(search, array, false, second != 0, &to);
            pairs = isl_union_map_union(pairs, meeting(search, &from, &to));
        }
    pairs = isl_union_map_intersect_params(pairs, isl_set_copy(search->program->context));
    return search->divided ? of_kernel(search, pairs) : pairs;
}

/* { [position] -> [that of the first thread of its warp] } */
static __isl_give isl_union_map *to_first_thread(const struct program *program, int dims)
{
    isl_space *space = isl_space_set_from_params(program_params_space(program));
    isl_multi_aff *first;
    isl_aff *x;

    space = isl_space_add_dims(space, isl_dim_set, (unsigned)dims);
    first = isl_multi_aff_identity(isl_space_map_from_set(space));
    x = isl_aff_scale_down_val(isl_multi_aff_get_aff(first, 3),
                               isl_val_int_from_si(program->ctx, program->target.warp));
    x = isl_aff_scale_val(isl_aff_floor(x), isl_val_int_from_si(program->ctx, program->target.warp));
    return isl_union_map_from_map(isl_map_from_multi_aff(isl_multi_aff_set_aff(first, 3, x)));
}

/* Does the first thread of a warp use the array for all of it, the others not at all? */
static bool is_first_threads(const struct program *program, const struct statement *statement,
                             const struct array *array)
{
    int uses = 0;

    if (!kernels_one_thread_updates(program, statement, statement->lanes) || statement->target->array != array)
        return false;
    for (int k = 0; k < statement->n_access; k++)
        uses += statement->access[k].array == array;
    return uses == 2;
}

/* Where instances of the kernel are when they use the array. */
static __isl_give isl_union_map *positions_for(const struct search *search, const struct array *array)
{
    isl_union_map *position = isl_union_map_copy(search->position);

    for (int s = 0; s < search->program->n_statement; s++) {
        const struct statement *statement = search->program->statement[s];
        isl_union_set *own;
        isl_union_map *first;
        if (!is_first_threads(search->program, statement, array) || !order_has(search->kernel, statement))
            continue;
        own = isl_union_set_universe(isl_union_set_from_set(isl_set_copy(statement->domain)));
        first = isl_union_map_intersect_domain(isl_union_map_copy(search->position), isl_union_set_copy(own));
        first = isl_union_map_apply_range(first, to_first_thread(search->program, search->dims));
        position = isl_union_map_union(isl_union_map_subtract_domain(position, own), first);
    }
    return position;
}

/* Are its iterations dealt out in runs, one to a block? */
static bool has_run(const struct order *loop)
{
    return loop->info->plan && loop->info->plan->run;
}

/* Which dimensions of a position tell blocks apart: not those along which a block walks, or has a run of. */
static void count_blocks(const struct search *search, const struct order *order, bool counts[POSITION_MOST])
{
    if (order->kind == ORDER_LOOP && (loop_walks(search->gpu, order) || has_run(order)))
        counts[position_dim(order->info->plan->axis)] = false;
    for (int k = 0; k < order->n_child; k++)
        count_blocks(search, order->child[k], counts);
}

/* Does a statement of the kernel have instances outside of it? */
static bool is_divided(const struct program *program, const struct order *kernel)
{
    isl_union_set *own = order_domain(kernel);
    isl_bool all = isl_bool_true;

    for (int s = 0; s < program->n_statement && all == isl_bool_true; s++) {
        isl_union_set *domain = isl_union_set_from_set(isl_set_copy(program->statement[s]->domain));
        if (order_has(kernel, program->statement[s]))
            all = isl_union_set_is_subset(domain, own);
        isl_union_set_free(domain);
    }
    isl_union_set_free(own);
    return all != isl_bool_true;
}

static bool has_axes(const struct order *order)
{
    if (order->kind == ORDER_LOOP && loop_is_bound(order))
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (has_axes(order->child[k]))
            return true;
    return false;
}

static bool has_asynchronous(const struct program *program)
{
    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].asynchronous)
            return true;
    return false;
}

/* The pairs of which the instances are at positions that are equal as far as they count, or only the others. */
static __isl_give isl_union_map *at_equal_positions(const struct program *program, const struct places *places,
                                                    __isl_take isl_union_map *pairs, bool equal)
{
    isl_union_set *used = isl_union_set_union(isl_union_map_domain(isl_union_map_copy(pairs)),
                                              isl_union_map_range(isl_union_map_copy(pairs)));
    isl_union_map *position, *at;

    position = isl_union_map_intersect_domain(isl_union_map_copy(places->position), isl_union_set_universe(used));
    at = instances_at(position, equal_positions(program, places->counts, places->dims));
    isl_union_map_free(position);
    return equal ? isl_union_map_intersect(pairs, at) : isl_union_map_subtract(pairs, at);
}

/* The copies below order of which it is not known which of a block's threads makes them: in kernels with runs those
 * that all of them share. */
static __isl_give isl_union_set *anyones_copies(const struct search *search, const struct order *order, bool copy)
{
    const struct loop_info *info = order->kind == ORDER_LOOP ? order->info : NULL;
    isl_union_set *found = isl_union_set_empty(program_params_space(search->program));

    copy = copy || (info && loop_plan_is_cooperative(info) && info->plan->copies != RUN_OWN);
    if (order->kind == ORDER_LEAF && copy)
        found = isl_union_set_add_set(found, isl_set_copy(order->domain));
    for (int k = 0; k < order->n_child; k++)
        found = isl_union_set_union(found, anyones_copies(search, order->child[k], copy));
    return found;
}

bool conflict_some(const struct conflict *conflict, __isl_keep isl_union_map *pairs)
{
    if (isl_union_map_is_empty(pairs) == isl_bool_true)
        return false;
    return !conflict->places || places_differ(conflict->places, pairs, false);
}

__isl_give isl_union_map *conflict_exact(const struct program *program, const struct conflict *conflict,
                                         __isl_take isl_union_map *pairs)
{
    const struct places *places = conflict->places;
    isl_union_map *from, *to;

    if (!places)
        return pairs;
    if (!places->anyones)
        return at_equal_positions(program, places, pairs, false);
    from = isl_union_map_intersect_domain(isl_union_map_copy(pairs), isl_union_set_copy(places->anyones));
    to = isl_union_map_intersect_range(isl_union_map_copy(pairs), isl_union_set_copy(places->anyones));
    return isl_union_map_union(at_equal_positions(program, places, pairs, false), isl_union_map_union(from, to));
}

static void add_pairs(struct search *search, const struct array *array, bool writes, struct places *places,
                      __isl_take isl_union_map *pairs)
{
    const struct conflict conflict = {array, writes, places == NULL, pairs, places};

    poly_keep_union_map(search->arena, pairs);
    if (conflict_some(&conflict, pairs))
        VEC_PUSH(search->arena, &search->found, conflict);
}

static __isl_give isl_union_set *asynchronous_copies(const struct program *program)
{
    isl_union_set *copies = isl_union_set_empty(program_params_space(program));

    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->asynchronous)
            copies = isl_union_set_add_set(copies, isl_set_copy(program->statement[s]->domain));
    return copies;
}

static void add_conflict(struct search *search, const struct array *array, bool writes)
{
    const bool shared = array->memory == MEMORY_SHARED;
    isl_union_map *pairs = array_pairs(search, array, writes);
    isl_union_set *anyones = kernel_runs(search->kernel) ? anyones_copies(search, search->kernel, false) : NULL;
    struct places *places = places_new(search->arena, positions_for(search, array), search->dims, anyones);

    if (shared && isl_union_map_is_empty(pairs) != isl_bool_true) {
        for (int k = 0; k < search->dims; k++)
            places->counts[k] = !position_is_threads(k);
        count_blocks(search, search->kernel, places->counts);
        pairs = at_equal_positions(search->program, places, pairs, true);
    }
    for (int k = 0; k < search->dims; k++)
        places->counts[k] = position_is_threads(k) || !shared;
    if (array->asynchronous && writes) {
        isl_union_map *own =
            isl_union_map_intersect_domain(isl_union_map_copy(pairs), asynchronous_copies(search->program));
        add_pairs(search, array, writes, NULL, at_equal_positions(search->program, places, own, true));
    }
    add_pairs(search, array, writes, places, pairs);
}

struct conflicts conflicts_find(struct arena *arena, const struct program *program, const struct order *kernel)
{
    struct search search = {
        arena, gpu_by_language(program->target.language), program, kernel, kernels_dims(kernel), false, NULL, {0}};

    if (!has_axes(kernel) && !has_asynchronous(program))
        return (struct conflicts){arena, program, NULL, 0};
    search.position = position_of(program, kernel);
    search.divided = is_divided(program, kernel);
    for (int k = 0; k < program->n_array; k++)
        for (int writes = 1; writes >= 0 && program->array[k].memory != MEMORY_LOCAL; writes--)
            add_conflict(&search, &program->array[k], writes);
    isl_union_map_free(search.position);
    return (struct conflicts){arena, program, search.found.at, search.found.n};
}

__isl_give isl_union_map *conflicts_same_place(const struct program *program, const struct order *kernel, bool threads)
{
    isl_union_map *position = position_of(program, kernel), *same;
    const int dims = kernels_dims(kernel);
    bool counts[POSITION_MOST];

    for (int k = 0; k < dims; k++)
        counts[k] = threads || !position_is_threads(k);
    same = instances_at(position, equal_positions(program, counts, dims));
    isl_union_map_free(position);
    return same;
}

__isl_give isl_union_map *conflicts_same_block(const struct program *program, const struct order *kernel)
{
    return conflicts_same_place(program, kernel, false);
}

__isl_give isl_union_map *conflicts_in_time(const struct order *loop, bool less)
{
    isl_union_map *time = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time)), *pairs;
    isl_space *space = isl_union_map_get_space(time);
    isl_map *relation;

    space = isl_space_map_from_set(isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, 1));
    relation = less ? isl_map_lex_lt(isl_space_domain(space)) : isl_map_lex_le(isl_space_domain(space));
    if (!less)
        relation = isl_map_intersect(relation, isl_map_reverse(isl_map_copy(relation)));
    pairs = isl_union_map_apply_range(isl_union_map_copy(time), isl_union_map_from_map(relation));
    return isl_union_map_apply_range(pairs, isl_union_map_reverse(time));
}
