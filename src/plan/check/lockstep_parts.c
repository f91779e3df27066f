#include "plan/check/lockstep_parts.h"

#include "plan/check/lockstep.h"
#include "program/program.h"

#include <isl/union_map.h>

struct search {
    const struct schedule *schedule;
    const struct loop_info *info;
    const struct order *order;
    struct lockstep_loops outer; /* around the place */
    bool inside;                 /* of the loop of info */
    struct lockstep_parts parts;
};

/* The statements of one loop, by how many iterations a lane has. */
struct division {
    VEC(isl_union_set *) own; /* one: sets of instances, in each of which it is the same for all */
    isl_union_set *staying;   /* several */
};

/* order with these instances only; NULL: none is left. */
static const struct order *only(struct arena *arena, const struct order *order, __isl_keep isl_union_set *kept)
{
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);
    int n = 0;

    if (order->kind == ORDER_LEAF) {
        isl_set *domain = isl_union_set_extract_set(kept, isl_set_get_space(order->domain));
        domain = isl_set_intersect(domain, isl_set_copy(order->domain));
        if (isl_set_is_empty(domain) == isl_bool_false)
            return order_leaf(arena, order->statement, domain);
        isl_set_free(domain);
        return NULL;
    }
    for (int k = 0; k < order->n_child; k++) {
        child[n] = only(arena, order->child[k], kept);
        n += child[n] != NULL;
    }
    if (order->kind == ORDER_SEQUENCE && n > 0)
        return order_sequence(arena, child, n);
    return n > 0 ? order_with_children(arena, order, child) : NULL;
}

static void divide(struct search *search, const struct order *loop, const struct order *body, struct division *division)
{
    const struct program *program = search->schedule->program;
    isl_union_set *domain, *both;

    for (int k = 0; k < body->n_child; k++)
        divide(search, loop, body->child[k], division);
    if (body->kind != ORDER_LEAF)
        return;
    domain = order_domain(body);
    if (!lockstep_is_own(program, &search->outer, loop, domain)) {
        division->staying = isl_union_set_union(division->staying, domain);
        return;
    }
    for (int k = 0; k < division->own.n; k++) {
        both = isl_union_set_union(isl_union_set_copy(division->own.at[k]), isl_union_set_copy(domain));
        if (lockstep_is_own(program, &search->outer, loop, both)) {
            isl_union_set_free(domain);
            isl_union_set_free(division->own.at[k]);
            division->own.at[k] = both;
            return;
        }
        isl_union_set_free(both);
    }
    VEC_PUSH(search->schedule->arena, &division->own, domain);
}

/* Less what runs in an iteration of the loop that one of the others has, too. */
static __isl_give isl_union_set *leaving(const struct search *search, const struct order *loop,
                                         __isl_take isl_union_set *own, __isl_keep isl_union_set *staying)
{
    isl_union_map *times = lockstep_times(&search->outer, order_domain(loop)), *shared;
    isl_union_map *count = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));

    times = isl_union_map_flat_range_product(times, count);
    shared = isl_union_map_intersect_domain(isl_union_map_copy(times), isl_union_set_copy(staying));
    times = isl_union_map_intersect_range(times, isl_union_map_range(shared));
    return isl_union_set_subtract(own, isl_union_map_domain(times));
}

static void part_loop(struct search *search, const struct order *loop)
{
    struct arena *arena = search->schedule->arena;
    struct division division = {.staying = isl_union_set_empty(isl_set_get_space(search->schedule->program->context))};
    const struct order *part;

    divide(search, loop, loop->child[0], &division);
    const bool all = division.own.n == 1 && isl_union_set_is_empty(division.staying) == isl_bool_true;
    for (int k = 0; k < division.own.n; k++) {
        isl_union_set *kept = leaving(search, loop, division.own.at[k], division.staying);
        part = all ? NULL : only(arena, search->order, kept);
        if (part)
            VEC_PUSH(arena, &search->parts.order, part);
        isl_union_set_free(kept);
    }
    isl_union_set_free(division.staying);
}

static void walk(struct search *search, const struct order *order)
{
    const bool loop = order->kind == ORDER_LOOP, found = loop && order->info == search->info;

    if (loop && search->inside && order->child[0]->kind != ORDER_LEAF)
        part_loop(search, order);
    if (loop)
        VEC_PUSH(search->schedule->arena, &search->outer.loop, order);
    search->inside = search->inside || found;
    for (int k = 0; k < order->n_child; k++)
        walk(search, order->child[k]);
    search->inside = search->inside && !found;
    search->outer.loop.n -= loop;
}

struct lockstep_parts lockstep_parts(const struct schedule *schedule, const struct order *order,
                                     const struct loop_info *info)
{
    struct search search = {.schedule = schedule, .info = info, .order = order};

    walk(&search, order);
    return search.parts;
}
