#include "plan/device/reduce/block_sum.h"

#include "caps/gpu.h"
#include "plan/device/conflict.h"
#include "plan/device/kernels.h"
#include "plan/device/reduce/atomic.h"
#include "plan/device/reduce/lanes.h"
#include "plan/device/reduce/summing.h"
#include "plan/device/reduce/whole_warps.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "program/expr/index_expr.h"
#include "sched/program_step.h"

#include <isl/union_map.h>

#include <string.h>

/* The loop over what the threads have, in those of the threads that the sum is for. */
static const struct order *rows_loop(const struct summing *summing)
{
    const struct loop_info like = {.stride = 1, .unit = 1};
    const struct loop_info *info = edit_new_info(summing->schedule, &like, "row", NULL);
    struct arena *arena = summing->schedule->arena;
    const struct order *order = order_leaf(arena, summing->block, isl_set_copy(summing->block->domain));
    int dim = summing->path.depth;

    order = order_loop(arena, info, path_dimension(summing->block->domain, dim), order);
    for (int k = summing->n_rest - 1; k >= 0; k--)
        order = order_loop(arena, summing->rest[k]->info, path_dimension(summing->block->domain, --dim), order);
    return order;
}

/* The loop over the warps. */
static const struct order *block_loop(const struct summing *summing)
{
    const struct loop_info like = {.stride = 1, .unit = 1};
    struct loop_info *info = edit_new_info(summing->schedule, &like, "warp", NULL);
    struct loop_plan *plan = ARENA_NEW(summing->schedule->arena, struct loop_plan);
    const struct order *leaf;

    *plan = (struct loop_plan){.axis = AXIS_THREAD_X, .bind_step = summing->lanes->info->plan->bind_step};
    plan->origin = poly_keep_aff(summing->schedule->arena, params_constant(summing->program, 0));
    plan->size = summing->warps_there;
    plan->within = summing->n_warp;
    info->plan = plan;
    leaf = order_leaf(summing->schedule->arena, summing->block, isl_set_copy(summing->block->domain));
    return order_loop(summing->schedule->arena, info, path_dimension(summing->block->domain, summing->path.depth),
                      leaf);
}

/* The leaf in n loops of threads. */
static const struct order *in_threads(const struct summing *summing, const struct order *const *loop, int n,
                                      const struct order *leaf)
{
    for (int k = 0; k < n; k++)
        leaf = order_loop(summing->schedule->arena, loop[k]->info, isl_union_pw_aff_copy(loop[k]->time), leaf);
    return leaf;
}

/* The statement in its own loops behind what else there is, and behind that its sum of warps, once that is made. */
static const struct order *apart(const struct summing *summing, const struct order *part)
{
    struct arena *arena = summing->schedule->arena;
    const struct order *child[3], *leaf;
    int n = 0;

    child[n] = order_without(arena, part, summing->leaf);
    n += child[n] != NULL;
    leaf = summing->warps ? order_leaf(arena, summing->warps, isl_set_copy(summing->warps->domain)) : summing->leaf;
    leaf = in_threads(summing, summing->joint, summing->n_joint, leaf);
    child[n++] = in_threads(summing, summing->rest, summing->n_rest, leaf);
    if (summing->block)
        child[n++] = summing->lanes ? block_loop(summing) : rows_loop(summing);
    return order_sequence(arena, child, n);
}

/* order, from loop k of those around down. */
static const struct order *arranged(const struct summing *summing, const struct order *order, int k)
{
    struct arena *arena = summing->schedule->arena;
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);
    const bool around = k < summing->path.depth && order == summing->path.loop[k];
    isl_union_pw_aff *time;

    if (order == summing->part)
        return apart(summing, order);
    if (!order_has(order, summing->statement))
        return order;
    for (int c = 0; c < order->n_child; c++)
        child[c] = arranged(summing, order->child[c], k + around);
    if (order->kind == ORDER_SEQUENCE)
        return order_sequence(arena, child, order->n_child);
    time = isl_union_pw_aff_copy(order->time);
    if (summing->block)
        time = isl_union_pw_aff_union_add(time, path_dimension(summing->block->domain, k));
    return order_loop(arena, order->info, time, child[0]);
}

static bool is_legal(const struct schedule *schedule, const struct order *order)
{
    isl_schedule *isl = order_to_schedule(order);
    isl_union_map *violated = legal_violated(schedule_dependences(schedule), isl);
    const bool legal = isl_union_map_is_empty(violated) == isl_bool_true;

    isl_union_map_free(violated);
    isl_schedule_free(isl);
    return legal;
}

static int warp_of(const struct summing *summing)
{
    return summing->schedule->program->target.warp;
}

/* Is it a loop over other threads, few enough for one warp to sum up what theirs have? */
static bool is_for_few(const struct summing *summing, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    return plan && (plan->axis == AXIS_THREAD_Y || plan->axis == AXIS_THREAD_Z) && plan->size->kind == EXPR_INT &&
           summing->lanes->info->plan->size->kind == EXPR_INT && plan->size->integer <= warp_of(summing) &&
           plan->size->integer * summing_warps(summing) <= warp_of(summing);
}

/* Adds the loop to those whose iterations update one element together, if they do. */
static bool joins(struct summing *summing, const struct order *loop)
{
    const struct schedule *schedule = summing->schedule;

    if (!is_for_few(summing, loop))
        return false;
    summing->joint[summing->n_joint++] = loop;
    if (lanes_are_together(schedule->program, schedule->order, summing->statement, summing->joint, summing->n_joint))
        return true;
    summing->n_joint--;
    return false;
}

/* The outermost loop of the path, inside of which only joint ones go on, that over thread.x among them; -1: another one
 * goes on inside of that. */
static int find_joint(struct summing *summing, const struct path *path)
{
    int first = -1;

    summing->joint[summing->n_joint++] = summing->lanes;
    for (int k = path->depth - 1; k >= 0; k--) {
        const struct order *loop = path->loop[k];
        if (!summing_is_single(summing, loop) && loop != summing->lanes && !joins(summing, loop))
            return first;
        if (loop == summing->lanes || (first >= 0 && !summing_is_single(summing, loop)))
            first = k;
    }
    return first;
}

/* Sets the loops around and the part inside; false: other loops that go on are inside of that over thread.x, or the
 * statement cannot run behind the rest of the part. */
static bool find_part(struct summing *summing)
{
    const struct schedule *schedule = summing->schedule;
    struct path *path = &summing->path;
    int first, depth = 0;

    summing->leaf = order_leaf_of(schedule->order, summing->statement);
    if (!path_find(schedule->arena, schedule->order, summing->leaf, path))
        return false;
    first = find_joint(summing, path);
    for (int k = 0; k < first; k++)
        if (!summing_is_single(summing, path->loop[k]) || !loop_is_bound(path->loop[k]))
            depth = k + 1;
    if (first < 0 || summing_warps(summing) < 2)
        return false;
    path->depth = depth;
    summing->part = path->loop[depth];
    return !order_without(schedule->arena, summing->part, summing->leaf) ||
           is_legal(schedule, arranged(summing, schedule->order, 0));
}

/* Adds the loop to those over threads, if it is one: to those whose iterations update one element together, or to the
 * rest. */
static bool is_over_threads(struct summing *summing, const struct order *loop)
{
    const struct schedule *schedule = summing->schedule;
    const struct loop_plan *plan = loop->info->plan;

    if (!plan || plan->axis < AXIS_THREAD_X || plan->axis > AXIS_THREAD_Z || plan->size->kind != EXPR_INT ||
        summing->n_joint + summing->n_rest == 3)
        return false;
    summing->joint[summing->n_joint++] = loop;
    if (lanes_are_together(schedule->program, schedule->order, summing->statement, summing->joint, summing->n_joint))
        return true;
    summing->rest[summing->n_rest++] = summing->joint[--summing->n_joint];
    return true;
}

/* The loops around the joint ones, and behind those the rest. */
static void set_path(struct summing *summing, struct path *all, int first)
{
    int depth = 0;

    for (int k = 0; k < first; k++)
        if (!summing_is_single(summing, all->loop[k]) || !loop_is_bound(all->loop[k]))
            depth = k + 1;
    summing->part = all->loop[depth];
    summing->path = (struct path){ARENA_ARRAY(summing->schedule->arena, all->depth + 1, const struct order *), depth};
    memcpy(summing->path.loop, all->loop, (size_t)depth * sizeof(*all->loop));
    for (int k = 0; k < summing->n_rest; k++)
        summing->path.loop[summing->path.depth++] = summing->rest[k];
}

/* Sets what find_part does for loops over threads other than those of a warp; false: there are none. */
static bool find_rows(struct summing *summing)
{
    const struct schedule *schedule = summing->schedule;
    struct path path;
    int first = 0, n_rest = 0;

    summing->leaf = order_leaf_of(schedule->order, summing->statement);
    if (!path_find(schedule->arena, schedule->order, summing->leaf, &path))
        return false;
    for (int k = path.depth - 1; k >= 0; k--) {
        const int n = summing->n_joint;
        if (summing_is_single(summing, path.loop[k]))
            continue;
        if (!is_over_threads(summing, path.loop[k]))
            break;
        first = summing->n_joint > n ? k : first;
        n_rest = summing->n_joint > n ? summing->n_rest : n_rest;
    }
    summing->n_rest = n_rest;
    if (summing->n_joint == 0 || summing_warps(summing) < 2)
        return false;
    set_path(summing, &path, first);
    return !order_without(schedule->arena, summing->part, summing->leaf) ||
           is_legal(schedule, arranged(summing, schedule->order, 0));
}

/* Has the kernel a loop of one thread in which others go round? Its threads might not come to a barrier together. */
static bool goes_round_in_threads(const struct summing *summing)
{
    bool threads = false;

    for (int k = 0; k < summing->path.depth; k++) {
        const struct order *loop = summing->path.loop[k];
        const bool single = summing_is_single(summing, loop);
        if (threads && !single && !loop_is_bound(loop))
            return true;
        threads = threads || (!single && summing_over_threads(loop));
    }
    return false;
}

/* The loop over thread.x whose iterations update one element; NULL: there is none. */
static const struct order *loop_of_lanes(const struct schedule *schedule, const struct statement *statement)
{
    const struct order *loop = lanes_loop(schedule->program, schedule->order, statement);
    const int64_t most = loop ? lanes_most(schedule->program, loop) : 0, warp = schedule->program->target.warp;

    return most > 1 && most <= warp * warp && !statement->access[0].may ? loop : NULL;
}

/* Is it an update, in no pieces, that threads which are no warp's may share? */
static bool is_shared(const struct schedule *schedule, const struct statement *statement)
{
    return !statement->access[0].may && lanes_may_share(schedule->program, statement) &&
           order_leaves(schedule->order, statement) == 1 && !lanes_loop(schedule->program, schedule->order, statement);
}

static enum status sum_up(struct schedule *schedule, const struct statement *statement)
{
    struct summing summing = {.schedule = schedule,
                              .statement = statement,
                              .lanes = loop_of_lanes(schedule, statement)};
    const struct order *order;

    if (summing.lanes ? !find_part(&summing) : !is_shared(schedule, statement) || !find_rows(&summing))
        return STATUS_OK;
    if (goes_round_in_threads(&summing) && atomic_is_there(schedule->program, statement))
        return STATUS_OK;
    if (!summing_divide(&summing))
        return STATUS_OK;
    order = arranged(&summing, schedule->order, 0);
    return program_step_more(schedule, summing.program, order, order, summing.array->name);
}

enum status block_sums(struct schedule *schedule)
{
    const int n = schedule->program->n_statement;
    enum status status = STATUS_OK;

    whole_warps(schedule);
    for (int s = 0; s < n && status == STATUS_OK && gpu_by_language(schedule->program->target.language); s++)
        status = sum_up(schedule, schedule->program->statement[s]);
    return status;
}
