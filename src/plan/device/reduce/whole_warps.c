#include "plan/device/reduce/whole_warps.h"

#include "caps/gpu.h"
#include "plan/device/conflict.h"
#include "plan/device/kernels.h"
#include "plan/device/reduce/lanes.h"
#include "plan/loop_plan.h"
#include "sched/edit.h"

/* Has it no tuples, whose positions several loops make up? */
static bool is_plain(const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;

    if (plan && (plan->run || plan->axis >= AXIS_CARRY))
        return false;
    for (int k = 0; k < order->n_child; k++)
        if (!is_plain(order->child[k]))
            return false;
    return true;
}

struct marking {
    struct schedule *schedule;
    const struct loop_info *loop;
};

/* However many threads along x a device takes for the kernel, it takes whole warps of them, too, and of many rows of
 * threads at least half are the kernel's own. */
static bool has_room(const struct schedule *schedule, const struct order *kernel)
{
    const struct gpu *gpu = gpu_by_language(schedule->program->target.language);
    const int warp = schedule->program->target.warp;
    int64_t threads[3] = {1, 1, 1}, others, whole;

    kernel_threads(kernel, threads);
    others = threads[1] * threads[2];
    if (others == 0)
        return false;
    if (threads[0] == 0)
        return gpu->threads / others % warp == 0;
    whole = (threads[0] + warp - 1) / warp * warp;
    return whole * others <= gpu->threads && (others == 1 || whole <= 2 * threads[0]);
}

static const struct order *marked(void *data, const struct order *node)
{
    struct schedule *schedule = ((struct marking *)data)->schedule;
    struct loop_plan *plan;
    struct loop_info *info;

    if (node->kind != ORDER_LOOP || node->info != ((struct marking *)data)->loop)
        return node;
    info = edit_copy_info(schedule, node->info);
    plan = ARENA_NEW(schedule->arena, struct loop_plan);
    *plan = loop_plan_of(info);
    plan->whole_warp = schedule->program->target.warp;
    info->plan = plan;
    return order_loop(schedule->arena, info, isl_union_pw_aff_copy(node->time), node->child[0]);
}

static void round_up(struct schedule *schedule, const struct order *loop)
{
    struct marking marking = {schedule, loop->info};

    schedule->order = schedule->original = order_rewrite(schedule->arena, schedule->order, marked, &marking);
}

/* Is it a kernel that has room for whole warps, and none yet? */
static bool is_short(const struct schedule *schedule, const struct order *kernel)
{
    return !kernel_is_whole_warps(schedule->program, kernel) && is_plain(kernel) && has_room(schedule, kernel);
}

void whole_warps(struct schedule *schedule)
{
    const struct gpu *gpu = gpu_by_language(schedule->program->target.language);

    for (int s = 0; s < schedule->program->n_statement && gpu; s++) {
        const struct statement *statement = schedule->program->statement[s];
        const struct order *loop = lanes_loop_alone(schedule->program, schedule->order, statement);
        const struct order *kernel = loop ? kernel_of(schedule->arena, schedule->order, statement) : NULL;
        if (kernel && is_short(schedule, kernel))
            round_up(schedule, loop);
    }
}
