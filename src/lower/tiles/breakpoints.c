#include "lower/tiles/breakpoints.h"

#include "lower/facts/bound.h"
#include "sched/order.h"

static bool is_free(const struct search *search, const struct affine *a)
{
    if (affine_uses(a, search->loop->var))
        return false;
    for (int k = 0; k < search->inner.n; k++)
        if (affine_uses(a, search->inner.at[k]->var))
            return false;
    return true;
}

/* a where it is smallest over the loops inside, as far as these have constant ends. */
static const struct affine *worst_case(const struct search *search, const struct affine *a)
{
    struct arena *arena = search->arena;

    for (int k = search->inner.n - 1; k >= 0 && a; k--) {
        const struct node *loop = search->inner.at[k];
        const int64_t factor = affine_factor(a, loop->var);
        const struct affine *end;
        if (factor == 0 || loop->kind != NODE_LOOP)
            continue;
        end = bound_constant(arena, (factor > 0) == (loop->step > 0) ? loop->lower : loop->upper,
                             factor > 0 ? ATOM_MAX : ATOM_MIN);
        if (end)
            a = affine_substitute(arena, a, loop->var, end);
    }
    return a;
}

/* Adds where difference >= 0 begins or ends to hold, if that is a plain condition on the loop's variable. */
static void add_breakpoint(struct search *search, const struct affine *difference)
{
    struct arena *arena = search->arena;
    const struct affine *var = affine_var(arena, search->loop->var);
    struct breakpoint point;

    if (difference && search->worst_case)
        difference = worst_case(search, difference);
    if (!difference)
        return;
    point.factor = affine_factor(difference, search->loop->var);
    point.rest = affine_sub(arena, difference, affine_scale(arena, var, point.factor));
    if (point.factor == 0 || !point.rest || !is_free(search, point.rest))
        return;
    for (int k = 0; k < search->found.n; k++)
        if (search->found.at[k].factor == point.factor && affine_equal(search->found.at[k].rest, point.rest))
            return;
    VEC_PUSH(arena, &search->found, point);
}

/* In a minimum, the argument that does not move with the loop's variable decides while the others are not
 * below it; in a maximum, while they are not above it. */
static void search_bound(struct search *search, const struct affine *bound)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(search->arena, bound, &arg, &kind);
    const int sign = kind == ATOM_MIN ? 1 : -1;

    for (int p = 0; p < n; p++)
        for (int q = 0; q < n; q++)
            if (p != q && !affine_uses(arg[p], search->loop->var))
                add_breakpoint(search, affine_scale(search->arena, affine_sub(search->arena, arg[q], arg[p]), sign));
}

static bool is_part(const struct search *search, const struct node *inner)
{
    for (int k = 0; k < search->parts.n; k++)
        if (inner->info->outer == search->parts.at[k])
            return true;
    return false;
}

static void search_node(struct search *search, const struct node *node)
{
    const int parts = search->parts.n, inner = search->inner.n;

    if (node->kind == NODE_LOOP) {
        const bool part = is_part(search, node);
        if (part || search->loop->info->skewed) {
            search_bound(search, node->lower);
            search_bound(search, node->upper);
        }
        if (part)
            VEC_PUSH(search->arena, &search->parts, node->info->id);
    }
    if (node->kind == NODE_LOOP || node->kind == NODE_VALUE)
        VEC_PUSH(search->arena, &search->inner, node);
    for (int k = 0; k < node->n_child; k++)
        search_node(search, node->child[k]);
    search->parts.n = parts;
    search->inner.n = inner;
}

struct search search_loop(struct arena *arena, const struct node *loop, bool worst_case)
{
    struct search search = {.arena = arena, .loop = loop, .worst_case = worst_case};

    VEC_PUSH(arena, &search.parts, loop->info->id);
    if (loop->info->outer)
        VEC_PUSH(arena, &search.parts, loop->info->outer);
    search_node(&search, loop->child[0]);
    return search;
}
