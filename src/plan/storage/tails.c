#include "plan/storage/tails.h"

#include "caps/gpu.h"
#include "caps/simd.h"
#include "plan/device/conflict.h"
#include "plan/loop_plan.h"

struct checking {
    const struct schedule *schedule;
    enum status status;
};

/* A rest that is to be masked. */
struct rest {
    struct checking *checking;
    const char *loop;        /* whose rest it is */
    const char *part;        /* the loop through one tile */
    const struct step *step; /* that asked */
};

static void refuse(const struct rest *rest, const char *hint, const char *why)
{
    struct diag *diag;

    if (rest->checking->status != STATUS_OK)
        return;
    diag = diag_error(rest->checking->schedule->diags, "tail", step_place(rest->step, "tail"),
                      "the rest of loop `%s` cannot be masked: %s", rest->loop, why);
    diag_hint(rest->checking->schedule->diags, diag, "%s", hint);
    rest->checking->status = STATUS_REFUSED;
}

bool tails_have_masks(const struct simd *simd, enum type type, int lanes)
{
    const enum type own = type_in_lanes(type);
    const int widest = simd_widest(simd, &own, 1);
    const struct simd_type *vector = simd_type_of(simd, own, lanes ? lanes : widest);

    if (!vector)
        vector = simd_type_of(simd, own, widest);
    return vector && vector->row[VECTOR_LOAD_MASK] && vector->row[VECTOR_STORE_MASK];
}

/* Of sets with the same registers the first one is enough. */
static const char *mask_hint(struct arena *arena, enum type type, int lanes)
{
    const struct simd_type *registers = NULL;
    const char *text = "";

    for (const char *const *name = simd_names(arena); *name; name++) {
        const struct simd *simd = simd_by_name(*name);

        if (!simd || simd->type == registers || !tails_have_masks(simd, type, lanes))
            continue;
        text = arena_printf(arena, "%s%s\"%s\"", text, *text ? " or " : "choose ", *name);
        registers = simd->type;
    }
    return arena_printf(arena, "%s%sthe tail `peel`", *text ? text : "use ", *text ? ", or " : "");
}

static void check_masks(const struct rest *rest, const struct loop_plan *plan, enum type type)
{
    const struct target_options *target = &rest->checking->schedule->program->target;
    struct arena *arena = rest->checking->schedule->arena;

    if (!tails_have_masks(simd_by_name(target->simd), type, plan->lanes))
        refuse(rest, mask_hint(arena, type, plan->lanes),
               arena_printf(arena, "the target (\"simd\": \"%s\") has no masks for lanes of %s",
                            target->simd ? target->simd : "none", type_name(type)));
}

/* A device runs threads, each with conditions of its own. */
static bool refuse_device(const struct rest *rest)
{
    const bool device = gpu_by_language(rest->checking->schedule->program->target.language) != NULL;

    if (device)
        refuse(rest,
               "with the tail `guard` each thread has a condition of its own; `round_up` needs none on padded caches",
               "a GPU has no vectors");
    return device;
}

/* Every statement below order, which is inside of the loop through one tile, must be in lanes. */
static void check_lanes(const struct rest *rest, const struct order *order, const struct loop_plan *vector)
{
    struct arena *arena = rest->checking->schedule->arena;

    if (order->kind == ORDER_LOOP && order->info->plan && order->info->plan->vector)
        vector = order->info->plan;
    if (order->kind == ORDER_LEAF && vector)
        check_masks(rest, vector, order->statement->target->array->type);
    else if (order->kind == ORDER_LEAF)
        refuse(rest, arena_printf(arena, "add {\"vectorize\": \"%s\"} to the plan, or choose another tail", rest->part),
               arena_printf(arena, "neither `%s` nor a loop of %s inside of it is vectorized", rest->part,
                            order->statement->label));
    for (int k = 0; k < order->n_child; k++)
        check_lanes(rest, order->child[k], vector);
}

static void check_parts(const struct rest *rest, const struct order *order, int outer)
{
    struct rest inside = *rest;

    if (order->kind == ORDER_LOOP && order->info->outer == outer) {
        inside.part = order->info->name;
        check_lanes(&inside, order, NULL);
        return;
    }
    for (int k = 0; k < order->n_child; k++)
        check_parts(rest, order->child[k], outer);
}

/* The bound loop among the loop and the parts of its tiles; NULL: there is none. */
static const struct order *find_bound(const struct order *order, int outer)
{
    const bool part = order->kind == ORDER_LOOP && (order->info->id == outer || order->info->outer == outer);
    const struct order *found = part && loop_is_bound(order) ? order : NULL;

    for (int k = 0; k < order->n_child && !found; k++)
        found = find_bound(order->child[k], outer);
    return found;
}

/* What is cut off of a bound loop would be for one block, or one thread, alone. */
static void check_peeled(struct checking *checking, const struct order *loop)
{
    const struct order *bound = find_bound(loop, loop->info->id);
    const struct schedule *schedule = checking->schedule;
    struct diag *diag;

    if (!bound || checking->status != STATUS_OK)
        return;
    diag = diag_error(schedule->diags, "tail", step_place(loop->info->step, "tail"),
                      "the rest of loop `%s` cannot be cut off: `%s` is bound to %s, and one %s alone would run it",
                      loop->info->name, bound->info->name, axis_name(bound->info->plan->axis),
                      axis_is_thread(bound->info->plan->axis) ? "thread" : "block");
    diag_hint(
        schedule->diags, diag,
        "with the tail `guard` each thread tests its own; after `cut` the pieces of a loop are kernels of their own");
    checking->status = STATUS_REFUSED;
}

static void walk(struct checking *checking, const struct order *order)
{
    const struct loop_info *info = order->info;

    if (order->kind == ORDER_LOOP && info->tail == TAIL_PEEL && !info->or_guard)
        check_peeled(checking, order);
    if (order->kind == ORDER_LOOP && info->tail == TAIL_MASK) {
        const struct rest rest = {checking, info->name, NULL, info->step};
        if (!refuse_device(&rest))
            check_parts(&rest, order->child[0], info->id);
    }
    if (order->kind == ORDER_LOOP && info->plan && info->plan->vector && info->plan->tail == TAIL_MASK) {
        const struct rest rest = {checking, info->name, info->name, info->plan->vector_step};
        check_lanes(&rest, order, NULL);
    }
    for (int k = 0; k < order->n_child; k++)
        walk(checking, order->child[k]);
}

enum status tails_check(const struct schedule *schedule)
{
    struct checking checking = {.schedule = schedule};

    walk(&checking, schedule->order);
    return checking.status;
}
