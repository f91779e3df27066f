#include "lower/tiles/guard.h"

#include "base/vec.h"
#include "lower/facts/bound.h"
#include "tree/visit.h"

typedef VEC(struct condition) conditions;

/* The constant argument of a bound that all its arguments are; every other one becomes a condition
 * sign * (argument - var) >= 0. */
static const struct affine *full_bound(struct arena *arena, const struct affine *bound, const struct affine *var,
                                       int sign, conditions *tested)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);
    const struct affine *full = NULL;

    for (int k = 0; k < n; k++)
        if (affine_is_constant(arg[k], NULL))
            full = arg[k];
    if (!full || n == 1 || kind != (sign > 0 ? ATOM_MIN : ATOM_MAX))
        return bound;
    for (int k = 0; k < n; k++)
        if (arg[k] != full) {
            const struct affine *left = affine_scale(arena, affine_sub(arena, arg[k], var), sign);
            VEC_PUSH(arena, tested, ((struct condition){left, false}));
        }
    return full;
}

static const struct node *guarded_part(struct lowering *lowering, const struct node *part)
{
    struct arena *arena = lowering->arena;
    const struct affine *var = affine_var(arena, part->var);
    const int sign = part->step < 0 ? -1 : 1;
    struct guard *guard = ARENA_NEW(arena, struct guard);
    conditions tested = {0};
    const struct affine *lower = full_bound(arena, part->lower, var, -sign, &tested);
    const struct affine *upper = full_bound(arena, part->upper, var, sign, &tested);
    const struct node *body = part->child[0];

    *guard = (struct guard){tested.at, tested.n};
    if (tested.n > 0)
        body = node_if(arena, guard, 1, body);
    return node_with_body(arena, node_with_bounds(arena, part, lower, upper), body);
}

static const struct node *guard_parts(struct lowering *lowering, const struct node *node, int outer)
{
    const struct node **child;

    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(lowering->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = guard_parts(lowering, node->child[k], outer);
        if (!child[k])
            return NULL;
    }
    node = node_with_children(lowering->arena, node, child);
    if (node && node->kind == NODE_LOOP && node->info->outer == outer)
        return guarded_part(lowering, node);
    return node;
}

const struct node *guard_loop(struct lowering *lowering, const struct node *loop)
{
    struct node *piece = ARENA_NEW(lowering->arena, struct node);

    *piece = *loop;
    piece->piece = true;
    return node_with_body(lowering->arena, piece, guard_parts(lowering, loop->child[0], loop->info->id));
}
