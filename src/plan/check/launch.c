#include "plan/check/launch.h"

#include "caps/gpu.h"
#include "plan/device/kernels.h"
#include "plan/loop_plan.h"
#include "sched/time.h"

#include <isl/set.h>

#include <inttypes.h>
#include <string.h>

struct checking {
    const struct schedule *schedule;
    const struct gpu *gpu;
    VEC(const struct order *) around; /* bound loops */
    const struct loop_plan *last;     /* bound to threads */
    const struct loop_plan *resident; /* which says how many blocks are to be on a multiprocessor, or NULL */
    const struct order *first[3];     /* bound to block.x, .y, .z */
    enum status status;
};

static void refuse(struct checking *checking, const struct loop_plan *plan, const char *hint, const char *text)
{
    struct diag *diag = diag_error(checking->schedule->diags, "bind", plan->bind_step->place, "%s", text);

    if (hint)
        diag_hint(checking->schedule->diags, diag, "%s", hint);
    checking->status = STATUS_REFUSED;
}

/* Does every instance below order have only one count of the loop? */
static bool is_single(const struct order *order, const struct order *loop)
{
    if (order->kind == ORDER_LEAF)
        return time_is_single(loop->time, order->domain);
    for (int k = 0; k < order->n_child; k++)
        if (!is_single(order->child[k], loop))
            return false;
    return true;
}

/* Does each part of inner stand still in one of the loops? So do the parts of a fused nest in the loops of others. */
static bool is_never_both(const struct order *part, const struct order *outer, const struct order *inner)
{
    if (is_single(part, outer) || is_single(part, inner))
        return true;
    if (part->kind == ORDER_LEAF)
        return false;
    for (int k = 0; k < part->n_child; k++)
        if (!is_never_both(part->child[k], outer, inner))
            return false;
    return true;
}

static void check_nested(struct checking *checking, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    for (int k = 0; k < checking->around.n && checking->status == STATUS_OK; k++) {
        const struct order *outer = checking->around.at[k];
        if (outer->info->plan->axis == plan->axis && !is_never_both(loop, outer, loop))
            refuse(checking, plan, "bind them to different axes",
                   arena_printf(checking->schedule->arena, "`%s` and `%s` inside of it are both bound to %s",
                                outer->info->name, loop->info->name, axis_name(plan->axis)));
    }
    if (checking->status == STATUS_OK && axis_is_thread(plan->axis) && plan->dealt == 0 &&
        plan->size->kind == EXPR_INT && plan->size->integer > checking->gpu->limit[axis_whole(plan->axis)])
        refuse(checking, plan, "split it, and bind the parts",
               arena_printf(checking->schedule->arena,
                            "`%s` has %" PRId64 " iterations: a block has at most %" PRId64 " threads along %s",
                            loop->info->name, plan->size->integer, checking->gpu->limit[axis_whole(plan->axis)],
                            axis_name(plan->axis)));
}

/* All loops on an axis walk through the same number of blocks. */
static void check_blocks(struct checking *checking, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct order **first = &checking->first[axis_whole(plan->axis) - AXIS_BLOCK_X];

    if (*first && (*first)->info->plan->blocks != plan->blocks)
        refuse(checking, plan, "give both the same \"blocks\"",
               arena_printf(checking->schedule->arena,
                            "`%s` and `%s` of one kernel are both bound to %s, with different numbers of blocks",
                            (*first)->info->name, loop->info->name, axis_name(plan->axis)));
    *first = loop;
}

/* Is the loop on an axis that the runs of a tuple are for, and none of such loops itself? */
static bool is_in_the_way(const struct order *order, const struct loop_plan *runs)
{
    const struct loop_plan *plan = order->info->plan;
    const enum axis axis = plan && !loop_plan_is_cooperative(order->info) ? axis_whole(plan->axis) : AXIS_NONE;

    if (axis == axis_whole(runs->axis))
        return plan->run != runs->run || plan->threads_axis != runs->threads_axis;
    return axis == runs->threads_axis;
}

static const struct order *find_in_the_way(const struct order *order, const struct loop_plan *runs)
{
    const struct order *found = NULL;

    if (kernels_is_tile(order) || (order->kind == ORDER_LOOP && is_in_the_way(order, runs)))
        return order;
    for (int k = 0; k < order->n_child && !found; k++)
        found = find_in_the_way(order->child[k], runs);
    return found;
}

/* The runs of a tuple's iterations are blocks, and these have no other threads. */
static void check_runs(struct checking *checking, const struct order *kernel, const struct loop_info *run)
{
    const struct order *tuple = order_find(checking->schedule->order, run->outer);
    const struct loop_info *head = tuple->info;
    const struct loop_plan *plan = head->plan;
    struct arena *arena = checking->schedule->arena;
    const struct order *other;
    struct diag *diag;

    if (!plan || plan->axis == AXIS_NONE || !plan->run) {
        diag = diag_error(checking->schedule->diags, "split", run->step->place,
                          "the parts of `%s`, a collapsed loop whose inner extent is not a constant, are for blocks "
                          "and threads",
                          head->name);
        diag_hint(checking->schedule->diags, diag, "`bind` both");
        checking->status = STATUS_REFUSED;
        return;
    }
    other = find_in_the_way(kernel, plan);
    if (other)
        refuse(checking, plan, "fission the nest, or bind it to another axis",
               arena_printf(arena, "`%s` is bound to %s and %s in parts, and `%s` of the same kernel, too", head->name,
                            axis_name(plan->axis), axis_name(plan->threads_axis), other->info->name));
}

static void find_runs(struct checking *checking, const struct order *kernel, const struct order *order)
{
    if (order->kind == ORDER_LOOP && order->info->tuple == 0 && order->info->run)
        check_runs(checking, kernel, order->info);
    for (int k = 0; k < order->n_child && checking->status == STATUS_OK; k++)
        find_runs(checking, kernel, order->child[k]);
}

static void walk(struct checking *checking, const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;
    const bool bound = plan && plan->axis != AXIS_NONE && plan->axis != AXIS_THREAD;

    if (bound) {
        check_nested(checking, order);
        if (checking->status == STATUS_OK && axis_is_block(plan->axis))
            check_blocks(checking, order);
        VEC_PUSH(checking->schedule->arena, &checking->around, order);
        checking->last = axis_is_thread(plan->axis) || plan->run ? plan : checking->last;
        checking->resident = plan->resident ? plan : checking->resident;
    }
    for (int k = 0; k < order->n_child && checking->status == STATUS_OK; k++)
        walk(checking, order->child[k]);
    checking->around.n -= bound;
}

/* The outermost loop of a matrix instruction's tile; around: is one on thread.x around it? */
static const struct order *find_tile(const struct order *order, bool *around)
{
    const bool on_x = order->kind == ORDER_LOOP && order->info->plan && order->info->plan->axis == AXIS_THREAD_X;

    if (kernels_is_tile(order))
        return order;
    for (int k = 0; k < order->n_child; k++) {
        const struct order *found = find_tile(order->child[k], around);
        if (!found)
            continue;
        *around = *around || on_x;
        return found;
    }
    return NULL;
}

/* The threads along x of a kernel with matrix instructions are one warp, all of which runs them. */
static void check_warp(struct checking *checking, const struct order *kernel, const int64_t threads[3])
{
    bool around = false;
    const struct order *tile = find_tile(kernel, &around);
    struct diag *diag;

    if (!tile || (threads[0] == TILE_THREADS && !around))
        return;
    diag = diag_error(checking->schedule->diags, "tensorize", tile->info->plan->tensor_step->place,
                      "matrix instructions are run by the %d threads along x together: they cannot be bound otherwise",
                      TILE_THREADS);
    diag_hint(checking->schedule->diags, diag, "bind the loops around to thread.y, thread.z and blocks");
    checking->status = STATUS_REFUSED;
}

/* Can as many blocks as are asked for be on a multiprocessor? all: the threads of one, 0: not known. */
static void check_resident(struct checking *checking, int64_t all)
{
    const struct loop_plan *plan = checking->resident;
    struct arena *arena = checking->schedule->arena;

    if (checking->gpu->resident == 0)
        refuse(checking, plan, NULL, "launches of the target do not say how many blocks are resident");
    else if (all == 0)
        refuse(checking, plan, "bind loops of literal extents to threads",
               "how many threads a block has is not known, and so not what blocks that are resident leave each");
    else if (plan->resident > checking->gpu->resident / all)
        refuse(checking, plan, "fewer of them, or smaller ones",
               arena_printf(arena,
                            "%" PRId64 " blocks of %" PRId64
                            " threads are to be resident: a multiprocessor has at most "
                            "%" PRId64 " threads",
                            plan->resident, all, checking->gpu->resident));
}

static void check_kernel(struct checking *checking, const struct order *kernel)
{
    int64_t threads[3] = {1, 1, 1}, all;

    checking->last = checking->resident = NULL;
    memset(checking->first, 0, sizeof(checking->first));
    find_runs(checking, kernel, kernel);
    if (checking->status == STATUS_OK)
        walk(checking, kernel);
    kernel_threads(kernel, threads);
    if (checking->status == STATUS_OK)
        check_warp(checking, kernel, threads);
    all = threads[0] * threads[1] * threads[2];
    if (checking->status == STATUS_OK && checking->resident)
        check_resident(checking, all);
    if (checking->status != STATUS_OK || !checking->last)
        return;
    if (all > checking->gpu->threads)
        refuse(checking, checking->last, "split a loop, and bind its outer part to blocks",
               arena_printf(checking->schedule->arena,
                            "a block would have %" PRId64 " threads: there are at most %" PRId64, all,
                            checking->gpu->threads));
}

enum status launch_check(const struct schedule *schedule)
{
    struct checking checking = {.schedule = schedule, .gpu = gpu_by_language(schedule->program->target.language)};
    struct kernels kernels;

    if (!checking.gpu)
        return STATUS_OK;
    kernels = kernels_of(schedule->arena, schedule->order);
    for (int k = 0; k < kernels.n && checking.status == STATUS_OK; k++)
        check_kernel(&checking, kernels.list[k]);
    return checking.status;
}
