#include "lower/tiles/loosen.h"

#include "lower/facts/bound.h"
#include "lower/tiles/rest.h"

#include <string.h>

/* One of the bounds of a loop as its arguments. */
struct bound {
    const struct affine **arg;
    enum atom_kind kind;
    int n;
};

static struct bound bound_of(struct arena *arena, const struct affine *affine)
{
    struct bound bound;
    const struct affine *const *arg;

    bound.n = bound_args(arena, affine, &arg, &bound.kind);
    bound.arg = ARENA_ARRAY(arena, bound.n, const struct affine *);
    memcpy(bound.arg, arg, (size_t)bound.n * sizeof(*arg));
    return bound;
}

static int size(const struct affine *a)
{
    int n = a->n_term + (a->constant != 0);

    for (int k = 0; k < a->n_term; k++)
        for (int arg = 0; arg < a->term[k].atom->n_arg; arg++)
            n += size(a->term[k].atom->arg[arg]);
    return n;
}

static bool divides(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind == ATOM_FLOOR)
            return true;
    return false;
}

/* Is it harder to read than `max(0, k - j)`? */
static bool is_hard(const struct bound *bound)
{
    for (int k = 0; bound->n > 1 && k < bound->n; k++)
        if (divides(bound->arg[k]))
            return true;
    return bound->n > 2;
}

/* The longest argument that is not among those tried yet and not a constant; -1: none. */
static int longest(const struct bound *bound, const bool *tried)
{
    int found = -1;

    for (int k = 0; k < bound->n; k++)
        if (!tried[k] && !affine_is_constant(bound->arg[k], NULL) &&
            (found < 0 || size(bound->arg[k]) > size(bound->arg[found])))
            found = k;
    return found;
}

static const struct affine *without(struct arena *arena, const struct bound *bound, int dropped)
{
    const struct affine **left = ARENA_ARRAY(arena, bound->n, const struct affine *);

    for (int k = 0; k < bound->n; k++)
        left[k - (k > dropped)] = bound->arg[k];
    return affine_extreme(arena, bound->kind, left, bound->n - 1);
}

static const struct node *with_bound(struct arena *arena, const struct node *loop, bool first,
                                     const struct affine *bound)
{
    return node_with_bounds(arena, loop, first ? bound : loop->lower, first ? loop->upper : bound);
}

/* Is there nothing to do in the iterations of loop that argument excludes? */
static bool is_idle_beyond(const struct facts *facts, const struct node *loop, bool first,
                           const struct affine *argument)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *past = affine_sub(arena, affine_var(arena, loop->var), argument);
    struct facts beyond;
    bool is;

    past = affine_add_constant(arena, affine_scale(arena, past, first ? -1 : 1), -1);
    if (!past)
        return false;
    beyond = *facts;
    facts_enter_loop(&beyond, loop);
    facts_assume(&beyond, past);
    is = !facts_possible(&beyond) || idle(&beyond, loop->child[0]);
    return is;
}

static const struct node *loosen_bound(const struct facts *facts, const struct node *loop, bool first)
{
    struct arena *arena = facts->lowering->arena;
    struct bound bound = bound_of(arena, first ? loop->lower : loop->upper);
    bool *tried = ARENA_ARRAY(arena, bound.n, bool);

    if (!is_hard(&bound))
        return loop;
    for (int k = longest(&bound, tried); bound.n > 1 && k >= 0; k = longest(&bound, tried)) {
        const struct node *looser = with_bound(arena, loop, first, without(arena, &bound, k));
        tried[k] = true;
        if (!looser || !is_idle_beyond(facts, looser, first, bound.arg[k]))
            continue;
        loop = looser;
        bound.n--;
        memmove(&bound.arg[k], &bound.arg[k + 1], (size_t)(bound.n - k) * sizeof(*bound.arg));
        memmove(&tried[k], &tried[k + 1], (size_t)(bound.n - k) * sizeof(*tried));
    }
    return loop;
}

static bool has_constant(struct arena *arena, const struct affine *affine)
{
    const struct bound bound = bound_of(arena, affine);

    for (int k = 0; k < bound.n; k++)
        if (affine_is_constant(bound.arg[k], NULL))
            return true;
    return false;
}

const struct node *loosen_loop(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;

    if (!loop->info || !loop->info->outer || loop->step < 0)
        return loop;
    if (!has_constant(arena, loop->lower) || !has_constant(arena, loop->upper))
        return loop;
    return loosen_bound(facts, loosen_bound(facts, loop, true), false);
}
