#include "plan/launch.h"

#include "caps/gpu.h"
#include "plan/kernels.h"
#include "plan/loop_plan.h"

#include <inttypes.h>

struct checking {
    const struct schedule *schedule;
    const struct gpu *gpu;
    const struct order *around[AXIS_COUNT];
    const struct loop_plan *last; /* bound to threads */
    enum status status;
};

static void refuse(struct checking *checking, const struct loop_plan *plan, const char *hint, const char *text)
{
    struct diag *diag = diag_error(checking->schedule->diags, "bind", plan->bind_step->place, "%s", text);

    if (hint)
        diag_hint(checking->schedule->diags, diag, "%s", hint);
    checking->status = STATUS_REFUSED;
}

static void check_nested(struct checking *checking, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct order *outer = checking->around[plan->axis];

    if (outer)
        refuse(checking, plan, "bind them to different axes",
               arena_printf(checking->schedule->arena, "`%s` and `%s` inside of it are both bound to %s",
                            outer->info->name, loop->info->name, axis_name(plan->axis)));
    else if (axis_is_thread(plan->axis) && plan->size->kind == EXPR_INT &&
             plan->size->integer > checking->gpu->limit[plan->axis])
        refuse(checking, plan, "split it, and bind the parts",
               arena_printf(checking->schedule->arena,
                            "`%s` has %" PRId64 " iterations: a block has at most %" PRId64 " threads along %s",
                            loop->info->name, plan->size->integer, checking->gpu->limit[plan->axis],
                            axis_name(plan->axis)));
}

static void walk(struct checking *checking, const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;
    const bool bound = plan && plan->axis != AXIS_NONE && plan->axis != AXIS_THREAD;
    const struct order *outer = bound ? checking->around[plan->axis] : NULL;

    if (bound) {
        check_nested(checking, order);
        checking->around[plan->axis] = order;
        checking->last = axis_is_thread(plan->axis) ? plan : checking->last;
    }
    for (int k = 0; k < order->n_child && checking->status == STATUS_OK; k++)
        walk(checking, order->child[k]);
    if (bound)
        checking->around[plan->axis] = outer;
}

static void check_kernel(struct checking *checking, const struct order *kernel)
{
    int64_t threads[3] = {1, 1, 1}, all;

    checking->last = NULL;
    walk(checking, kernel);
    if (checking->status != STATUS_OK || !checking->last)
        return;
    kernel_threads(kernel, threads);
    all = threads[0] * threads[1] * threads[2];
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
