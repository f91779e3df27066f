#include "plan/check/lockstep.h"

#include "base/vec.h"
#include "program/program.h"

#include <isl/union_map.h>

struct lockstep {
    const struct schedule *schedule;
    const struct loop_info *info;
    struct lockstep_loops outer;      /* around the place, down to that of info */
    VEC(const struct order *) inside; /* those that go around each statement: that of info first */
};

__isl_give isl_union_map *lockstep_times(const struct lockstep_loops *loops, __isl_take isl_union_set *instances)
{
    isl_union_map *times = NULL;

    for (int k = 0; k < loops->loop.n; k++) {
        isl_union_map *time = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loops->loop.at[k]->time));
        times = times ? isl_union_map_flat_range_product(times, time) : time;
    }
    return isl_union_map_intersect_domain(times, instances);
}

bool lockstep_is_own(const struct program *program, const struct lockstep_loops *loops, const struct order *loop,
                     __isl_keep isl_union_set *instances)
{
    isl_union_map *count = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
    bool own;

    count = isl_union_map_apply_domain(count, lockstep_times(loops, isl_union_set_copy(instances)));
    count = isl_union_map_intersect_params(count, isl_set_copy(program->context));
    own = isl_union_map_is_single_valued(count) == isl_bool_true;
    isl_union_map_free(count);
    return own;
}

/* Has a lane at most one iteration of the loop, its own? */
static bool is_lanes_own(const struct lockstep *lockstep, const struct order *loop)
{
    isl_union_set *instances = order_domain(loop);
    const bool own = lockstep_is_own(lockstep->schedule->program, &lockstep->outer, loop, instances);

    isl_union_set_free(instances);
    return own;
}

static const struct order *with_loops(const struct lockstep *lockstep, const struct order *leaf)
{
    const struct order *order = leaf;

    for (int k = lockstep->inside.n - 1; k >= 0; k--) {
        const struct order *loop = lockstep->inside.at[k];
        order = order_loop(lockstep->schedule->arena, loop->info, isl_union_pw_aff_copy(loop->time), order);
    }
    return order;
}

static const struct order *sunk(struct lockstep *lockstep, const struct order *body)
{
    struct arena *arena = lockstep->schedule->arena;
    const struct order **child = ARENA_ARRAY(arena, body->n_child + 1, const struct order *);
    const struct order *result;
    bool own;

    if (body->kind == ORDER_LEAF)
        return with_loops(lockstep, body);
    own = body->kind == ORDER_LOOP && is_lanes_own(lockstep, body);
    if (own)
        VEC_PUSH(arena, &lockstep->inside, body);
    for (int k = 0; k < body->n_child; k++)
        child[k] = sunk(lockstep, body->child[k]);
    result = own ? child[0] : order_with_children(arena, body, child);
    lockstep->inside.n -= own;
    return result;
}

/* loop, which is that of info, with its statements for all lanes at a time. */
static const struct order *in_lanes(struct lockstep *lockstep, const struct order *loop)
{
    const struct order *result;

    if (loop->child[0]->kind == ORDER_LEAF)
        return loop;
    VEC_PUSH(lockstep->schedule->arena, &lockstep->inside, loop);
    result = sunk(lockstep, loop->child[0]);
    lockstep->inside.n--;
    return result;
}

static const struct order *walk(struct lockstep *lockstep, const struct order *order)
{
    struct arena *arena = lockstep->schedule->arena;
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);
    const bool loop = order->kind == ORDER_LOOP, found = loop && order->info == lockstep->info;
    const struct order *result;
    bool changed = false;

    if (loop)
        VEC_PUSH(arena, &lockstep->outer.loop, order);
    for (int k = 0; k < order->n_child && !found; k++) {
        child[k] = walk(lockstep, order->child[k]);
        changed = changed || child[k] != order->child[k];
    }
    result = found ? in_lanes(lockstep, order) : changed ? order_with_children(arena, order, child) : order;
    lockstep->outer.loop.n -= loop;
    return result;
}

const struct order *lockstep_order(const struct schedule *schedule, const struct order *order,
                                   const struct loop_info *info)
{
    struct lockstep lockstep = {.schedule = schedule, .info = info};

    return walk(&lockstep, order);
}
