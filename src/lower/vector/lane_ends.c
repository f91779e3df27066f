#include "lower/vector/lane_ends.h"

#include "lower/facts/conjuncts.h"
#include "lower/facts/ends.h"
#include "program/program.h"
#include "tree/visit.h"

/* Can the set tell whether any lane of a mask is active? */
static bool tells_any(const struct lanes *lanes, enum type type)
{
    const struct simd_type *simd = simd_type_of(lanes->simd, type, lanes->n);

    return simd && (simd->row[VECTOR_MASK_ANY] || simd->row[VECTOR_MASK_BYTES]);
}

/* The conditions at which the loop ends that are variables of each lane, as one about all active lanes: where one of
 * these holds in no lane, all of them do in none. NULL: there is none of which the set tells that. */
static const struct tree_expr *any_lane(struct lanes *lanes, const struct tree_expr *condition)
{
    struct arena *arena = lanes->lowering->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, 1, const struct tree_expr *), *own = NULL;
    struct tree_expr *any = tree_expr_new(arena, TREE_ANY, TYPE_BOOL), *below;
    conjunct_vec list = {0};

    conjuncts_add(arena, condition, &list);
    for (int k = 0; k < list.n; k++)
        if (conjunct_while(list.at[k]) && tells_any(lanes, conjunct_while(list.at[k])->type))
            own = lanes_both(arena, own, lanes_expr(lanes, list.at[k]));
    if (!own || tree_expr_uniform(own))
        return own;
    arg[0] = lanes_both(arena, lanes->active, own);
    if (lanes->count) {
        below = tree_expr_new(arena, TREE_MASK, TYPE_BOOL);
        below->affine = lanes->count;
        arg[0] = lanes_both(arena, below, arg[0]);
    }
    any->arg = arg;
    any->n_arg = 1;
    any->integer = lanes->n;
    return any;
}

static const struct node *with_end(struct arena *arena, const struct node *loop, const struct tree_expr *goes_on)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *loop;
    copy->guard_value = goes_on;
    if (goes_on && !ends_soundly(arena, copy))
        copy->guard_value = NULL;
    return copy;
}

const struct node *lanes_ended(struct lanes *lanes, const struct node *loop)
{
    return with_end(lanes->lowering->arena, loop, any_lane(lanes, loop->guard_value));
}

const struct node *lanes_ended_around(struct arena *arena, const struct node *loop)
{
    return with_end(arena, loop, loop->guard_value);
}
