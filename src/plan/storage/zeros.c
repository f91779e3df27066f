#include "plan/storage/zeros.h"

#include "dep/initialise.h"
#include "plan/loop_plan.h"
#include "plan/storage/footprint.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/accesses.h"
#include "program/rewrite.h"
#include "sched/edit.h"
#include "sched/graft.h"

#include <string.h>

/* One array at work. */
struct sinking {
    struct schedule *schedule;
    struct program *program; /* the copy under change; NULL before there is one */
    const struct order *order;
    struct footprint footprint;
    isl_map *needed; /* { [c] -> A[a] } */
    struct statement *zero;
};

static isl_stat add_hull(__isl_take isl_basic_map *piece, void *user)
{
    isl_map **hulls = user;
    isl_basic_map *hull = isl_map_polyhedral_hull(isl_map_from_basic_map(piece));

    *hulls = isl_map_union(*hulls, isl_map_from_basic_map(hull));
    return isl_stat_ok;
}

/* Do all threads of a block fill it? */
static bool fills_together(const struct sinking *sinking)
{
    return sinking->footprint.array->is_buffer && sinking->footprint.array->memory == MEMORY_SHARED;
}

/* Is the whole dimension of a buffer zeroed? In registers subscripts are literals, threads have parts of
 * their own; of a panel, all of it. */
static bool is_whole(const struct array *array, int dim)
{
    const bool own = array->in_registers || array->memory == MEMORY_LOCAL;

    return dim >= array->n_iteration && (own || (array->is_fine && array->is_fine[dim]));
}

/* The step that made copies to the array, or NULL. */
static const struct step *copy_step(const struct order *order, const struct array *array)
{
    const struct order *inside = order->kind == ORDER_LOOP ? order->child[0] : NULL;
    const struct step *step = NULL;

    if (inside && inside->kind == ORDER_LEAF && inside->statement->is_copy &&
        inside->statement->access[0].array == array)
        return order->info->step;
    for (int k = 0; k < order->n_child && !step; k++)
        step = copy_step(order->child[k], array);
    return step;
}

/* The elements of the array along one dimension, but for those that only pad a buffer. */
static __isl_give isl_set *along(const struct sinking *sinking, int dim)
{
    const struct array *array = sinking->footprint.array;
    isl_set *box = array_box(sinking->schedule->program, array, dim, dim + 1);
    const struct step *step = dim == array->n_dim - 1 ? copy_step(sinking->schedule->order, array) : NULL;

    if (!step || array->shape[dim]->kind != EXPR_INT)
        return box;
    return isl_set_upper_bound_si(box, isl_dim_set, (unsigned)dim,
                                  (int)(array->shape[dim]->integer - 1 - step_int(step, "pad", 0)));
}

static __isl_give isl_map *whole_dimensions(const struct sinking *sinking, __isl_take isl_map *needed)
{
    const struct array *array = sinking->footprint.array;

    for (int d = array->n_iteration; d < array->n_dim; d++)
        if (is_whole(array, d)) {
            needed = isl_map_eliminate(needed, isl_dim_out, (unsigned)d, 1);
            needed = isl_map_intersect_range(needed, along(sinking, d));
        }
    return needed;
}

static int count_fills(const struct order *order, const struct array *array)
{
    int n = order->kind == ORDER_LEAF && order->statement->is_copy && order->statement->access[0].array == array;

    for (int k = 0; k < order->n_child; k++)
        n += count_fills(order->child[k], array);
    return n;
}

/* What copies write: { [c] -> A[a] }. */
static __isl_give isl_map *filled(const struct sinking *sinking)
{
    const struct program *program = sinking->schedule->program;
    isl_map *all = isl_map_empty(isl_map_get_space(sinking->footprint.map)), *iteration;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        if (!statement->is_copy || statement->access[0].array != sinking->footprint.array)
            continue;
        iteration = poly_graph(footprint_iteration(&sinking->footprint, statement));
        all =
            isl_map_union(all, isl_map_apply_range(isl_map_reverse(iteration), isl_map_copy(statement->access[0].map)));
    }
    return all;
}

/* The same with all of the dimensions in which the copies leave that much free: where threads share the zeros out and
 * several copies fill the buffer, these are not beside one of them, and need no conditions like its own. */
static __isl_give isl_map *what_is_free(const struct sinking *sinking, __isl_take isl_map *needed)
{
    const struct array *array = sinking->footprint.array;
    isl_map *taken;

    if (!fills_together(sinking) || count_fills(sinking->schedule->order, array) < 2)
        return needed;
    taken = filled(sinking);
    for (int d = array->n_iteration; d < array->n_dim; d++) {
        isl_map *more = isl_map_eliminate(isl_map_copy(needed), isl_dim_out, (unsigned)d, 1);
        more = isl_map_intersect_range(more, along(sinking, d));
        if (isl_map_is_disjoint(more, taken) == isl_bool_true) {
            isl_map_free(needed);
            needed = isl_map_copy(more);
        }
        isl_map_free(more);
    }
    isl_map_free(taken);
    return poly_map_coalesce(needed);
}

/* In a buffer a few more zeros do no harm, what else is there is written after them: no divisions in the bounds. */
static __isl_give isl_map *simplified(const struct sinking *sinking, __isl_take isl_map *needed)
{
    isl_map *hulls;

    if (!sinking->footprint.array->is_buffer)
        return needed;
    hulls = isl_map_empty(isl_map_get_space(needed));
    isl_map_foreach_basic_map(needed, add_hull, &hulls);
    isl_map_free(needed);
    return what_is_free(sinking, poly_map_coalesce(whole_dimensions(sinking, hulls)));
}

/* The iterations' elements whose zero is read. */
static __isl_give isl_map *needed_zeros(const struct sinking *sinking, __isl_keep isl_union_map *reads)
{
    const struct program *program = sinking->schedule->program;
    isl_map *needed = isl_map_empty(isl_map_get_space(sinking->footprint.map));

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        isl_map *iteration, *own;
        isl_space *space = isl_space_map_from_domain_and_range(isl_set_get_space(statement->domain),
                                                               isl_set_get_space(sinking->footprint.array->elements));
        own = isl_union_map_extract_map(reads, space);
        if (isl_map_is_empty(own) != isl_bool_false) {
            isl_map_free(own);
            continue;
        }
        iteration = poly_graph(footprint_iteration(&sinking->footprint, statement));
        needed = isl_map_union(needed, isl_map_apply_range(isl_map_reverse(iteration), own));
    }
    return simplified(sinking, poly_map_coalesce(needed));
}

static const char *zero_label(const struct sinking *sinking)
{
    const char *name = sinking->footprint.array->name, *label;
    struct arena *arena = sinking->schedule->arena;

    label = arena_printf(arena, "%s_zero", name);
    for (int k = 2; program_statement(sinking->program, label); k++)
        label = arena_printf(arena, "%s_zero_%d", name, k);
    return label;
}

static struct expr *new_expr(const struct sinking *sinking, struct expr value)
{
    struct expr *expr = ARENA_NEW(sinking->schedule->arena, struct expr);

    *expr = value;
    expr->place = sinking->footprint.array->place;
    return expr;
}

/* A[a] of Z[c, a]. */
static struct expr *zeroed_element(const struct sinking *sinking)
{
    const struct array *array = sinking->footprint.array;
    struct expr *access =
        new_expr(sinking,
                 (struct expr){.kind = EXPR_ACCESS, .type = array->type, .array = array, .n_arg = array->n_dim});

    access->arg = ARENA_ARRAY(sinking->schedule->arena, array->n_dim + 1, struct expr *);
    for (int d = 0; d < array->n_dim; d++)
        access->arg[d] =
            new_expr(sinking, (struct expr){.kind = EXPR_LOOP, .type = TYPE_I64, .loop = sinking->footprint.depth + d});
    return access;
}

static struct expr *zero_of(const struct sinking *sinking, enum type type)
{
    if (type_is_float(type))
        return new_expr(sinking, (struct expr){.kind = EXPR_REAL, .type = type, .spelling = "0.0"});
    return new_expr(sinking, (struct expr){.kind = EXPR_INT, .type = type});
}

/* Does the loop's count change with this loop of the statement? */
static bool follows(const struct order *loop, const struct statement *statement, int dim)
{
    isl_union_pw_aff *time = time_of(loop->time, statement);
    isl_pw_aff_list *list = isl_union_pw_aff_get_pw_aff_list(time);
    isl_pw_aff *count = isl_pw_aff_list_n_pw_aff(list) > 0 ? isl_pw_aff_list_get_pw_aff(list, 0) : NULL;
    const bool does = isl_pw_aff_involves_dims(count, isl_dim_in, (unsigned)dim, 1) == isl_bool_true;

    isl_pw_aff_free(count);
    isl_pw_aff_list_free(list);
    isl_union_pw_aff_free(time);
    return does;
}

/* The innermost loop below order that counts this loop of the statement, or NULL. */
static const struct order *inner_loop(const struct order *order, const struct statement *statement, int dim)
{
    const struct order *found = order->kind == ORDER_LOOP && follows(order, statement, dim) ? order : NULL;

    for (int k = 0; k < order->n_child; k++)
        if (order_has(order->child[k], statement)) {
            const struct order *below = inner_loop(order->child[k], statement, dim);
            return below ? below : found;
        }
    return found;
}

/* What the loop over dimension `dim` is to look like: that of a statement whose subscript is a loop. */
static const struct loop_info *dimension_like(const struct sinking *sinking, int dim)
{
    const struct program *program = sinking->schedule->program;
    const struct order *body = sinking->footprint.loop[sinking->footprint.depth - 1]->child[0];

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            const struct order *loop = NULL;
            if (access->array == sinking->footprint.array && access->expr->arg[dim]->kind == EXPR_LOOP)
                loop = inner_loop(body, program->statement[s], access->expr->arg[dim]->loop);
            if (loop)
                return loop->info;
        }
    return NULL;
}

/* The comment for the loop over a dimension: the first that is sure to be one. */
static const char *zeros_comment(const struct sinking *sinking, int dim)
{
    const struct array *array = sinking->footprint.array;
    int first = array->n_iteration;

    for (int d = first + 1; d < array->n_dim && !array->in_registers; d++)
        if (array->is_fine && array->is_fine[d])
            first = array->n_iteration + 1;
    return array->is_buffer && dim == first
               ? arena_printf(sinking->schedule->arena, "zeros behind the elements of %s", array->name)
               : NULL;
}

static const struct loop_info *dimension_info(const struct sinking *sinking, int dim)
{
    const struct loop_ref ref = {.node = sinking->footprint.loop[sinking->footprint.depth - 1]};
    const struct loop_info *like = dimension_like(sinking, dim);
    const struct array *array = sinking->footprint.array;
    const bool follows = like && array->is_buffer && is_whole(array, dim);
    const struct loop_info plain = {.stride = 1,
                                    .unit = 1,
                                    .outer = like ? like->outer : 0,
                                    .plan = follows ? like->plan : NULL,
                                    .is_copy = fills_together(sinking),
                                    .comment = zeros_comment(sinking, dim)};
    const char *name = like ? like->name : edit_name_like(sinking->schedule, &ref, sinking->footprint.array->name);

    return edit_new_info(sinking->schedule, &plain, name, copy_step(sinking->schedule->order, array));
}

static const char **zero_names(const struct sinking *sinking)
{
    const struct footprint *footprint = &sinking->footprint;
    const int n = footprint->depth + footprint->array->n_dim;
    const char **name = ARENA_ARRAY(sinking->schedule->arena, n, const char *);

    for (int k = 0; k < footprint->depth; k++)
        name[k] = footprint->loop[k]->info->name;
    for (int d = 0; d < footprint->array->n_dim; d++)
        name[footprint->depth + d] = footprint->array->name;
    return name;
}

static const struct nest *nest_of(const struct sinking *sinking)
{
    const struct program *program = sinking->schedule->program;
    int s = 0;

    while (program->statement[s]->target->array != sinking->footprint.array && s + 1 < program->n_statement)
        s++;
    return program->statement[s]->nest;
}

/* { Z[c, a] -> A[a] } */
static __isl_give isl_map *zero_access(const struct sinking *sinking)
{
    isl_set *elements = isl_set_universe(isl_set_get_space(sinking->footprint.array->elements));
    isl_map *map = isl_map_from_domain_and_range(isl_set_copy(sinking->zero->domain), elements);

    for (int d = 0; d < sinking->footprint.array->n_dim; d++)
        map = isl_map_equate(map, isl_dim_in, sinking->footprint.depth + d, isl_dim_out, d);
    return poly_keep_map(sinking->schedule->arena, map);
}

/* Sizes for which nothing is read may zero, too: that is no condition worth its line. (Copies of a buffer have it.) */
static __isl_give isl_set *zero_domain(const struct sinking *sinking)
{
    isl_set *domain = isl_set_flatten(isl_map_wrap(isl_map_copy(sinking->needed)));
    const unsigned n = (unsigned)(sinking->footprint.depth + sinking->footprint.array->n_dim);

    if (!sinking->footprint.array->is_buffer)
        domain = poly_set_coalesce(isl_set_drop_constraints_not_involving_dims(domain, isl_dim_set, 0, n));
    return isl_set_intersect_params(domain, isl_set_copy(sinking->schedule->program->context));
}

static void make_statement(struct sinking *sinking)
{
    struct arena *arena = sinking->schedule->arena;
    struct program *program = sinking->program;
    struct statement *zero = sinking->zero = ARENA_NEW(arena, struct statement);
    struct access *access = ARENA_ARRAY(arena, 1, struct access);

    zero->index = program->n_statement;
    zero->label = zero_label(sinking);
    zero->place = sinking->footprint.array->place;
    zero->nest = nest_of(sinking);
    zero->n_loop = sinking->footprint.depth + sinking->footprint.array->n_dim;
    zero->loop_name = zero_names(sinking);
    zero->target = zeroed_element(sinking);
    zero->op = OP_NONE;
    zero->value = zero_of(sinking, sinking->footprint.array->type);
    zero->domain = poly_keep_set(arena, isl_set_set_tuple_name(zero_domain(sinking), zero->label));
    *access = (struct access){.array = sinking->footprint.array, .expr = zero->target, .write = true};
    access->map = zero_access(sinking);
    zero->access = access;
    zero->n_access = 1;
    zero->copies = fills_together(sinking) ? access->array->name : NULL;
    zero->is_copy = zero->copies != NULL;
    program->statement[program->n_statement++] = zero;
}

/* The loop of the zeros' elements in one dimension, from the iteration's first element on. */
static __isl_give isl_union_pw_aff *element_count(const struct sinking *sinking, int dim)
{
    const struct footprint *footprint = &sinking->footprint;
    isl_union_pw_aff *count = path_dimension(sinking->zero->domain, footprint->depth + dim);
    isl_multi_pw_aff *iteration;
    isl_pw_aff *first;

    if (!footprint->offset[dim])
        return count;
    iteration = isl_multi_pw_aff_identity_on_domain_space(isl_set_get_space(sinking->zero->domain));
    iteration = isl_multi_pw_aff_reset_tuple_id(iteration, isl_dim_out);
    iteration = isl_multi_pw_aff_drop_dims(iteration, isl_dim_out, (unsigned)footprint->depth,
                                           (unsigned)footprint->array->n_dim);
    first = isl_pw_aff_pullback_multi_pw_aff(isl_pw_aff_from_aff(isl_aff_copy(footprint->offset[dim])), iteration);
    return isl_union_pw_aff_sub(count, isl_union_pw_aff_from_pw_aff(first));
}

static const struct order *zero_loops(const struct sinking *sinking)
{
    struct arena *arena = sinking->schedule->arena;
    const struct order *order = order_leaf(arena, sinking->zero, isl_set_copy(sinking->zero->domain));

    for (int d = sinking->footprint.array->n_dim - 1; d >= 0; d--)
        order = order_loop(arena, dimension_info(sinking, d), element_count(sinking, d), order);
    return order;
}

static void put_zeros(struct sinking *sinking)
{
    struct arena *arena = sinking->schedule->arena;
    const struct path path = {sinking->footprint.loop, sinking->footprint.depth};
    isl_union_pw_aff **time = ARENA_ARRAY(arena, path.depth, isl_union_pw_aff *);
    const struct program *program = sinking->schedule->program;
    bool *users = ARENA_ARRAY(arena, program->n_statement + program->n_array + 1, bool);
    const struct graft graft = {&path, time, zero_loops(sinking), false, users};

    for (int s = 0; s < program->n_statement; s++)
        users[s] = statement_uses_array(program->statement[s], sinking->footprint.array);
    for (int k = 0; k < path.depth; k++)
        time[k] = poly_keep_union_pw_aff(arena, path_dimension(sinking->zero->domain, k));
    sinking->order = graft_insert(arena, sinking->order, &graft);
}

static const struct order *with_own_statements(void *data, const struct order *node)
{
    struct sinking *sinking = data;

    if (node->kind != ORDER_LEAF)
        return node;
    return order_leaf(sinking->schedule->arena, sinking->program->statement[node->statement->index],
                      isl_set_copy(node->domain));
}

/* The first statement that is added makes the program and its order those of this stage. */
static void start_copy(struct sinking *sinking)
{
    const struct program *before = sinking->schedule->program;
    struct arena *arena = sinking->schedule->arena;
    struct statement **list;

    if (sinking->program)
        return;
    sinking->program = program_copy(arena, before);
    list = ARENA_ARRAY(arena, before->n_statement + before->n_array + 1, struct statement *);
    memcpy(list, sinking->program->statement, (size_t)before->n_statement * sizeof(*list));
    sinking->program->statement = list;
    sinking->order = order_rewrite(arena, sinking->order, with_own_statements, sinking);
}

/* Is a loop in there, around uses of the array, bound to what the array's memory tells apart: threads or blocks? */
static bool is_parted(const struct order *order, const struct array *array)
{
    const bool bound = order->kind == ORDER_LOOP && order->info->plan && order->info->plan->axis != AXIS_NONE;

    if (!order_uses(order, array))
        return false;
    if (bound && (array->memory == MEMORY_LOCAL || axis_is_block(order->info->plan->axis)))
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (is_parted(order->child[k], array))
            return true;
    return false;
}

/* Do the zeros at the start of an iteration reach all that use the array? Each thread has a local one, each block a
 * shared one. */
static bool reach_all(const struct footprint *footprint)
{
    const struct array *array = footprint->array;

    if (array->is_buffer || (array->memory != MEMORY_LOCAL && array->memory != MEMORY_SHARED))
        return true;
    return !is_parted(footprint->loop[footprint->depth - 1]->child[0], array);
}

/* Where the array shrinks, its zeros go into the iterations; false when they must be there from the start. */
static bool settle(struct sinking *sinking, const struct array *array)
{
    struct schedule *schedule = sinking->schedule;
    isl_union_map *reads = dependences_initial_reads(schedule_dependences_of(schedule, array), array);
    bool settled = isl_union_map_is_empty(reads) == isl_bool_true;

    if (!settled && !array->full_storage && array->n_dim > 0 &&
        footprint_find(&sinking->footprint, schedule, schedule->program, schedule->order, array) &&
        reach_all(&sinking->footprint)) {
        start_copy(sinking);
        sinking->needed = needed_zeros(sinking, reads);
        make_statement(sinking);
        put_zeros(sinking);
        isl_map_free(sinking->needed);
        settled = true;
    }
    footprint_release(&sinking->footprint);
    memset(&sinking->footprint, 0, sizeof(sinking->footprint));
    isl_union_map_free(reads);
    return settled;
}

struct zeros zeros_place(struct schedule *schedule)
{
    const struct program *program = schedule->program;
    struct sinking sinking = {.schedule = schedule, .order = schedule->order};
    bool *settled = ARENA_ARRAY(schedule->arena, program->n_array + 1, bool);

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].init_zero && !(program->unused && program->unused[k]))
            settled[k] = settle(&sinking, &program->array[k]);
    return (struct zeros){sinking.program ? sinking.program : program, sinking.order, settled};
}
