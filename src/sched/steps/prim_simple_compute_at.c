/* simple_compute_at: what computes an array moves under a loop of another nest with the same outer loops (CINN's
 * SimpleComputeAt). The first n loops of both pair by position and must have equal ranges; nothing is computed more
 * often, nothing shrinks, and the target need not read the array.
 */
#include "dep/legal.h"
#include "poly/keep.h"
#include "program/show.h"
#include "sched/graft.h"

#include <isl/space.h>

struct pairing {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    bool *member;             /* the statements that write the array, by index */
    const struct order *part; /* where they run now */
    struct loop_ref ref;      /* the target loop */
    struct path path;         /* from the root to it */
    isl_union_pw_aff **time;  /* of what moves, on the path's loops */
    isl_union_pw_aff **onto;  /* of these themselves */
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

/* The counts of the first n loops together. */
static __isl_give isl_union_set *counts(isl_union_pw_aff *const *time, int n, __isl_take isl_union_set *domain)
{
    isl_union_map *map = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(time[0]));

    for (int k = 1; k < n; k++)
        map = isl_union_map_flat_range_product(map, isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(time[k])));
    return isl_union_map_range(isl_union_map_intersect_domain(map, domain));
}

/* Refuses counts of loop k and those around it that `who` lacks, its partner or the loop itself. */
static enum status refuse_rest(const struct pairing *pairing, int k, __isl_take isl_union_set *rest, const char *who)
{
    struct schedule *schedule = pairing->schedule;
    struct text point = {0};
    struct sample sample;
    isl_set *set;

    rest = isl_union_set_intersect_params(rest, isl_set_copy(schedule->program->context));
    if (isl_union_set_is_empty(rest) == isl_bool_true) {
        isl_union_set_free(rest);
        return STATUS_OK;
    }
    set = isl_set_from_union_set(rest);
    if (poly_smallest(schedule->arena, isl_set_copy(set), &sample)) {
        print_tuple(&point, "", sample.dim, sample.n_dim);
        show_params(&point, schedule->program, &sample, set);
    }
    edit_refuse(schedule, step_place(pairing->step, "loop"), "simple_compute_at",
                "`compute_at` takes over the loops of a reader",
                "loop `%s` and its partner differ: %s lacks the iteration %s", pairing->path.loop[k]->info->name, who,
                text_str(&point));
    isl_set_free(set);
    text_free(&point);
    return STATUS_REFUSED;
}

/* The first n loops must run over the same counts together. */
static enum status check_ranges(const struct pairing *pairing, int n)
{
    const struct order *target = pairing->path.loop[pairing->path.depth - 1];
    isl_union_set *own = counts(pairing->time, n, order_domain(pairing->part));
    isl_union_set *other = counts(pairing->onto, n, order_domain(target));
    isl_union_set *more = isl_union_set_subtract(isl_union_set_copy(other), isl_union_set_copy(own));
    isl_union_set *fewer = isl_union_set_subtract(own, other);

    if (refuse_rest(pairing, n - 1, more, "its partner") == STATUS_OK)
        return refuse_rest(pairing, n - 1, fewer, "the loop");
    isl_union_set_free(fewer);
    return STATUS_REFUSED;
}

/* Pairs the loops; *inside is what the moving part has inside them. */
static enum status pair_loops(struct pairing *pairing, const struct order **inside)
{
    const struct order *loop = pairing->part;

    pairing->time = ARENA_ARRAY(pairing->schedule->arena, pairing->path.depth, isl_union_pw_aff *);
    pairing->onto = ARENA_ARRAY(pairing->schedule->arena, pairing->path.depth, isl_union_pw_aff *);
    for (int k = 0; k < pairing->path.depth; k++, loop = loop->child[0]) {
        if (loop->kind != ORDER_LOOP || loop->info->tuple != 0)
            return refuse(pairing, "loop", "the statements that compute the array have fewer loops");
        pairing->time[k] = aligned(pairing, loop, pairing->path.loop[k]);
        pairing->onto[k] = pairing->path.loop[k]->time;
        if (check_ranges(pairing, k + 1) != STATUS_OK)
            return STATUS_REFUSED;
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
