#include "plan/device/copies/dealing.h"

#include "plan/device/copies/cooperate.h"
#include "plan/loop_plan.h"

/* The threads that share in the copy. */
static int64_t all_threads(const struct dealing *dealing)
{
    const int64_t along_x = dealing->threads[0];

    return dealing->copies == RUN_OWN ? along_x : along_x * dealing->threads[1] * dealing->threads[2];
}

static const struct order *as_it_was(const struct dealing *dealing, int k, const struct order *body)
{
    const struct order *loop = dealing->loop[k];

    return order_loop(dealing->schedule->arena, loop->info, isl_union_pw_aff_copy(loop->time), body);
}

/* Loop number k bound to axis. dealt: see struct loop_plan. */
static const struct order *bound(const struct dealing *dealing, int k, enum axis axis, int64_t dealt, int64_t weight,
                                 const struct order *body)
{
    struct loop_info *info = cooperate_info(dealing->schedule, dealing->loop[k]->info, axis, dealing->size[k], weight);
    struct loop_plan plan = *info->plan;

    plan.dealt = dealt;
    plan.copies = dealing->copies;
    if (dealing->size[k] == 0)
        plan.size = dealing->extent[k];
    info->plan = ARENA_NEW(dealing->schedule->arena, struct loop_plan);
    *(struct loop_plan *)info->plan = plan;
    return order_loop(dealing->schedule->arena, info, isl_union_pw_aff_copy(dealing->time[k]), body);
}

/* How many axes a block has, x before y before z. */
static int used_axes(const struct dealing *dealing, int axis[3])
{
    int used = 0;

    for (int k = 0; k < 3; k++)
        if (dealing->threads[k] != 1)
            axis[used++] = k;
    return used;
}

/* Does only the launch know the number of threads? */
static bool is_any_number(const struct dealing *dealing)
{
    return dealing->threads[0] == 0 || dealing->threads[1] == 0 || dealing->threads[2] == 0;
}

/* Are columns to go along x, rows along y? */
static bool goes_by_dimension(const struct dealing *dealing)
{
    const int64_t fastest = dealing->size[dealing->slowest[dealing->n - 1]];
    int axis[3];
    const int used = used_axes(dealing, axis);

    if (is_any_number(dealing))
        return true;
    return used > 1 && axis[used - 1] == used - 1 && dealing->copies != RUN_OWN && dealing->n >= used &&
           (fastest == 0 || fastest == dealing->threads[0]);
}

/* Loop number k along axis. */
static const struct order *along(const struct dealing *dealing, int k, int axis, const struct order *body)
{
    const int64_t threads = dealing->threads[axis];
    const int64_t dealt = threads == 0 ? DEALT_TO_ALL : dealing->size[k] == threads ? 0 : threads;

    return bound(dealing, k, (enum axis)(AXIS_THREAD_X + axis), dealt, 1, body);
}

static const struct order *by_dimension(const struct dealing *dealing)
{
    const struct order *order = dealing->leaf;
    int axis[3];
    const int used = used_axes(dealing, axis);

    for (int k = dealing->n - 1; k >= 0; k--) {
        int place = 0;
        while (dealing->slowest[dealing->n - 1 - place] != k)
            place++;
        order = place < used ? along(dealing, k, axis[place], order) : as_it_was(dealing, k, order);
    }
    return order;
}

/* Element after element of the loops from the fastest to the first whose extent is no constant. */
static const struct order *by_number(const struct dealing *dealing)
{
    int64_t *weight = ARENA_ARRAY(dealing->schedule->arena, dealing->n, int64_t), all = 1;
    const struct order *order = dealing->leaf;
    const enum axis row = dealing->copies == RUN_OWN ? AXIS_THREAD_X : AXIS_THREAD;
    bool ended = false;

    for (int place = dealing->n - 1; place >= 0 && !ended; place--) {
        const int k = dealing->slowest[place];
        weight[k] = all;
        ended = dealing->size[k] == 0 || __builtin_mul_overflow(all, dealing->size[k], &all);
    }
    for (int k = dealing->n - 1; k >= 0; k--)
        order = weight[k] == 0                           ? as_it_was(dealing, k, order)
                : weight[k] > 1 || dealing->size[k] != 0 ? bound(dealing, k, AXIS_THREAD, 0, weight[k], order)
                                                         : bound(dealing, k, row, all_threads(dealing), 1, order);
    return order;
}

const struct order *deal_copy(const struct dealing *dealing)
{
    return goes_by_dimension(dealing) ? by_dimension(dealing) : by_number(dealing);
}

bool is_dealt(const struct loop_info *info)
{
    return info->plan && info->plan->dealt != 0;
}
