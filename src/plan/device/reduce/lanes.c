#include "plan/device/reduce/lanes.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "dep/dependence.h"
#include "plan/device/conflict.h"
#include "plan/device/kernels.h"
#include "plan/device/reduce/atomic.h"
#include "plan/loop_plan.h"
#include "poly/number.h"
#include "program/expr/affine.h"
#include "sched/time.h"

#include <isl/ilp.h>
#include <isl/space.h>

#include <limits.h>

/* The loops around the statement. */
struct search {
    struct arena *arena;
    int warp; /* its threads */
    const struct statement *statement;
    VEC(const struct order *) around;
    VEC(const struct order *) loop; /* those of the first leaf that is found, as far as they move */
    int leaves;
};

/* Has the loop more than one iteration for the statement? (In a fused nest it has one in the loops of others.) */
static bool moves(const struct search *search, const struct order *loop)
{
    return !time_is_single(loop->time, search->statement->domain);
}

static void find(struct search *search, const struct order *order)
{
    const bool loop = order->kind == ORDER_LOOP;

    if (order->kind == ORDER_LEAF && order->statement == search->statement && search->leaves++ == 0)
        for (int k = 0; k < search->around.n; k++)
            if (moves(search, search->around.at[k]))
                VEC_PUSH(search->arena, &search->loop, search->around.at[k]);
    if (loop)
        VEC_PUSH(search->arena, &search->around, order);
    for (int k = 0; k < order->n_child; k++)
        find(search, order->child[k]);
    search->around.n -= loop;
}

static enum axis axis_of(const struct order *loop)
{
    return loop->info->plan ? loop->info->plan->axis : AXIS_NONE;
}

/* The loop over thread.x, inside of which there are only other bound loops; NULL: there is none. */
static const struct order *loop_of_lanes(const struct search *search)
{
    for (int k = search->loop.n - 1; k >= 0; k--) {
        const enum axis axis = axis_of(search->loop.at[k]);
        if (axis == AXIS_THREAD_X)
            return search->loop.at[k];
        if (axis != AXIS_THREAD_Y && axis != AXIS_THREAD_Z)
            return NULL;
    }
    return NULL;
}

/* { S -> S } of instances that one warp has in the loop. */
static __isl_give isl_union_map *within_warp(const struct order *lanes, int threads)
{
    isl_union_pw_aff *warp = isl_union_pw_aff_copy(lanes->time);
    isl_union_map *at, *pairs;

    warp = time_floor_div(time_add(warp, lanes->info->plan->origin, -1), threads);
    at = isl_union_map_from_union_pw_aff(warp);
    pairs = isl_union_map_apply_range(isl_union_map_copy(at), isl_union_map_reverse(isl_union_map_copy(at)));
    isl_union_map_free(at);
    return pairs;
}

static bool is_among(const struct order *loop, const struct order *const *list, int n)
{
    for (int k = 0; k < n; k++)
        if (list[k] == loop)
            return true;
    return false;
}

/* { S -> S } of instances that the n loops, but no other ones, tell apart; those of one warp in the first. */
static __isl_give isl_union_map *lane_pairs(const struct search *search, const struct order *const *lanes, int n)
{
    isl_union_set *domain = isl_union_set_from_set(isl_set_copy(search->statement->domain));
    isl_union_map *pairs = isl_union_map_from_domain_and_range(isl_union_set_copy(domain), domain);

    for (int k = 0; k < search->loop.n; k++)
        if (!is_among(search->loop.at[k], lanes, n))
            pairs = isl_union_map_intersect(pairs, conflicts_in_time(search->loop.at[k], false));
    return search->statement->by_warp ? isl_union_map_intersect(pairs, within_warp(*lanes, search->warp)) : pairs;
}

/* Do all iterations of the loops (or all of a warp), those around standing still, update the same element? */
static bool is_one_element(const struct search *search, const struct order *const *lanes, int n)
{
    isl_union_map *element = isl_union_map_from_map(isl_map_copy(search->statement->access[0].map));
    isl_union_map *pairs = lane_pairs(search, lanes, n), *same;
    bool one;

    pairs = isl_union_map_apply_domain(pairs, isl_union_map_copy(element));
    pairs = isl_union_map_apply_range(pairs, element);
    same = isl_union_set_identity(isl_union_map_domain(isl_union_map_copy(pairs)));
    one = isl_union_map_is_subset(pairs, same) == isl_bool_true;
    isl_union_map_free(same);
    isl_union_map_free(pairs);
    return one;
}

/* The pairs whose first instance is in an earlier iteration of the n loops. */
static __isl_give isl_union_map *earlier(const struct search *search, const struct order *const *lanes, int n,
                                         __isl_take isl_union_map *pairs)
{
    isl_union_map *before = isl_union_map_empty(isl_union_map_get_space(pairs));

    for (int k = 0; k < search->loop.n; k++)
        if (is_among(search->loop.at[k], lanes, n)) {
            isl_union_map *less = conflicts_in_time(search->loop.at[k], true);
            before = isl_union_map_union(before, isl_union_map_intersect(isl_union_map_copy(pairs), less));
            pairs = isl_union_map_intersect(pairs, conflicts_in_time(search->loop.at[k], false));
        }
    isl_union_map_free(pairs);
    return before;
}

/* Is it a read of the array that the statement updates, besides the update's own? */
static bool reads_target(const struct statement *statement, const struct access *access)
{
    return access->array == statement->target->array && access->expr != statement->target;
}

/* { S -> S } of an instance and one that reads the element that it updates. */
static __isl_give isl_union_map *readers_of_updates(const struct statement *statement)
{
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(statement->domain));

    for (int k = 1; k < statement->n_access; k++)
        if (reads_target(statement, &statement->access[k])) {
            isl_map *readers = isl_map_reverse(isl_map_copy(statement->access[k].map));
            isl_map *pairs = isl_map_apply_range(isl_map_copy(statement->access[0].map), readers);
            all = isl_union_map_union(all, isl_union_map_from_map(pairs));
        }
    return all;
}

/* Does the value in an iteration of the loops need the element that an earlier one updates? All compute their values
 * before one of them updates it. */
static bool needs_update(const struct search *search, const struct order *const *lanes, int n)
{
    isl_union_map *pairs = readers_of_updates(search->statement);
    bool needs = isl_union_map_is_empty(pairs) != isl_bool_true;

    if (needs) {
        pairs = isl_union_map_intersect(pairs, earlier(search, lanes, n, lane_pairs(search, lanes, n)));
        needs = isl_union_map_is_empty(pairs) != isl_bool_true;
    }
    isl_union_map_free(pairs);
    return needs;
}

/* Do the iterations of one of the loops have the array for themselves? Its element is another one in each then. */
static bool is_own(const struct array *array, const struct order *const *lanes, int n)
{
    for (int k = 0; k < n; k++)
        if (array_is_within(array, lanes[k]->info->id))
            return true;
    return false;
}

/* May all iterations of the loops, those around standing still, sum up what they add, and one of them update the
 * element? */
static bool are_together(const struct search *search, const struct order *const *lanes, int n)
{
    return !is_own(search->statement->target->array, lanes, n) && is_one_element(search, lanes, n) &&
           !needs_update(search, lanes, n);
}

bool lanes_may_share(const struct program *program, const struct statement *statement)
{
    const struct gpu *gpu = gpu_by_language(program->target.language);
    const enum type type = statement->target->array->type;
    enum expr_op op;

    return !statement->barrier && !statement->guard && statement->op != OP_NONE &&
           statement_is_update(statement, &op) && update_order_is_free(program, statement, op) &&
           update_stays_in_type(statement) && type != TYPE_BOOL &&
           gpu_computes(gpu_arch_by_name(gpu, program->target.arch), type);
}

const struct order *lanes_loop_alone(const struct program *program, const struct order *order,
                                     const struct statement *statement)
{
    struct search search = {.arena = program->arena, .warp = program->target.warp, .statement = statement};
    const struct order *loop;

    if (!lanes_may_share(program, statement))
        return NULL;
    find(&search, order);
    loop = search.leaves == 1 ? loop_of_lanes(&search) : NULL;
    return loop && are_together(&search, &loop, 1) ? loop : NULL;
}

bool lanes_are_together(const struct program *program, const struct order *order, const struct statement *statement,
                        const struct order *const *loop, int n)
{
    struct search search = {.arena = program->arena, .warp = program->target.warp, .statement = statement};

    find(&search, order);
    return are_together(&search, loop, n);
}

const struct order *lanes_loop(const struct program *program, const struct order *order,
                               const struct statement *statement)
{
    const struct order *loop = lanes_loop_alone(program, order, statement);
    const struct order *kernel = loop ? kernel_of(program->arena, order, statement) : NULL;

    return kernel && kernel_is_whole_warps(program, kernel) ? loop : NULL;
}

int64_t lanes_most(const struct program *program, const struct order *loop)
{
    const struct expr *size = loop->info->plan->size;
    const int64_t within =
        loop->info->plan->within ? loop->info->plan->within : program->target.warp * program->target.warp;
    isl_space *space = isl_space_set_from_params(program_params_space(program));
    isl_map *sizes = isl_map_from_pw_aff(expr_pw_aff(space, size));
    int64_t most;

    isl_space_free(space);
    sizes = isl_map_intersect_params(sizes, isl_set_copy(program->context));
    if (!poly_number(isl_set_dim_max_val(isl_map_range(sizes), 0), &most) || most > within)
        most = within;
    return size->kind == EXPR_INT ? size->integer : most;
}

int lanes_of(const struct program *program, const struct order *order, const struct statement *statement)
{
    const struct order *loop = lanes_loop(program, order, statement);
    const int64_t size = loop ? lanes_most(program, loop) : 0;

    if (size < 2 || size > INT_MAX ||
        (size > program->target.warp && !statement->by_warp && !atomic_is_there(program, statement)))
        return 0;
    return (int)size;
}

void lanes_mark(const struct program *program, const struct order *order, const struct order *kernel)
{
    for (int s = 0; s < program->n_statement; s++)
        if (order_has(kernel, program->statement[s]))
            program->statement[s]->lanes = lanes_of(program, order, program->statement[s]);
}
