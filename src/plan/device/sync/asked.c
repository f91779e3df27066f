#include "plan/device/sync/asked.h"

#include "plan/device/kernels.h"
#include "plan/loop_plan.h"

struct asking {
    const struct schedule *schedule;
    struct barriers *barriers;
    enum status status;
};

static const struct step *step_of(const struct order *order, bool after)
{
    const bool copies = order->kind == ORDER_LOOP && order->info->follows != 0;

    return order->kind == ORDER_LOOP && order->info->plan && !copies ? order->info->plan->sync[after] : NULL;
}

static enum status check(const struct schedule *schedule, const struct order *loop)
{
    const struct step *step = step_of(loop, false) ? step_of(loop, false) : step_of(loop, true);
    const bool inside = loop->info->plan && loop->info->plan->axis == AXIS_NONE;
    struct diag *diag;

    if (!step || !kernels_have_blocks(loop))
        return STATUS_OK;
    diag = diag_error(schedule->diags, "sync", step->place, "blocks cannot wait for each other: `%s` %s",
                      loop->info->name, inside ? "has loops inside that are bound to them" : "is bound to them");
    diag_hint(schedule->diags, diag, "a barrier stands inside of the loops that are bound to blocks");
    return STATUS_REFUSED;
}

enum status asked_of_host(const struct schedule *schedule, const struct order *loop)
{
    return check(schedule, loop);
}

static const struct order *walk(struct asking *asking, const struct order *order);

static const struct order *new_barrier(struct asking *asking, const struct order *beside, const struct step *step)
{
    const struct order *leaf = barrier_new(asking->barriers, beside, "");

    asking->barriers->list.at[asking->barriers->list.n - 1]->place = step->place;
    return leaf;
}

/* One after the other, with barriers around those whose loops ask; each runs whenever something of whole does. */
static const struct order *with_barriers(struct asking *asking, const struct order *const *child, int n,
                                         const struct order *whole)
{
    struct arena *arena = asking->barriers->arena;
    const struct order **all = ARENA_ARRAY(arena, 3 * n, const struct order *);
    int n_all = 0;

    for (int k = 0; k < n; k++) {
        if (step_of(child[k], false))
            all[n_all++] = new_barrier(asking, whole, step_of(child[k], false));
        all[n_all++] = walk(asking, child[k]);
        if (step_of(child[k], true))
            all[n_all++] = new_barrier(asking, whole, step_of(child[k], true));
    }
    return asking->status == STATUS_OK ? order_sequence(arena, all, n_all) : NULL;
}

static const struct order *walk(struct asking *asking, const struct order *order)
{
    struct arena *arena = asking->barriers->arena;
    const bool sequence = order->kind == ORDER_LOOP && order->child[0]->kind == ORDER_SEQUENCE;
    const struct order *body;

    if (order->kind == ORDER_LEAF || asking->status != STATUS_OK)
        return order;
    if (order->kind == ORDER_SEQUENCE)
        return with_barriers(asking, order->child, order->n_child, order);
    asking->status = check(asking->schedule, order);
    VEC_PUSH(arena, &asking->barriers->around, order);
    body = sequence ? walk(asking, order->child[0]) : with_barriers(asking, order->child, 1, order->child[0]);
    asking->barriers->around.n--;
    return body ? order_loop(arena, order->info, isl_union_pw_aff_copy(order->time), body) : order;
}

const struct order *asked_barriers(const struct schedule *schedule, struct barriers *barriers,
                                   const struct order *kernel)
{
    struct asking asking = {schedule, barriers, STATUS_OK};

    if (kernel->kind == ORDER_SEQUENCE)
        kernel = walk(&asking, kernel);
    else
        kernel = with_barriers(&asking, &kernel, 1, kernel);
    return asking.status == STATUS_OK ? kernel : NULL;
}
