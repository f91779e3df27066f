#include "plan/device/sync/groups.h"

#include "dep/apart.h"
#include "plan/loop_plan.h"
#include "program/rewrite.h"
#include "sched/time.h"

#include <isl/space.h>

/* The largest number of groups that a barrier leaves: a ring of 16 buffers, the most there may be, needs 14. */
enum { MOST_GROUPS = 14 };

struct leaving {
    struct barriers *barriers;
    const struct conflicts *conflict;
};

/* The asynchronous copies below order. */
static __isl_give isl_union_set *copies_below(const struct leaving *leaving, const struct order *order)
{
    isl_union_set *copies = isl_union_set_empty(program_params_space(leaving->barriers->program));

    if (order->kind == ORDER_LEAF && order->statement->asynchronous)
        return isl_union_set_add_set(copies, isl_set_copy(order->domain));
    for (int k = 0; k < order->n_child; k++)
        copies = isl_union_set_union(copies, copies_below(leaving, order->child[k]));
    return copies;
}

static bool writes_below(const struct order *order, const struct array *array)
{
    bool writes = order->kind == ORDER_LEAF && order->statement->n_access > 0 && order->statement->access[0].write &&
                  order->statement->access[0].array == array;

    for (int k = 0; k < order->n_child && !writes; k++)
        writes = writes_below(order->child[k], array);
    return writes;
}

/* Does the kernel write what the asynchronous copies below order read? */
static bool writes_sources(const struct order *kernel, const struct order *order)
{
    bool writes = order->kind == ORDER_LEAF && order->statement->asynchronous &&
                  writes_below(kernel, order->statement->access[1].array);

    for (int k = 0; k < order->n_child && !writes; k++)
        writes = writes_sources(kernel, order->child[k]);
    return writes;
}

static int waiting_below(const struct order *order)
{
    int n = order_is_barrier(order) && order->statement->waits ? 1 : 0;

    for (int k = 0; k < order->n_child; k++)
        n += waiting_below(order->child[k]);
    return n;
}

/* The barrier at the start, or the end, of each iteration that alone waits in the loop; NULL: it has none. */
static struct statement *lone_wait(const struct leaving *leaving, const struct order *loop)
{
    const struct order *body = loop->child[0], *child;

    if (loop_is_bound(loop) || loop->info->role == ROLE_FUSING || body->kind != ORDER_SEQUENCE ||
        waiting_below(body) != 1)
        return NULL;
    for (int k = 0; k < body->n_child; k += body->n_child - 1) {
        child = body->child[k];
        for (int b = 0; order_is_barrier(child) && b < leaving->barriers->list.n; b++) {
            struct statement *barrier = leaving->barriers->list.at[b];
            if (barrier == child->statement && barrier->waits && !barrier->sometimes)
                return barrier;
        }
    }
    return NULL;
}

/* Is all of a block in one iteration of the loop at a time? */
static bool is_common(const struct order *loop)
{
    return !loop_is_bound(loop) || !axis_is_thread(loop->info->plan->axis);
}

static __isl_give isl_union_map *time_map(const struct order *loop)
{
    return isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
}

/* Is what an iteration of the loop copies needed by none of those less than `distance` counts later? Nothing in the
 * iteration itself needs it, as nothing waits there. */
static bool are_far(const struct leaving *leaving, const struct order *loop, __isl_keep isl_union_set *copies,
                    int64_t distance)
{
    isl_union_map *time = time_map(loop), *near, *pairs;
    isl_space *count = isl_space_add_dims(isl_space_set_from_params(isl_union_map_get_space(time)), isl_dim_set, 1);
    const struct barriers *barriers = leaving->barriers;
    bool far = true;

    near = isl_union_map_from_map(time_apart(count, 1, distance - 1));
    near = isl_union_map_apply_range(isl_union_map_copy(time), near);
    near = isl_union_map_apply_range(near, isl_union_map_reverse(time));
    near = isl_union_map_intersect_domain(near, isl_union_set_copy(copies));
    for (int k = 0; k < leaving->conflict->n && far; k++) {
        const struct conflict *conflict = &leaving->conflict->list[k];
        if (!conflict->array->asynchronous || !conflict->writes)
            continue;
        pairs = isl_union_map_intersect(isl_union_map_copy(conflict->pairs), isl_union_map_copy(near));
        for (int l = 0; l < barriers->around.n; l++)
            if (is_common(barriers->around.at[l]))
                pairs = pairs_at_once(pairs, isl_multi_union_pw_aff_from_union_pw_aff(
                                                 isl_union_pw_aff_copy(barriers->around.at[l]->time)));
        far = !conflict_some(conflict, pairs);
        isl_union_map_free(pairs);
    }
    isl_union_map_free(near);
    return far;
}

/* { S[i,j] -> [t0,..,t] }: the iterations of the loop and those around that threads of a block have in common. */
static __isl_give isl_union_map *common_time(const struct leaving *leaving, const struct order *loop)
{
    isl_union_map *time = time_map(loop);

    for (int l = leaving->barriers->around.n - 1; l >= 0; l--) {
        const struct order *around = leaving->barriers->around.at[l];
        if (is_common(around))
            time = isl_union_map_flat_range_product(time_map(around), time);
    }
    return time;
}

/* Is there an iteration `distance` counts after each that copies? Its barrier waits for these copies. */
static bool are_waited_for(const struct leaving *leaving, const struct order *loop, __isl_keep isl_union_set *copies,
                           int64_t distance)
{
    isl_union_map *time = common_time(leaving, loop);
    isl_set *all = isl_set_from_union_set(isl_union_set_apply(order_domain(loop), isl_union_map_copy(time)));
    isl_set *later = isl_set_from_union_set(isl_union_set_apply(isl_union_set_copy(copies), time));
    const int last = (int)isl_set_dim(later, isl_dim_set) - 1;
    isl_multi_aff *shift = isl_multi_aff_identity_on_domain_space(isl_set_get_space(later));
    isl_aff *aff = isl_multi_aff_get_aff(shift, last);
    bool waited;

    shift = isl_multi_aff_set_aff(shift, last,
                                  isl_aff_add_constant_val(aff, isl_val_int_from_si(isl_aff_get_ctx(aff), distance)));
    later = isl_set_apply(later, isl_map_from_multi_aff(shift));
    waited = isl_set_is_subset(later, all) == isl_bool_true;
    isl_set_free(later);
    isl_set_free(all);
    return waited;
}

/* The number of groups that the loop's barrier may leave. */
static int groups_left(const struct leaving *leaving, const struct order *loop)
{
    isl_union_set *copies = copies_below(leaving, loop);
    int n = 0;

    while (n < MOST_GROUPS && isl_union_set_is_empty(copies) == isl_bool_false &&
           are_far(leaving, loop, copies, (n + 2) * loop->info->unit))
        n++;
    while (n > 0 && !are_waited_for(leaving, loop, copies, (n + 1) * loop->info->unit))
        n--;
    isl_union_set_free(copies);
    return n;
}

/* The loop, with n groups closed in front of it. */
static const struct order *closed_before(const struct leaving *leaving, const struct order *loop, int n)
{
    const struct order *part[2] = {barrier_new(leaving->barriers, loop, "what was copied so far"), loop};
    struct statement *closing = leaving->barriers->list.at[leaving->barriers->list.n - 1];

    closing->lone = true;
    closing->prior = n;
    return order_sequence(leaving->barriers->arena, part, 2);
}

static const struct order *walk(const struct leaving *leaving, const struct order *order)
{
    const struct order **child = ARENA_ARRAY(leaving->barriers->arena, order->n_child + 1, const struct order *);
    struct statement *barrier = order->kind == ORDER_LOOP ? lone_wait(leaving, order) : NULL;
    const int n = barrier ? groups_left(leaving, order) : 0;

    if (n > 0) {
        barrier->prior = n;
        return closed_before(leaving, order, n);
    }
    if (order->kind == ORDER_LOOP)
        VEC_PUSH(leaving->barriers->arena, &leaving->barriers->around, order);
    for (int k = 0; k < order->n_child; k++)
        child[k] = walk(leaving, order->child[k]);
    leaving->barriers->around.n -= order->kind == ORDER_LOOP;
    return order_with_children(leaving->barriers->arena, order, child);
}

const struct order *groups_leave(struct barriers *barriers, const struct conflicts *conflict,
                                 const struct order *kernel)
{
    const struct leaving leaving = {barriers, conflict};

    return waiting_below(kernel) > 0 && !writes_sources(kernel, kernel) ? walk(&leaving, kernel) : kernel;
}
