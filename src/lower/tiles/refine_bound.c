#include "lower/tiles/refine_bound.h"

#include "lower/facts/bound.h"

/* Is argument k of a minimum (sign 1) or maximum (sign -1) never the only one that decides? Of equal ones the
 * last stays. */
static bool redundant(const struct facts *facts, const struct affine **arg, int n, int k, int sign)
{
    struct arena *arena = facts->lowering->arena;

    for (int other = 0; other < n; other++) {
        const struct affine *difference;
        if (other == k || !arg[other])
            continue;
        difference = affine_scale(arena, affine_sub(arena, arg[k], arg[other]), sign);
        if (facts_imply(facts, difference))
            return true;
    }
    return false;
}

static bool of_params(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind != ATOM_VAR || a->term[k].atom->var->kind != VAR_PARAM)
            return false;
    return true;
}

/* a with floor, its term m * d * floor(e / d), by the loop variable of another term: where e - f * v is c modulo d,
 * e - d * floor(e / d) is f * v + c - d * floor((f * v + c) / d). f is such that v then goes. NULL: it is none. */
static const struct affine *in_terms_of(const struct facts *facts, const struct affine *a,
                                        const struct affine_term *floor, const struct affine_term *term)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t divisor = floor->atom->divisor, m = floor->factor == divisor ? 1 : -1, f = m * term->factor;
    const struct affine *operand = floor->atom->arg[0], *same, *whole;
    int64_t c;

    if (floor->factor != m * divisor || (f != 1 && f != -1))
        return NULL;
    same = affine_scale(arena, affine_var(arena, term->atom->var), f);
    whole = affine_mod(arena, affine_sub(arena, operand, same), divisor);
    if (!whole || !facts_constant(facts, whole, &c))
        return NULL;
    same = affine_add_constant(arena, same, c);
    whole = affine_sub(arena, affine_mod(arena, operand, divisor), affine_mod(arena, same, divisor));
    return affine_add(arena, a, affine_scale(arena, whole, m));
}

/* a with divisions of loop variables for those of parameters where that is shorter: i - (N - 1) % 4 is 4 * (i / 4) in
 * a loop that starts at N - 1 and goes down by 4. */
static const struct affine *divide_loops(const struct facts *facts, const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        for (int v = 0; v < a->n_term && a->term[k].atom->kind == ATOM_FLOOR; v++) {
            const struct atom *atom = a->term[v].atom;
            const struct affine *other = NULL;
            if (atom->kind == ATOM_VAR && atom->var->kind == VAR_LOOP && of_params(a->term[k].atom->arg[0]))
                other = in_terms_of(facts, a, &a->term[k], &a->term[v]);
            if (other && other->n_term < a->n_term)
                return other;
        }
    return a;
}

const struct affine *refine_bound(const struct facts *facts, const struct affine *bound)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *const *arg;
    const struct affine **left;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);
    int kept = 0;

    if (kind == ATOM_VAR)
        return divide_loops(facts, bound);
    left = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++)
        left[k] = refine_bound(facts, arg[k]);
    for (int k = 0; k < n; k++)
        if (redundant(facts, left, n, k, kind == ATOM_MIN ? 1 : -1))
            left[k] = NULL;
    for (int k = 0; k < n; k++)
        if (left[k])
            left[kept++] = left[k];
    return affine_extreme(arena, kind, left, kept);
}

/* The arguments of a maximum but one, as a bound. */
static const struct affine *without_argument(struct arena *arena, const struct affine *const *arg, int n, int k)
{
    const struct affine **left = ARENA_ARRAY(arena, n, const struct affine *);
    int kept = 0;

    for (int other = 0; other < n; other++)
        if (other != k)
            left[kept++] = arg[other];
    return affine_extreme(arena, ATOM_MAX, left, kept);
}

/* Is the loop empty wherever it would start at `start` and not at first? */
static bool is_empty_from(const struct facts *facts, const struct node *loop, const struct affine *start,
                          const struct affine *first)
{
    struct arena *arena = facts->lowering->arena;
    struct facts later = *facts;

    facts_assume(&later, affine_add_constant(arena, affine_sub(arena, start, first), -1));
    return facts_imply(&later, affine_add_constant(arena, affine_sub(arena, start, loop->upper), -1));
}

const struct node *refine_whole(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, loop->lower, &arg, &kind);
    int64_t value;

    for (int k = 0; k < n && kind == ATOM_MAX && loop->step > 0; k++) {
        const struct affine *first = without_argument(arena, arg, n, k);
        struct condition *runs;
        struct guard *guard;

        if (!first || !affine_is_constant(first, &value) || !affine_is_constant(loop->upper, &value) ||
            !is_empty_from(facts, loop, arg[k], first))
            continue;
        runs = ARENA_NEW(arena, struct condition);
        guard = ARENA_NEW(arena, struct guard);
        *runs = (struct condition){affine_sub(arena, first, arg[k]), false};
        *guard = (struct guard){runs, 1};
        return node_if(arena, guard, 1, node_with_bounds(arena, loop, first, loop->upper));
    }
    return loop;
}
