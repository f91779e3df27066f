/* simple_compute_at: what computes an array moves under a loop of another nest with the same outer loops (CINN's
 * SimpleComputeAt). The first n loops of both pair by position and must have equal ranges; nothing is computed more
 * often, nothing shrinks, and the target need not read the array.
 */
#include "poly/keep.h"
#include "sched/graft.h"

#include <isl/space.h>

#include <stdlib.h>

struct pairing {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    bool *member;             /* the statements that write the array, by index */
    const struct order *part; /* where they run now */
    struct loop_ref ref;      /* the target loop */
    struct path path;         /* from the root to it */
    isl_union_pw_aff **time;  /* of what moves, on the path's loops */
};

static enum status refuse(const struct pairing *pairing, const char *key, const char *text)
{
    return edit_refuse(pairing->schedule, step_place(pairing->step, key), "simple_compute_at", NULL,
                       "`%s` cannot be computed at `%s`: %s", step_string(pairing->step, "simple_compute_at", ""),
                       step_string(pairing->step, "loop", ""), text);
}

static enum status find_part(struct pairing *pairing)
{
    const struct program *program = pairing->schedule->program;
    const char *name = step_string(pairing->step, "simple_compute_at", "");

    pairing->array = program_array(program, name);
    if (!pairing->array)
        return edit_no_array(pairing->schedule, step_place(pairing->step, "simple_compute_at"), name);
    pairing->member = ARENA_ARRAY(pairing->schedule->arena, program->n_statement + 1, bool);
    for (int s = 0; s < program->n_statement; s++)
        pairing->member[s] = program->statement[s]->target->array == pairing->array;
    pairing->part = graft_find(pairing->schedule->order, pairing->member);
    if (!pairing->part)
        return refuse(pairing, "simple_compute_at", "the statements that compute it do not stand by themselves");
    return STATUS_OK;
}

static enum status find_target(struct pairing *pairing)
{
    const struct order *node;

    if (!edit_loop_argument(pairing->schedule, pairing->step, "loop", &pairing->ref) ||
        !edit_is_single(pairing->schedule, &pairing->ref, "compute at"))
        return STATUS_REFUSED;
    node = pairing->ref.node;
    if (order_count(pairing->schedule->order, pairing->ref.info->id) != 1)
        return refuse(pairing, "loop", "there are several copies of this loop");
    if (!path_find(pairing->schedule->arena, pairing->schedule->order, node, &pairing->path))
        return refuse(pairing, "loop", "this loop is inside of a collapsed one");
    for (int s = 0; s < pairing->schedule->program->n_statement; s++)
        if (pairing->member[s] && order_has(node, pairing->schedule->program->statement[s]))
            return refuse(pairing, "loop", "the array is already computed inside this loop");
    return STATUS_OK;
}

static __isl_give isl_aff *origin_of(struct pairing *pairing, const struct order *loop)
{
    struct loop_ref ref = {.info = loop->info, .node = loop, .time = loop->time, .domain = order_domain(loop)};
    isl_aff *origin = edit_origin(pairing->schedule, &ref);

    isl_union_set_free(ref.domain);
    return origin;
}

/* The moving loop's time on the counts of the loop that it pairs with. */
static isl_union_pw_aff *aligned(struct pairing *pairing, const struct order *loop, const struct order *onto)
{
    isl_aff *from = origin_of(pairing, loop), *to = origin_of(pairing, onto);
    isl_union_pw_aff *time = time_add(time_add(isl_union_pw_aff_copy(loop->time), from, -1), to, 1);

    isl_aff_free(from);
    isl_aff_free(to);
    return poly_keep_union_pw_aff(pairing->schedule->arena, time);
}

static char *range_text(__isl_keep isl_union_pw_aff *time, __isl_take isl_union_set *domain)
{
    isl_set *range = time_range(time, domain);
    char *text = isl_set_to_str(range);

    isl_set_free(range);
    isl_union_set_free(domain);
    return text;
}

static enum status unequal(const struct pairing *pairing, int k)
{
    const struct order *onto = pairing->path.loop[k];
    char *own = range_text(pairing->time[k], order_domain(pairing->part));
    char *other = range_text(onto->time, order_domain(onto));
    enum status status =
        edit_refuse(pairing->schedule, step_place(pairing->step, "loop"), "simple_compute_at",
                    "`compute_at` takes over the loops of a reader", "loop `%s` and its partner differ: %s and %s",
                    onto->info->name, other ? other : "?", own ? own : "?");

    free(own);
    free(other);
    return status;
}

/* The loops so far run over the same counts together. */
static bool same_ranges(const struct pairing *pairing, int n)
{
    isl_union_map *own = NULL, *other = NULL;
    const struct order *target = pairing->path.loop[pairing->path.depth - 1];
    isl_union_set *a, *b;
    bool same;

    for (int k = 0; k <= n; k++) {
        isl_union_map *x = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(pairing->time[k]));
        isl_union_map *y = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(pairing->path.loop[k]->time));
        own = own ? isl_union_map_flat_range_product(own, x) : x;
        other = other ? isl_union_map_flat_range_product(other, y) : y;
    }
    a = isl_union_map_range(isl_union_map_intersect_domain(own, order_domain(pairing->part)));
    b = isl_union_map_range(isl_union_map_intersect_domain(other, order_domain(target)));
    same = isl_union_set_is_equal(a, b) == isl_bool_true;
    isl_union_set_free(a);
    isl_union_set_free(b);
    return same;
}

/* Pairs the loops; *inside is what the moving part has inside them. */
static enum status pair_loops(struct pairing *pairing, const struct order **inside)
{
    const struct order *loop = pairing->part;

    pairing->time = ARENA_ARRAY(pairing->schedule->arena, pairing->path.depth, isl_union_pw_aff *);
    for (int k = 0; k < pairing->path.depth; k++, loop = loop->child[0]) {
        if (loop->kind != ORDER_LOOP || loop->info->tuple != 0)
            return refuse(pairing, "loop", "the statements that compute the array have fewer loops");
        pairing->time[k] = aligned(pairing, loop, pairing->path.loop[k]);
        if (!same_ranges(pairing, k))
            return unequal(pairing, k);
    }
    *inside = loop;
    return STATUS_OK;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct pairing pairing = {.schedule = schedule, .step = step};
    const struct order *inside = NULL, *rest;
    struct graft graft;
    enum status status = find_part(&pairing);

    if (status == STATUS_OK)
        status = find_target(&pairing);
    if (status == STATUS_OK)
        status = pair_loops(&pairing, &inside);
    if (status != STATUS_OK)
        return status;
    schedule_move_members(schedule, pairing.member, pairing.ref.node);
    rest = graft_remove(schedule->arena, schedule->order, pairing.member);
    graft = (struct graft){&pairing.path, pairing.time, graft_rename(schedule, &pairing.ref, inside), false, NULL};
    return edit_commit(schedule, graft_insert(schedule->arena, rest, &graft));
}

static const struct argument arguments[] = {
    {.key = "simple_compute_at", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array"},
    {.key = "loop", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop that its computation moves under"},
    {0},
};

const struct primitive primitive_simple_compute_at = {
    .name = "simple_compute_at",
    .summary = "compute an array under a loop of a nest with the same loops",
    .rule = "The nest that computes an array moves to the front of a loop's body. Its outer loops "
            "pair with that loop and those around it, by position from their first values; its "
            "inner loops stay. Nothing is computed twice. The loop need not read the array.",
    .proved = "The paired loops run through the same positions. The statements that compute the "
              "array, reductions included, are in a nest of their own. Each pair of dependent "
              "instances keeps its order.",
    .argument = arguments,
    .apply = apply,
};
