#include "plan/device/sync/sync.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "dep/apart.h"
#include "plan/device/kernels.h"
#include "plan/device/places.h"
#include "plan/device/reduce/atomic.h"
#include "plan/device/reduce/lanes.h"
#include "plan/device/sync/asked.h"
#include "plan/device/sync/groups.h"
#include "plan/device/sync/placing.h"
#include "plan/device/sync/waited.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "poly/sample.h"
#include "program/rewrite.h"
#include "program/show.h"
#include "sched/path.h"

#include <isl/space.h>

#include <string.h>

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

/* Where an example is printed. */
struct example {
    const struct program *program;
    struct text pair, params;
};

/* "S[0] and T[1]", " (N = 2)": the smallest of the pairs { S[i] -> T[j] }, as text. */
static isl_stat print_first(__isl_take isl_map *map, void *user)
{
    struct example *example = user;
    struct text *text = &example->pair;
    char name[2][256];
    struct arena *arena = arena_new();
    const int n = (int)isl_map_dim(map, isl_dim_in);
    struct sample sample;

    snprintf(name[0], sizeof(name[0]), "%s", isl_map_get_tuple_name(map, isl_dim_in));
    snprintf(name[1], sizeof(name[1]), "%s", isl_map_get_tuple_name(map, isl_dim_out));
    map = isl_map_intersect_params(map, isl_set_copy(example->program->context));
    isl_set *pairs = isl_map_wrap(map);
    if (!text->size && poly_smallest(arena, isl_set_copy(pairs), &sample)) {
        print_tuple(text, name[0], sample.dim, n);
        text_add(text, " and ");
        print_tuple(text, name[1], sample.dim + n, sample.n_dim - n);
        show_params(&example->params, example->program, &sample, pairs);
    }
    isl_set_free(pairs);
    arena_free(arena);
    return isl_stat_ok;
}

static void refuse(struct sync *sync, const struct conflict *conflict, __isl_keep isl_union_map *pairs,
                   const struct step *step, const char *where, const char *hint)
{
    struct example example = {.program = sync->program};
    struct diag *diag;

    if (sync->status != STATUS_OK)
        return;
    isl_union_map_foreach_map(pairs, print_first, &example);
    diag = diag_error(sync->schedule->diags, "race", step ? step->place : conflict->array->place,
                      "%s use one element of `%s` in different %s, and one of them writes it%s",
                      text_str(&example.pair), conflict->array->name, where, text_str(&example.params));
    diag_hint(sync->schedule->diags, diag, "%s", hint);
    text_free(&example.pair);
    text_free(&example.params);
    sync->status = STATUS_REFUSED;
}

static void refuse_carried(struct sync *sync, const struct order *loop, conflict_pairs carried)
{
    for (int k = 0; k < sync->conflict.n; k++) {
        const struct conflict *conflict = &sync->conflict.list[k];
        isl_union_map *exact;
        if (!conflict_some(conflict, carried[k]))
            continue;
        exact = conflict_exact(sync->program, conflict, isl_union_map_copy(carried[k]));
        refuse(sync, conflict, exact, loop->info->plan->bind_step, "threads",
               "no barrier can keep iterations of one loop in order that run at once");
        isl_union_map_free(exact);
    }
}

static __isl_give isl_multi_union_pw_aff *time_at(const struct order *loop)
{
    return isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
}

static void refuse_blocks(struct sync *sync, const struct order *kernel, const struct conflict *conflict,
                          __isl_keep isl_union_map *pairs)
{
    isl_union_map *other =
        isl_union_map_subtract(isl_union_map_copy(pairs), conflicts_same_block(sync->program, kernel));

    refuse(sync, conflict, other, NULL, "blocks",
           "blocks cannot wait for each other: make two nests of it by `fission`");
    isl_union_map_free(other);
}

/* Pairs of one iteration of the host's loops; those in different blocks are refused. */
static conflict_pairs kernel_pairs(struct sync *sync, const struct order *kernel)
{
    isl_union_map **pairs = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, isl_union_map *);

    for (int k = 0; k < sync->conflict.n; k++) {
        const struct conflict *conflict = &sync->conflict.list[k];
        pairs[k] = conflict->pairs;
        for (int l = 0; l < sync->barriers.around.n; l++)
            pairs[k] = keep(sync, pairs_at_once(isl_union_map_copy(pairs[k]), time_at(sync->barriers.around.at[l])));
        if (conflict->array->memory != MEMORY_SHARED && conflict->places &&
            places_differ(conflict->places, pairs[k], true))
            refuse_blocks(sync, kernel, conflict, pairs[k]);
    }
    return pairs;
}

/* Marks the conflicts of which a pair below order is not separated. */
static void mark_below(struct placing *placing, const struct order *order, conflict_pairs pairs, bool *marked)
{
    const struct conflicts *conflict = placing->conflict;

    if (order->kind == ORDER_LOOP) {
        const struct order *body = order->child[0];
        const struct divided divided = placing_divided(placing, pairs, order);
        mark_below(placing, body, divided.at_once, marked);
        pairs_mark(conflict, pairs_left(conflict, divided.earlier, body, body), marked);
    }
    for (int b = 0; b < order->n_child && order->kind == ORDER_SEQUENCE; b++) {
        const struct order *later = order->child[b];
        mark_below(placing, later, pairs_between(conflict, pairs, later, later), marked);
        for (int a = 0; a < b && !order_is_barrier(later); a++) {
            conflict_pairs own;
            if (order_is_barrier(order->child[a]) || waited_all(conflict, order->child, a, b))
                continue;
            own = pairs_between(conflict, pairs, order->child[a], later);
            own = pairs_leaving(conflict, own, order->child, a, b);
            pairs_mark(conflict, pairs_left(conflict, own, NULL, later), marked);
        }
    }
}

/* Says what a barrier of the kernel is for: what nothing else keeps apart. */
static void tell(struct sync *sync, struct placing *placing, const struct order *kernel, conflict_pairs pairs,
                 struct statement *barrier)
{
    const struct order *others = order_without(sync->arena, kernel, order_leaf_of(kernel, barrier));
    bool *marked = ARENA_ARRAY(sync->arena, sync->conflict.n + 1, bool), any = false;

    mark_below(placing, others, pairs, marked);
    for (int c = 0; c < sync->conflict.n; c++)
        any |= marked[c];
    barrier->barrier = any ? placing_note(placing, marked) : "asked for, nothing needs it";
}

/* Barriers in a kernel that has those that were asked for, the last ones of the list from number `first` on. */
static const struct order *place(struct sync *sync, const struct order *kernel, conflict_pairs pairs, int first)
{
    struct placing placing = {.arena = sync->arena,
                              .gpu = sync->gpu,
                              .conflict = &sync->conflict,
                              .program = sync->program,
                              .barriers = sync->barriers};
    const int last = sync->barriers.list.n;

    for (int k = first; k < last; k++)
        sync->barriers.list.at[k]->waits = placing_has_asynchronous(&placing);
    kernel = placing_fewest(&placing, kernel, pairs);
    sync->barriers = placing.barriers;
    for (int k = first; kernel && k < (placing.starts.n > 0 ? sync->barriers.list.n : last); k++)
        tell(sync, &placing, kernel, pairs, sync->barriers.list.at[k]);
    if (!kernel)
        refuse_carried(sync, placing.at_once, placing.carried);
    return kernel ? groups_leave(&sync->barriers, &sync->conflict, kernel) : NULL;
}

static const struct order *place_kernel(struct sync *sync, const struct order *kernel)
{
    const int first = sync->barriers.list.n;
    conflict_pairs pairs;

    lanes_mark(sync->program, sync->order, kernel);
    atomic_mark(sync->program, kernel);
    sync->conflict = conflicts_find(sync->arena, sync->program, kernel);
    pairs = kernel_pairs(sync, kernel);
    if (sync->status != STATUS_OK)
        return NULL;
    kernel = asked_barriers(sync->schedule, &sync->barriers, kernel);
    if (!kernel)
        sync->status = STATUS_REFUSED;
    return kernel ? place(sync, kernel, pairs, first) : NULL;
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
