#include "lower/device/warp_sum.h"

#include "plan/device/kernels.h"
#include "tree/tree.h"

#include <string.h>

/* The threads that take part are told in so many alternatives at most. */
enum { MOST_ALTERNATIVES = 16 };

/* Conditions, dealt out: those that are the same for all threads of a warp, and the conjunction of the others. */
struct dealt {
    struct arena *arena;
    const along_x_vars *along_x;
    const int64_t *param_least;
    int warp; /* its threads */
    const struct pending *around;
    VEC(struct condition) taking;
    VEC(const struct pending *) choice; /* besides, one of the alternatives of each */
    bool scattered;                     /* the threads that take part need not be the first ones of a warp */
};

/* "t < 64": is it the same in all of a warp? The variable is 0 in the first thread if its values start there. */
static bool ends_with_warp(const struct dealt *dealt, const struct condition *condition)
{
    const struct affine *affine = condition->affine;

    return !condition->equal && affine->n_term == 1 && affine->term[0].atom->kind == ATOM_VAR &&
           affine->term[0].atom->var->low == 0 && step_along_x(dealt->along_x, affine) == -1 &&
           (affine->constant + 1) % dealt->warp == 0;
}

static void add_around(struct dealt *dealt, struct pending pending)
{
    struct pending *more = ARENA_NEW(dealt->arena, struct pending);

    *more = pending;
    dealt->around = more;
}

static void deal_condition(struct dealt *dealt, const struct condition *condition)
{
    if (!differs_along_x(dealt->along_x, condition->affine) || ends_with_warp(dealt, condition)) {
        add_around(dealt, pending_with(dealt->arena, condition->affine, condition->equal, dealt->around));
        return;
    }
    dealt->scattered |= condition->equal || step_along_x(dealt->along_x, condition->affine) >= 0;
    VEC_PUSH(dealt->arena, &dealt->taking, *condition);
}

/* Does one of the alternatives differ between the threads of a warp? */
static bool differs(const struct dealt *dealt, const struct pending *pending)
{
    for (int k = 0; k < pending->n; k++)
        for (int c = 0; c < pending->alternative[k].n; c++)
            if (differs_along_x(dealt->along_x, pending->alternative[k].condition[c].affine))
                return true;
    return false;
}

static void deal(struct dealt *dealt, const struct pending *pending)
{
    if (!pending)
        return;
    deal(dealt, pending->outer);
    for (int c = 0; pending->n == 1 && c < pending->alternative->n; c++)
        deal_condition(dealt, &pending->alternative->condition[c]);
    if (pending->n > 1 && differs(dealt, pending)) {
        VEC_PUSH(dealt->arena, &dealt->choice, pending);
        dealt->scattered = true;
    } else if (pending->n > 1) {
        add_around(dealt, (struct pending){pending->alternative, pending->n, dealt->around});
    }
}

static struct guard both(struct arena *arena, const struct guard *a, const struct guard *b)
{
    struct condition *condition = ARENA_ARRAY(arena, a->n + b->n + 1, struct condition);

    for (int k = 0; k < a->n + b->n; k++)
        condition[k] = k < a->n ? a->condition[k] : b->condition[k - a->n];
    return (struct guard){condition, a->n + b->n};
}

/* The threads that take part: one of alternatives of copy holds. False: there are too many. */
static bool set_taking(const struct dealt *dealt, struct node *copy)
{
    struct guard *taking = ARENA_ARRAY(dealt->arena, MOST_ALTERNATIVES, struct guard);
    struct guard before[MOST_ALTERNATIVES];
    int n = 1;

    taking[0] = (struct guard){dealt->taking.at, dealt->taking.n};
    for (int c = 0; c < dealt->choice.n; c++) {
        const struct pending *choice = dealt->choice.at[c];
        if (n * choice->n > MOST_ALTERNATIVES)
            return false;
        memcpy(before, taking, (size_t)n * sizeof(*taking));
        for (int k = 0; k < n * choice->n; k++)
            taking[k] = both(dealt->arena, &before[k / choice->n], &choice->alternative[k % choice->n]);
        n *= choice->n;
    }
    copy->alternative = taking;
    copy->n_alternative = n > 1 || taking->n > 0 ? n : 0;
    return true;
}

/* The warps that have no thread of the loop have no part in it. */
static void leave_out_warps(struct dealt *dealt, const struct warp_sum_place *place, int threads)
{
    const int whole = (threads + dealt->warp - 1) / dealt->warp * dealt->warp;
    const struct affine *rest;

    if (threads % dealt->warp == 0 || !place->extent || affine_most(place->extent, place->param_most) <= whole)
        return;
    rest = affine_sub(dealt->arena, affine_constant(dealt->arena, whole - 1), affine_var(dealt->arena, place->x));
    add_around(dealt, pending_with(dealt->arena, rest, false, dealt->around));
}

/* Its value in the block's first thread along x, as far as that is known; NULL on an overflow. */
static const struct affine *in_first(const struct dealt *dealt, const struct affine *value)
{
    for (int k = 0; k < dealt->along_x->n && value; k++)
        if (dealt->along_x->at[k].first)
            value = affine_substitute(dealt->arena, value, dealt->along_x->at[k].var, dealt->along_x->at[k].first);
    return value;
}

/* The conditions as they are in the block's first thread along x. */
static struct guard in_first_thread(const struct dealt *dealt)
{
    struct guard first = {NULL, 0};
    struct condition *condition = ARENA_ARRAY(dealt->arena, dealt->taking.n + 1, struct condition);

    for (int c = 0; c < dealt->taking.n; c++) {
        struct condition *own = &condition[first.n];
        *own = dealt->taking.at[c];
        own->affine = in_first(dealt, own->affine);
        if (!own->affine)
            *own = dealt->taking.at[c];
        first.n += own->equal || affine_least(own->affine, dealt->param_least) < 0;
    }
    first.condition = condition;
    return first;
}

/* Does it hold in the first thread of each warp that a block has, as "x < 100" does among 128 threads? */
static bool holds_in_starts(const struct dealt *dealt, const struct warp_sum_place *place,
                            const struct condition *condition)
{
    const struct affine *value = in_first(dealt, condition->affine);
    int64_t extent;

    if (condition->equal || !value || !place->extent || !affine_is_constant(place->extent, &extent) ||
        differs_along_x(dealt->along_x, value) || step_along_x(dealt->along_x, condition->affine) != -1)
        return false;
    value = affine_add_constant(dealt->arena, value, -(extent - 1) / dealt->warp * dealt->warp);
    return value && affine_least(value, dealt->param_least) >= 0;
}

/* Those of the conditions that tell which warps take part. */
static struct guard in_first_threads(const struct dealt *dealt, const struct warp_sum_place *place)
{
    struct condition *condition = ARENA_ARRAY(dealt->arena, dealt->taking.n + 1, struct condition);
    struct guard first = {condition, 0};

    for (int c = 0; c < dealt->taking.n; c++)
        if (!holds_in_starts(dealt, place, &dealt->taking.at[c]))
            condition[first.n++] = dealt->taking.at[c];
    return first;
}

const struct node *warp_sum_under(struct arena *arena, const struct warp_sum_place *place,
                                  const struct pending *pending, const struct node *node)
{
    struct dealt dealt = {.arena = arena,
                          .along_x = place->along_x,
                          .param_least = place->param_least,
                          .warp = node->warp_sum->warp};
    struct node *copy = ARENA_NEW(arena, struct node);
    struct warp_sum *sum = ARENA_NEW(arena, struct warp_sum);
    struct guard *update = ARENA_NEW(arena, struct guard);

    deal(&dealt, pending);
    leave_out_warps(&dealt, place, node->warp_sum->threads);
    *sum = *node->warp_sum;
    sum->scattered = dealt.scattered;
    *update = sum->threads <= sum->warp ? in_first_thread(&dealt) : in_first_threads(&dealt, place);
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++)
            VEC_PUSH(arena, &dealt.taking, node->alternative[k].condition[c]);
    sum->update = update;
    *copy = *node;
    copy->warp_sum = sum;
    copy->lower = affine_var(arena, place->x);
    return set_taking(&dealt, copy) ? pending_around(arena, dealt.around, copy) : NULL;
}
