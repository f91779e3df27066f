#include "plan/device/sync/placing.h"

#include "caps/gpu.h"
#include "plan/device/sync/waited.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "poly/number.h"
#include "program/rewrite.h"
#include "sched/time.h"

#include <isl/ilp.h>
#include <isl/space.h>

static const struct order *place(struct placing *placing, const struct order *order, conflict_pairs pairs,
                                 conflict_pairs arriving);

struct divided placing_divided(struct placing *placing, conflict_pairs pairs, const struct order *loop)
{
    struct divided divided = {pairs, loop->time, NULL, NULL};

    for (int k = 0; k < placing->divided.n; k++)
        if (placing->divided.at[k].pairs == pairs && placing->divided.at[k].time == loop->time)
            return placing->divided.at[k];
    pairs_divide(placing->conflict, pairs, loop->time, &divided.earlier, &divided.at_once);
    VEC_PUSH(placing->arena, &placing->divided, divided);
    return divided;
}

static conflict_pairs between(struct placing *placing, conflict_pairs pairs, const struct order *a,
                              const struct order *b)
{
    struct parted parted = {pairs, a, b, NULL};

    for (int k = 0; k < placing->parted.n; k++)
        if (placing->parted.at[k].pairs == pairs && placing->parted.at[k].a == a && placing->parted.at[k].b == b)
            return placing->parted.at[k].between;
    parted.between = pairs_between(placing->conflict, pairs, a, b);
    VEC_PUSH(placing->arena, &placing->parted, parted);
    return parted.between;
}

static bool *new_marks(const struct placing *placing)
{
    return ARENA_ARRAY(placing->arena, placing->conflict->n + 1, bool);
}

/* Is there a conflict of the same name with others? It follows the own one. */
static bool is_named_again(const struct placing *placing, const bool *marked, int k)
{
    const struct conflict *list = placing->conflict->list;

    return list[k].own && k + 1 < placing->conflict->n && list[k + 1].array == list[k].array && list[k + 1].writes &&
           marked[k + 1];
}

/* "A_tile, B_tile" of the conflicts that are marked, of those whose earlier instance writes or does not. */
static const char *array_names(const struct placing *placing, const bool *marked, bool writes)
{
    const struct conflict *list = placing->conflict->list;
    const char *text = "";

    for (int k = 0; k < placing->conflict->n; k++)
        if (marked[k] && list[k].writes == writes && !is_named_again(placing, marked, k))
            text = arena_printf(placing->arena, "%s%s%s", text, *text ? ", " : "", list[k].array->name);
    return text;
}

const char *placing_note(const struct placing *placing, const bool *marked)
{
    const char *written = array_names(placing, marked, true), *read = array_names(placing, marked, false);

    return arena_printf(placing->arena, "%s%s%s%s%s", written, *written ? " written" : "",
                        *written && *read ? "; " : "", read, *read ? " read, before the next write" : "");
}

bool placing_has_asynchronous(const struct placing *placing)
{
    for (int k = 0; k < placing->conflict->n; k++)
        if (placing->conflict->list[k].array->asynchronous)
            return true;
    return false;
}

/* The barrier, which is the last one of the list, waits for asynchronous copies where what is marked needs that, and
 * for nothing else where that is all. */
static const struct order *for_marked(const struct placing *placing, const struct order *barrier, const bool *marked)
{
    struct statement *statement = placing->barriers.list.at[placing->barriers.list.n - 1];
    bool lone = true;

    for (int k = 0; k < placing->conflict->n; k++) {
        statement->waits |= marked[k] && !waited_serves(barrier, &placing->conflict->list[k]);
        lone &= !marked[k] || placing->conflict->list[k].own;
    }
    statement->lone = lone;
    return barrier;
}

/* Children of an order one after the other, with the barriers between them so far. */
struct row {
    const struct order *const *child;
    const struct order **placed;
    int *origin; /* which child a placed one is */
    int n_placed;
};

/* The pairs to child b from those before it, and from what runs before them all, that nothing so far separates. */
static conflict_pairs arriving_at(struct placing *placing, const struct row *row, int b, conflict_pairs pairs,
                                  conflict_pairs arriving)
{
    const struct conflicts *conflict = placing->conflict;
    isl_union_map **all = ARENA_ARRAY(placing->arena, conflict->n + 1, isl_union_map *);
    conflict_pairs left = all;

    for (int k = 0; k < conflict->n; k++)
        all[k] = waited_among(row->placed, 0, row->n_placed, &conflict->list[k])
                     ? isl_union_map_empty(isl_union_map_get_space(arriving[k]))
                     : isl_union_map_intersect_range(isl_union_map_copy(arriving[k]), order_domain(row->child[b]));
    for (int k = 0; k < conflict->n; k++)
        poly_keep_union_map(placing->arena, all[k]);
    for (int a = 0; a < row->n_placed; a++) {
        conflict_pairs own;
        if (order_is_barrier(row->placed[a]) || waited_all(conflict, row->placed, a, row->n_placed))
            continue;
        own = between(placing, pairs, row->child[row->origin[a]], row->child[b]);
        left = pairs_joined(conflict, left, pairs_leaving(conflict, own, row->placed, a, row->n_placed));
    }
    return left;
}

/* Marks what the parts of the call that child b is one of, which follow it, have to wait for, as a call stays in one
 * piece. False: there is nothing. */
static bool mark_call(struct placing *placing, const struct row *row, int b, int n, conflict_pairs pairs,
                      conflict_pairs arriving, bool *marked)
{
    const struct conflicts *conflict = placing->conflict;
    const struct call *call = order_first_statement(row->child[b])->call;
    bool any = false;

    for (int k = b + 1; call && k < n && order_first_statement(row->child[k])->call == call; k++) {
        const conflict_pairs own = arriving_at(placing, row, k, pairs, arriving);
        any |= pairs_mark(conflict, pairs_left(conflict, own, NULL, row->child[k]), marked);
    }
    return any;
}

/* A barrier for the conflicts that are marked, where something of order runs. Of fused nests only those have it that
 * later ends of the pairs are of, and the part, if any. */
static const struct order *new_barrier(struct placing *placing, const struct order *order, conflict_pairs pairs,
                                       const struct order *part, const bool *marked)
{
    const char *note = placing_note(placing, marked);
    isl_union_set *later;

    if (!barriers_are_fused(&placing->barriers))
        return for_marked(placing, barrier_new(&placing->barriers, order, note), marked);
    later = pairs_later(placing->conflict, pairs);
    if (part)
        later = isl_union_set_union(later, order_domain(part));
    return for_marked(placing, barrier_new_for(&placing->barriers, order, later, note), marked);
}

/* The earliest later end first: each barrier serves as many pairs as it can. */
static const struct order *place_row(struct placing *placing, const struct order *order,
                                     const struct order *const *child, int n, conflict_pairs pairs,
                                     conflict_pairs arriving)
{
    const struct conflicts *conflict = placing->conflict;
    struct row row = {child, ARENA_ARRAY(placing->arena, 2 * n, const struct order *),
                      ARENA_ARRAY(placing->arena, 2 * n, int), 0};
    const struct call *waited = NULL; /* a barrier is in front of all of its parts */

    for (int b = 0; b < n; b++) {
        conflict_pairs before = arriving_at(placing, &row, b, pairs, arriving);
        const struct order *placed = place(placing, child[b], between(placing, pairs, child[b], child[b]), before);
        const struct call *call = order_call(child[b]);
        const bool goes_on = call && call == waited && order_first_statement(child[b])->part > 0;
        bool *marked = new_marks(placing);
        const bool call_waits = mark_call(placing, &row, b, n, pairs, arriving, marked);
        conflict_pairs left;
        if (!placed)
            return NULL;
        left = pairs_left(conflict, before, NULL, placed);
        if ((pairs_mark(conflict, left, marked) || call_waits) && !goes_on) {
            waited = call;
            row.placed[row.n_placed++] = new_barrier(placing, order, left, call_waits ? placed : NULL, marked);
        }
        row.origin[row.n_placed] = b;
        row.placed[row.n_placed++] = placed;
    }
    return order_sequence(placing->arena, row.placed, row.n_placed);
}

/* The loop's body with a barrier at its end between iterations of which these are pairs. */
static const struct order *with_barrier_behind(struct placing *placing, const struct order *body,
                                               conflict_pairs carried, const bool *marked)
{
    const struct order **child = ARENA_ARRAY(placing->arena, body->n_child + 2, const struct order *);
    const bool sequence = body->kind == ORDER_SEQUENCE;
    int n = 0;

    for (int k = 0; sequence && k < body->n_child; k++)
        child[n++] = body->child[k];
    if (!sequence)
        child[n++] = body;
    child[n++] = new_barrier(placing, body, carried, NULL, marked);
    return order_sequence(placing->arena, child, n);
}

/* Pairs of iterations a and b of the loop. */
static conflict_pairs between_iterations(const struct placing *placing, const struct order *loop, conflict_pairs pairs,
                                         int a, int b)
{
    isl_union_map *time = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
    isl_space *space = isl_space_add_dims(isl_space_set_from_params(isl_union_map_get_space(time)), isl_dim_set, 1);
    isl_union_set *side[2];

    for (int k = 0; k < 2; k++) {
        isl_set *count = isl_set_fix_si(isl_set_universe(isl_space_copy(space)), isl_dim_set, 0, k ? b : a);
        side[k] = isl_union_map_domain(
            isl_union_map_intersect_range(isl_union_map_copy(time), isl_union_set_from_set(count)));
    }
    isl_space_free(space);
    isl_union_map_free(time);
    return pairs_within(placing->conflict, pairs, isl_union_map_from_domain_and_range(side[0], side[1]));
}

/* Marks the conflicts between part b of a fusing loop and earlier ones that no barrier is between: since[k] is the
 * part that the last one for conflict k is in front of. */
static bool mark_between(const struct placing *placing, const struct order *loop, const struct order *body,
                         conflict_pairs pairs, const int *since, int b, bool *marked)
{
    bool any = false;

    for (int a = 0; a < b; a++) {
        conflict_pairs own = between_iterations(placing, loop, pairs, a, b);
        bool *met = new_marks(placing);
        pairs_mark(placing->conflict, pairs_left(placing->conflict, own, body, body), met);
        for (int k = 0; k < placing->conflict->n; k++) {
            marked[k] = marked[k] || (met[k] && since[k] <= a);
            any = any || marked[k];
        }
    }
    return any;
}

/* The iterations of a fusing loop are parts one after the other: barriers only between those that need one. */
static const struct order *with_barriers_between(struct placing *placing, const struct order *loop,
                                                 const struct order *body, conflict_pairs pairs, int n)
{
    const struct order **child = ARENA_ARRAY(placing->arena, n + 1, const struct order *), *barrier;
    int *since = ARENA_ARRAY(placing->arena, placing->conflict->n + 1, int), n_child = 0;

    child[n_child++] = body;
    for (int b = 1; b < n; b++) {
        bool *marked = new_marks(placing);
        if (!mark_between(placing, loop, body, pairs, since, b, marked))
            continue;
        barrier = barrier_new_at(&placing->barriers, loop, b - 1, placing_note(placing, marked));
        child[n_child++] = for_marked(placing, barrier, marked);
        for (int k = 0; k < placing->conflict->n; k++)
            since[k] = waited_serves(barrier, &placing->conflict->list[k]) ? b : since[k];
    }
    return order_sequence(placing->arena, child, n_child);
}

/* How many schedules a fusing loop has one after the other, of which some have no instance at some sizes; 0: it is
 * none. */
static int fused_parts(const struct order *loop)
{
    isl_union_map *time;
    isl_set *counts;
    int64_t last;

    if (loop->info->role != ROLE_FUSING || loop_is_bound(loop))
        return 0;
    time = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
    counts = isl_set_from_union_set(isl_union_set_apply(order_domain(loop), time));
    return poly_number(isl_set_dim_max_val(counts, 0), &last) ? (int)last + 1 : 0;
}

/* The loop's body, in which each iteration waits for all before it, and for those of which `arriving` are pairs. */
static const struct order *place_at_start(struct placing *placing, const struct order *body, conflict_pairs pairs,
                                          conflict_pairs arriving)
{
    if (body->kind == ORDER_SEQUENCE)
        return place_row(placing, body, body->child, body->n_child, pairs, arriving);
    return place_row(placing, body, &body, 1, pairs, arriving);
}

static bool waits_at_start(const struct placing *placing, const struct order *loop)
{
    for (int k = 0; k < placing->starts.n; k++)
        if (placing->starts.at[k] == loop)
            return true;
    return false;
}

/* The loop's body, with a barrier at its end where iterations need one. */
static const struct order *place_at_end(struct placing *placing, const struct order *loop, conflict_pairs pairs,
                                        conflict_pairs carried)
{
    const struct conflicts *conflict = placing->conflict;
    const struct order *body = place(placing, loop->child[0], pairs, pairs_none(conflict));
    bool *marked = new_marks(placing);
    conflict_pairs left;

    if (!body || (loop_is_bound(loop) && !loop_walks(placing->gpu, loop)))
        return body;
    left = pairs_left(conflict, carried, body, body);
    if (!pairs_mark(conflict, left, marked))
        return body;
    VEC_PUSH(placing->arena, &placing->ends, loop);
    return with_barrier_behind(placing, body, left, marked);
}

/* Barriers cannot keep apart what runs at once. */
static bool check_carried(struct placing *placing, const struct order *loop, conflict_pairs carried)
{
    if (!loop_is_bound(loop) || !axis_is_thread(loop->info->plan->axis) ||
        !pairs_mark(placing->conflict, carried, new_marks(placing)))
        return true;
    placing->at_once = loop;
    placing->carried = carried;
    return false;
}

/* How many loops directly inside each other, of which this is the outermost, are one loop on an axis. */
static int bound_as_one(const struct order *loop)
{
    return loop_is_bound(loop) && loop->info->tuple > 1 ? loop->info->tuple : 1;
}

/* body in the loops from `loop` to `innermost`, which are directly inside each other. */
static const struct order *in_loops(const struct placing *placing, const struct order *loop,
                                    const struct order *innermost, const struct order *body)
{
    if (loop != innermost)
        body = in_loops(placing, loop->child[0], innermost, body);
    return order_loop(placing->arena, loop->info, isl_union_pw_aff_copy(loop->time), body);
}

static const struct order *place_loop(struct placing *placing, const struct order *loop, conflict_pairs pairs,
                                      conflict_pairs arriving)
{
    const struct conflicts *conflict = placing->conflict;
    conflict_pairs carried = pairs_none(conflict), within = pairs;
    const int parts = fused_parts(loop), n = bound_as_one(loop);
    const struct order *body, *innermost = loop;

    for (int k = 0; k < n; k++) {
        struct divided parts_of;
        innermost = k ? innermost->child[0] : loop;
        parts_of = placing_divided(placing, within, innermost);
        within = parts_of.at_once;
        carried = pairs_joined(conflict, carried, parts_of.earlier);
        VEC_PUSH(placing->arena, &placing->barriers.around, innermost);
    }
    if (waits_at_start(placing, innermost))
        body = place_at_start(placing, innermost->child[0], within, pairs_joined(conflict, arriving, carried));
    else if (parts > 0)
        body = place(placing, innermost->child[0], within, pairs_none(conflict));
    else
        body = place_at_end(placing, innermost, within, carried);
    placing->barriers.around.n -= n;
    if (!body || !check_carried(placing, loop, carried))
        return NULL;
    if (parts > 0)
        body = with_barriers_between(placing, loop, body, pairs, parts);
    return in_loops(placing, loop, innermost, body);
}

/* order with barriers between the pairs and, in a loop that waits at its start, between those that arrive from what
 * runs before it. */
static const struct order *place(struct placing *placing, const struct order *order, conflict_pairs pairs,
                                 conflict_pairs arriving)
{
    if (order->kind == ORDER_LEAF || !pairs_mark(placing->conflict, pairs, new_marks(placing)))
        return order;
    if (order->kind == ORDER_LOOP)
        return place_loop(placing, order, pairs, arriving);
    return place_row(placing, order, order->child, order->n_child, pairs, pairs_none(placing->conflict));
}

/* What came of it. */
struct attempt {
    const struct order *order; /* NULL: there is a loop `at_once` */
    struct program program;
    struct barriers barriers;
};

/* The kernel with barriers beside those of `before`. */
static struct attempt attempt(struct placing *placing, const struct order *kernel, conflict_pairs pairs,
                              const struct attempt *before)
{
    struct attempt result;

    *placing->program = before->program;
    placing->barriers = before->barriers;
    placing->barriers.list.at = NULL;
    placing->barriers.list.n = placing->barriers.list.capacity = 0;
    for (int k = 0; k < before->barriers.list.n; k++)
        VEC_PUSH(placing->arena, &placing->barriers.list, before->barriers.list.at[k]);
    placing->ends.n = 0;
    result.order = place(placing, kernel, pairs, pairs_none(placing->conflict));
    result.program = *placing->program;
    result.barriers = placing->barriers;
    return result;
}

const struct order *placing_fewest(struct placing *placing, const struct order *kernel, conflict_pairs pairs)
{
    const struct attempt before = {kernel, *placing->program, placing->barriers};
    struct attempt best = attempt(placing, kernel, pairs, &before), other;
    const struct order **end = ARENA_ARRAY(placing->arena, placing->ends.n + 1, const struct order *);
    const int n = best.order ? placing->ends.n : 0;

    for (int k = 0; k < n; k++)
        end[k] = placing->ends.at[k];
    for (int k = 0; k < n; k++) {
        VEC_PUSH(placing->arena, &placing->starts, end[k]);
        other = attempt(placing, kernel, pairs, &before);
        if (other.barriers.list.n < best.barriers.list.n)
            best = other;
        else
            placing->starts.n--;
    }
    *placing->program = best.program;
    placing->barriers = best.barriers;
    return best.order;
}
