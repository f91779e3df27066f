#include "lower/threads/rectangle.h"

#include "base/vec.h"

/* The values that a loop around has. */
struct range {
    const struct var *var;
    const struct affine *least, *most;
    int64_t step;
};

struct rectangle {
    struct arena *arena;
    VEC(struct range) range;      /* of the loops around */
    VEC(struct condition) inside; /* where the loops as they were have an iteration */
};

static bool uses_any(const struct rectangle *rectangle, const struct affine *affine)
{
    bool uses = false;

    for (int k = 0; k < rectangle->range.n && !uses; k++)
        uses = affine_uses(affine, rectangle->range.at[k].var);
    return uses;
}

static const struct affine *bound(const struct rectangle *rectangle, const struct affine *affine, bool most);

static const struct affine *bound_of_atom(const struct rectangle *rectangle, const struct atom *atom, bool most)
{
    struct arena *arena = rectangle->arena;
    const struct affine **arg;

    if (atom->kind == ATOM_VAR) {
        for (int k = 0; k < rectangle->range.n; k++)
            if (rectangle->range.at[k].var == atom->var)
                return most ? rectangle->range.at[k].most : rectangle->range.at[k].least;
        return affine_var(arena, atom->var);
    }
    arg = ARENA_ARRAY(arena, atom->n_arg, const struct affine *);
    for (int k = 0; k < atom->n_arg; k++)
        arg[k] = bound(rectangle, atom->arg[k], most);
    return atom->kind == ATOM_FLOOR ? affine_floor(arena, arg[0], atom->divisor)
                                    : affine_extreme(arena, atom->kind, arg, atom->n_arg);
}

/* A value that affine is never below, or above, whatever the loops around count. */
static const struct affine *bound(const struct rectangle *rectangle, const struct affine *affine, bool most)
{
    const struct affine *sum;

    if (!affine || !uses_any(rectangle, affine))
        return affine;
    sum = affine_constant(rectangle->arena, affine->constant);
    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        sum = affine_combine(rectangle->arena, sum, 1, bound_of_atom(rectangle, term->atom, most == (term->factor > 0)),
                             term->factor);
    }
    return sum;
}

/* The step of the loop whose variable the atom is; 1: it is another atom. */
static int64_t step_of(const struct rectangle *rectangle, const struct atom *atom)
{
    for (int k = 0; k < rectangle->range.n; k++)
        if (atom->kind == ATOM_VAR && atom->var == rectangle->range.at[k].var)
            return rectangle->range.at[k].step;
    return 1;
}

static bool are_multiples(const struct affine *affine, int64_t step)
{
    return affine && affine->constant % step == 0 && affine_gcd(affine) % step == 0;
}

/* Is it the same modulo step, whatever the loops around count? */
static bool is_on_lattice(const struct rectangle *rectangle, const struct affine *affine, int64_t step)
{
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        const struct affine *term = affine_atom(rectangle->arena, atom);
        if (affine->term[k].factor % (step / common_divisor(step_of(rectangle, atom), step)) == 0 ||
            !uses_any(rectangle, term))
            continue;
        if (atom->kind != ATOM_MIN && atom->kind != ATOM_MAX)
            return false;
        for (int a = 0; a < atom->n_arg; a++)
            if (!is_on_lattice(rectangle, atom->arg[a], step) ||
                !are_multiples(affine_sub(rectangle->arena, atom->arg[a], atom->arg[0]), step))
                return false;
    }
    return true;
}

/* loop's variable is at least, or at most, affine: a condition for each part of an extreme. */
static void add_inside(struct rectangle *rectangle, const struct node *loop, const struct affine *affine, bool least)
{
    const struct affine_term *only = affine->n_term == 1 && affine->term->factor == 1 ? affine->term : NULL;
    const struct affine *var = affine_var(rectangle->arena, loop->var);

    if (!uses_any(rectangle, affine))
        return;
    if (only && only->atom->kind == (least ? ATOM_MAX : ATOM_MIN)) {
        for (int k = 0; k < only->atom->n_arg; k++)
            add_inside(rectangle, loop, affine_add_constant(rectangle->arena, only->atom->arg[k], affine->constant),
                       least);
        return;
    }
    VEC_PUSH(rectangle->arena, &rectangle->inside,
             ((struct condition){.affine = least ? affine_sub(rectangle->arena, var, affine)
                                                 : affine_sub(rectangle->arena, affine, var)}));
}

/* Of an upper bound that is a minimum, or a lower one that is a maximum, the operands that use no variable of a loop
 * around, if there are any: they bound the loop by themselves. */
static const struct affine *fixed_part(const struct rectangle *rectangle, const struct affine *end, enum atom_kind kind)
{
    const struct affine_term *only = end->n_term == 1 && end->term->factor == 1 ? end->term : NULL;
    const struct affine **arg;
    int n = 0;

    if (!only || only->atom->kind != kind)
        return end;
    arg = ARENA_ARRAY(rectangle->arena, only->atom->n_arg, const struct affine *);
    for (int k = 0; k < only->atom->n_arg; k++)
        if (!uses_any(rectangle, only->atom->arg[k]))
            arg[n++] = only->atom->arg[k];
    return n > 0 ? affine_add_constant(rectangle->arena, affine_extreme(rectangle->arena, kind, arg, n), end->constant)
                 : end;
}

/* The loop with bounds of its own; NULL: there are none. */
static const struct node *with_range(struct rectangle *rectangle, const struct node *loop)
{
    const struct affine *lower = bound(rectangle, fixed_part(rectangle, loop->lower, ATOM_MAX), false),
                        *upper = bound(rectangle, fixed_part(rectangle, loop->upper, ATOM_MIN), true);

    if (loop->step < 1 || !lower || !upper || !is_on_lattice(rectangle, loop->lower, loop->step))
        return NULL;
    add_inside(rectangle, loop, loop->lower, true);
    add_inside(rectangle, loop, loop->upper, false);
    VEC_PUSH(rectangle->arena, &rectangle->range, ((struct range){loop->var, lower, upper, loop->step}));
    return node_with_bounds(rectangle->arena, loop, lower, upper);
}

/* NULL: there is no rectangle. */
static const struct node *walk(struct rectangle *rectangle, const struct node *loop, int n)
{
    const struct node *body = loop->child[0], *wide = with_range(rectangle, loop);
    struct guard *inside;

    if (!wide)
        return NULL;
    if (n > 1)
        body = body->kind == NODE_LOOP ? walk(rectangle, body, n - 1) : NULL;
    else {
        inside = ARENA_NEW(rectangle->arena, struct guard);
        *inside = (struct guard){rectangle->inside.at, rectangle->inside.n};
        body = node_if(rectangle->arena, inside, 1, body);
    }
    return body ? node_with_body(rectangle->arena, wide, body) : NULL;
}

const struct node *rectangle_of(struct arena *arena, const struct node *loop, int n)
{
    struct rectangle rectangle = {.arena = arena};
    const struct node *wide = walk(&rectangle, loop, n);

    return wide ? wide : loop;
}
