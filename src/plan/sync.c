#include "plan/sync.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "plan/asked.h"
#include "plan/atomic.h"
#include "plan/barrier.h"
#include "plan/conflict.h"
#include "plan/kernels.h"
#include "plan/lanes.h"
#include "plan/loop_plan.h"
#include "plan/waited.h"
#include "poly/keep.h"
#include "poly/sample.h"
#include "program/rewrite.h"
#include "sched/path.h"
#include "sched/time.h"

#include <isl/space.h>

#include <string.h>

/* The conflicts at a place of the order, n of them as in struct sync. */
typedef isl_union_map *const *pairs_here;

struct sync {
    struct schedule *schedule;
    struct arena *arena;
    const struct gpu *gpu;
    struct program *program;
    const struct order *order; /* without barriers */
    struct barriers barriers;
    struct conflicts conflict; /* of the kernel at hand */
    enum status status;
};

static isl_union_map *keep(const struct sync *sync, __isl_take isl_union_map *map)
{
    return poly_keep_union_map(sync->arena, map);
}

static bool is_empty(__isl_keep isl_union_map *map)
{
    return isl_union_map_is_empty(map) == isl_bool_true;
}

/* "S[0]": a point of { S[i] -> T[j] } at the smallest parameters, as text. */
static isl_stat print_first(__isl_take isl_map *map, void *user)
{
    struct text *text = user;
    char name[2][256];
    struct arena *arena = arena_new();
    const int n = (int)isl_map_dim(map, isl_dim_in);
    struct sample sample;

    snprintf(name[0], sizeof(name[0]), "%s", isl_map_get_tuple_name(map, isl_dim_in));
    snprintf(name[1], sizeof(name[1]), "%s", isl_map_get_tuple_name(map, isl_dim_out));
    if (!text->size && poly_smallest(arena, isl_map_wrap(isl_map_copy(map)), &sample)) {
        print_tuple(text, name[0], sample.dim, n);
        text_add(text, " and ");
        print_tuple(text, name[1], sample.dim + n, sample.n_dim - n);
    }
    isl_map_free(map);
    arena_free(arena);
    return isl_stat_ok;
}

static void refuse(struct sync *sync, const struct conflict *conflict, __isl_keep isl_union_map *pairs,
                   const struct step *step, const char *where, const char *hint)
{
    struct text two = {0};
    struct diag *diag;

    if (sync->status != STATUS_OK)
        return;
    isl_union_map_foreach_map(pairs, print_first, &two);
    diag = diag_error(sync->schedule->diags, "race", step ? step->place : conflict->array->place,
                      "%s use one element of `%s` in different %s, and one of them writes it", text_str(&two),
                      conflict->array->name, where);
    diag_hint(sync->schedule->diags, diag, "%s", hint);
    text_free(&two);
    sync->status = STATUS_REFUSED;
}

static isl_union_map **restricted(const struct sync *sync, pairs_here pairs, __isl_take isl_union_map *to)
{
    isl_union_map **list = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, isl_union_map *);

    for (int k = 0; k < sync->conflict.n; k++)
        list[k] = keep(sync, isl_union_map_intersect(isl_union_map_copy(pairs[k]), isl_union_map_copy(to)));
    isl_union_map_free(to);
    return list;
}

static isl_union_map **between(const struct sync *sync, pairs_here pairs, const struct order *a, const struct order *b)
{
    return restricted(sync, pairs, isl_union_map_from_domain_and_range(order_domain(a), order_domain(b)));
}

/* "A_tile, B_tile" of the conflicts that are marked, of those whose earlier instance writes or does not. */
static const char *array_names(const struct sync *sync, const bool *marked, bool writes)
{
    const char *text = "";

    for (int k = 0; k < sync->conflict.n; k++)
        if (marked[k] && sync->conflict.list[k].writes == writes)
            text = arena_printf(sync->arena, "%s%s%s", text, *text ? ", " : "", sync->conflict.list[k].array->name);
    return text;
}

/* "A_tile, B_tile written; C read before it is overwritten" */
static const char *note_of(const struct sync *sync, const bool *marked)
{
    const char *written = array_names(sync, marked, true), *read = array_names(sync, marked, false);

    return arena_printf(sync->arena, "%s%s%s%s%s", written, *written ? " written" : "", *written && *read ? "; " : "",
                        read, *read ? " read, before the next write" : "");
}

static const struct order *place(struct sync *sync, const struct order *order, pairs_here pairs);

/* Marks the conflicts between child[a] and b, which follows child[last - 1], that nothing separates. */
static bool mark_among(const struct sync *sync, pairs_here pairs, const struct order *const *child, int a, int last,
                       const struct order *b, bool *marked)
{
    bool any = false;

    for (int k = 0; k < sync->conflict.n; k++) {
        const struct conflict *conflict = &sync->conflict.list[k];
        const bool left = !is_empty(pairs[k]) && !waited_among(child, a, last, conflict) &&
                          !waited_between(sync->program, conflict, pairs[k], child[a], b);
        marked[k] |= left;
        any |= left;
    }
    return any;
}

/* Marks the conflicts between a and b that nothing separates. */
static bool mark(const struct sync *sync, pairs_here pairs, const struct order *a, const struct order *b, bool *marked)
{
    return mark_among(sync, pairs, &a, 0, 0, b, marked);
}

static bool has_asynchronous(const struct sync *sync)
{
    for (int k = 0; k < sync->conflict.n; k++)
        if (sync->conflict.list[k].array->asynchronous)
            return true;
    return false;
}

/* The barrier, which is the last one of the list, waits for asynchronous copies where what is marked needs that. */
static const struct order *for_marked(const struct sync *sync, const struct order *barrier, const bool *marked)
{
    struct statement *statement = sync->barriers.list.at[sync->barriers.list.n - 1];

    for (int k = 0; k < sync->conflict.n; k++)
        statement->waits |= marked[k] && !waited_serves(barrier, &sync->conflict.list[k]);
    return barrier;
}

/* The earliest later end first: each barrier serves as many pairs as it can. */
static const struct order *place_sequence(struct sync *sync, const struct order *order, pairs_here pairs)
{
    const int n = order->n_child;
    const struct order **placed = ARENA_ARRAY(sync->arena, 2 * n, const struct order *);
    int *origin = ARENA_ARRAY(sync->arena, 2 * n, int), n_placed = 0;

    for (int b = 0; b < n; b++) {
        const struct order *child =
            place(sync, order->child[b], between(sync, pairs, order->child[b], order->child[b]));
        bool *marked = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, bool), any = false;
        if (!child)
            return NULL;
        for (int a = 0; a < n_placed; a++)
            if (!order_is_barrier(placed[a]) && !waited_all(&sync->conflict, placed, a, n_placed))
                any |= mark_among(sync, between(sync, pairs, order->child[origin[a]], order->child[b]), placed, a,
                                  n_placed, child, marked);
        if (any)
            placed[n_placed++] =
                for_marked(sync, barrier_new_before(&sync->barriers, order, child, note_of(sync, marked)), marked);
        origin[n_placed] = b;
        placed[n_placed++] = child;
    }
    return order_sequence(sync->arena, placed, n_placed);
}

static const struct order *with_barrier_behind(struct sync *sync, const struct order *body, const bool *marked)
{
    const struct order **child = ARENA_ARRAY(sync->arena, body->n_child + 2, const struct order *);
    const bool sequence = body->kind == ORDER_SEQUENCE;
    int n = 0;

    for (int k = 0; sequence && k < body->n_child; k++)
        child[n++] = body->child[k];
    if (!sequence)
        child[n++] = body;
    child[n++] = for_marked(sync, barrier_new(&sync->barriers, body, note_of(sync, marked)), marked);
    return order_sequence(sync->arena, child, n);
}

/* Pairs of iterations a and b of the loop. */
static isl_union_map **between_iterations(const struct sync *sync, const struct order *loop, pairs_here pairs, int a,
                                          int b)
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
    return restricted(sync, pairs, isl_union_map_from_domain_and_range(side[0], side[1]));
}

/* The iterations of a fusing loop are parts one after the other: barriers only between those that need one. */
static const struct order *with_barriers_between(struct sync *sync, const struct order *loop, const struct order *body,
                                                 pairs_here pairs, int n)
{
    const struct order **child = ARENA_ARRAY(sync->arena, n + 1, const struct order *);
    int n_child = 0, passed = 0;

    child[n_child++] = body;
    for (int b = 1; b < n; b++) {
        bool *marked = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, bool), any = false;
        for (int a = passed; a < b; a++)
            any |= mark(sync, between_iterations(sync, loop, pairs, a, b), body, body, marked);
        if (!any)
            continue;
        child[n_child++] = barrier_new_at(&sync->barriers, loop, b - 1, note_of(sync, marked));
        sync->barriers.list.at[sync->barriers.list.n - 1]->waits = has_asynchronous(sync);
        passed = b;
    }
    return order_sequence(sync->arena, child, n_child);
}

/* How many schedules a fusing loop has one after the other; 0: it is none. */
static int fused_parts(const struct sync *sync, const struct order *loop)
{
    isl_union_set *domain;
    isl_aff *last;
    int64_t n = -1;

    if (loop->info->role != ROLE_FUSING || loop_is_bound(loop))
        return 0;
    domain = order_domain(loop);
    last = time_greatest(sync->program, loop->time, domain);
    isl_union_set_free(domain);
    if (!last || !aff_constant(last, &n))
        n = -1;
    isl_aff_free(last);
    return (int)n + 1;
}

static void refuse_carried(struct sync *sync, const struct order *loop, pairs_here carried)
{
    for (int k = 0; k < sync->conflict.n; k++)
        if (!is_empty(carried[k]))
            refuse(sync, &sync->conflict.list[k], carried[k], loop->info->plan->bind_step, "threads",
                   "no barrier can keep iterations of one loop in order that run at once");
}

static const struct order *place_loop(struct sync *sync, const struct order *loop, pairs_here pairs)
{
    isl_union_map **carried = restricted(sync, pairs, conflicts_in_time(loop, true));
    bool *marked = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, bool);
    const int parts = fused_parts(sync, loop);
    const struct order *body;

    VEC_PUSH(sync->arena, &sync->barriers.around, loop);
    body = place(sync, loop->child[0], restricted(sync, pairs, conflicts_in_time(loop, false)));
    if (body && loop_is_bound(loop) && axis_is_thread(loop->info->plan->axis))
        refuse_carried(sync, loop, carried);
    else if (body && parts == 0 && (!loop_is_bound(loop) || loop_walks(sync->gpu, loop)) &&
             mark(sync, carried, body, body, marked))
        body = with_barrier_behind(sync, body, marked);
    sync->barriers.around.n--;
    if (body && parts > 0)
        body = with_barriers_between(sync, loop, body, pairs, parts);
    return body && sync->status == STATUS_OK
               ? order_loop(sync->arena, loop->info, isl_union_pw_aff_copy(loop->time), body)
               : NULL;
}

static const struct order *place(struct sync *sync, const struct order *order, pairs_here pairs)
{
    bool any = false;

    for (int k = 0; k < sync->conflict.n; k++)
        any |= !is_empty(pairs[k]);
    if (!any || order->kind == ORDER_LEAF)
        return order;
    return order->kind == ORDER_SEQUENCE ? place_sequence(sync, order, pairs) : place_loop(sync, order, pairs);
}

/* Pairs of one iteration of the host's loops; those in different blocks are refused. */
static pairs_here kernel_pairs(struct sync *sync, const struct order *kernel)
{
    isl_union_map **pairs = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, isl_union_map *);
    isl_union_map *same = conflicts_same_block(sync->program, kernel);

    for (int k = 0; k < sync->conflict.n; k++) {
        isl_union_map *other;
        pairs[k] = sync->conflict.list[k].pairs;
        for (int l = 0; l < sync->barriers.around.n; l++)
            pairs[k] = keep(sync, isl_union_map_intersect(isl_union_map_copy(pairs[k]),
                                                          conflicts_in_time(sync->barriers.around.at[l], false)));
        other = isl_union_map_subtract(isl_union_map_copy(pairs[k]), isl_union_map_copy(same));
        if (sync->conflict.list[k].array->memory != MEMORY_SHARED && !is_empty(other))
            refuse(sync, &sync->conflict.list[k], other, NULL, "blocks",
                   "blocks cannot wait for each other: make two nests of it by `fission`");
        isl_union_map_free(other);
    }
    isl_union_map_free(same);
    return pairs;
}

/* Marks the conflicts of which a pair below order is not separated. */
static void mark_below(const struct sync *sync, const struct order *order, pairs_here pairs, bool *marked)
{
    if (order->kind == ORDER_LOOP) {
        mark_below(sync, order->child[0], restricted(sync, pairs, conflicts_in_time(order, false)), marked);
        mark(sync, restricted(sync, pairs, conflicts_in_time(order, true)), order->child[0], order->child[0], marked);
    }
    for (int b = 0; b < order->n_child && order->kind == ORDER_SEQUENCE; b++) {
        const struct order *later = order->child[b];
        mark_below(sync, later, between(sync, pairs, later, later), marked);
        for (int a = 0; a < b && !order_is_barrier(later); a++)
            if (!order_is_barrier(order->child[a]) && !waited_all(&sync->conflict, order->child, a, b))
                mark_among(sync, between(sync, pairs, order->child[a], later), order->child, a, b, later, marked);
    }
}

/* What the barriers from number `first` of the list on are for, which steps asked for. */
static void tell_asked(struct sync *sync, const struct order *kernel, pairs_here pairs, int first, int last)
{
    for (int k = first; k < last; k++) {
        struct statement *barrier = sync->barriers.list.at[k];
        bool *marked = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, bool), any = false;
        mark_below(sync, order_without(sync->arena, kernel, order_leaf_of(kernel, barrier)), pairs, marked);
        for (int c = 0; c < sync->conflict.n; c++)
            any |= marked[c];
        barrier->barrier = any ? note_of(sync, marked) : "asked for, nothing needs it";
    }
}

static const struct order *place_kernel(struct sync *sync, const struct order *kernel)
{
    const int first = sync->barriers.list.n;
    pairs_here pairs;
    int last;

    lanes_mark(sync->program, sync->order, kernel);
    atomic_mark(sync->program, kernel);
    sync->conflict = conflicts_find(sync->arena, sync->program, kernel);
    pairs = kernel_pairs(sync, kernel);
    if (sync->status != STATUS_OK)
        return NULL;
    kernel = asked_barriers(sync->schedule, &sync->barriers, kernel);
    if (!kernel)
        sync->status = STATUS_REFUSED;
    last = sync->barriers.list.n;
    for (int k = first; k < last; k++)
        sync->barriers.list.at[k]->waits = has_asynchronous(sync);
    kernel = kernel ? place(sync, kernel, pairs) : NULL;
    if (kernel)
        tell_asked(sync, kernel, pairs, first, last);
    return kernel;
}

static const struct order *walk(struct sync *sync, const struct order *part)
{
    const struct order **child;

    if (!kernels_is_hosts(part))
        return place_kernel(sync, part);
    child = ARENA_ARRAY(sync->arena, part->n_child, const struct order *);
    if (part->kind == ORDER_LOOP) {
        sync->status = asked_of_host(sync->schedule, part);
        VEC_PUSH(sync->arena, &sync->barriers.around, part);
    }
    for (int k = 0; k < part->n_child; k++) {
        child[k] = sync->status == STATUS_OK ? walk(sync, part->child[k]) : NULL;
        if (!child[k])
            return NULL;
    }
    sync->barriers.around.n -= part->kind == ORDER_LOOP;
    return order_with_children(sync->arena, part, child);
}

enum status sync_insert(struct schedule *schedule, const struct program **program, const struct order **order)
{
    struct sync sync = {.schedule = schedule,
                        .arena = schedule->arena,
                        .order = *order,
                        .gpu = gpu_by_language((*program)->target.language)};
    struct kernels parts;

    if (!sync.gpu)
        return STATUS_OK;
    sync.program = ARENA_NEW(schedule->arena, struct program);
    *sync.program = **program;
    sync.barriers = (struct barriers){.arena = schedule->arena, .program = sync.program};
    parts = kernels_parts(schedule->arena, *order);
    for (int k = 0; k < parts.n; k++) {
        parts.list[k] = walk(&sync, parts.list[k]);
        if (!parts.list[k])
            return sync.status;
    }
    *program = sync.program;
    *order = barriers_with_times(&sync.barriers, order_sequence(schedule->arena, parts.list, parts.n), 0);
    return STATUS_OK;
}
