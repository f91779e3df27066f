#include "plan/storage/widen.h"

#include "plan/device/conflict.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "sched/extent.h"
#include "sched/order.h"

/* The positions that the loop has now; NULL: they are as many as they were, or depend on parameters. */
static struct expr *more_positions(struct schedule *schedule, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct loop_ref ref = {
        .info = loop->info,
        .node = loop,
        .time = loop->time,
        .domain = poly_keep_union_set(schedule->arena, order_domain(loop)),
    };
    struct loop_extent extent;

    if (plan->size->kind != EXPR_INT || order_count(schedule->order, loop->info->id) > 1 ||
        !extent_measure_parts(schedule, &ref, &extent) || extent.size->kind != EXPR_INT)
        return NULL;
    return extent.size->integer > plan->size->integer ? extent.size : NULL;
}

/* The first loop whose positions have become more, and these; NULL: there is none. */
static const struct order *find(struct schedule *schedule, const struct order *order, struct expr **size)
{
    const struct order *found = NULL;

    *size = order->kind == ORDER_LOOP && loop_is_bound(order) && !order->info->digit ? more_positions(schedule, order)
                                                                                     : NULL;
    if (*size)
        return order;
    for (int k = 0; k < order->n_child && !found; k++)
        found = find(schedule, order->child[k], size);
    return found;
}

enum status widen_bound(struct schedule *schedule)
{
    enum status status = STATUS_OK;
    struct expr *size;

    for (const struct order *loop = find(schedule, schedule->order, &size); loop && status == STATUS_OK;
         loop = find(schedule, schedule->order, &size)) {
        struct loop_plan plan = loop_plan_of(loop->info);
        plan.size = size;
        status = loop_plan_set(schedule, loop->info->id, &plan);
    }
    return status;
}
