/* The arms of choices that use what is loaded: k == 0 ? x[i] : t[k - 1] uses t[k - 1] where k != 0, and nobody observes
 * what is loaded for it elsewhere. */
#include "lower/finished/sources_parts.h"
#include "tree/translate.h"

/* What is around a choice, and the way to where it is. */
struct arm {
    struct sourcing *s;
    const struct leaf *leaf;
    const struct way *way;
};

static const struct affine *value_of(const struct arm *arm, const struct expr *expr)
{
    const struct scope scope = {arm->s->sets->program, arm->s->sets->param_var, arm->leaf->argument};
    const struct affine *value;

    return affine_from_expr(arm->s->arena, &scope, expr, &value) ? value : NULL;
}

/* Puts one of the n conditions on the way. */
static void add_either(struct arm *arm, const struct condition *condition, int n)
{
    struct guard *alternative = ARENA_ARRAY(arm->s->arena, n + 1, struct guard);
    struct condition *own = ARENA_ARRAY(arm->s->arena, n + 1, struct condition);
    const struct way *way;

    for (int k = 0; k < n; k++) {
        own[k] = condition[k];
        alternative[k] = (struct guard){&own[k], 1};
        if (!own[k].affine)
            return;
    }
    way = way_with_alternatives(&arm->s->ways, arm->way, alternative, n);
    arm->way = way ? way : arm->way;
}

static void add_comparison(struct arm *arm, const struct expr *comparison, bool truth)
{
    const enum expr_op op = truth ? comparison->op : op_opposite(comparison->op);
    struct arena *arena = arm->s->arena;
    const struct affine *a = value_of(arm, comparison->arg[0]), *b = value_of(arm, comparison->arg[1]);
    const struct affine *more = a && b ? affine_sub(arena, a, b) : NULL,
                        *less = a && b ? affine_sub(arena, b, a) : NULL;

    if (!more || !less)
        return;
    switch (op) {
    case OP_LT:
        add_either(arm, &(struct condition){affine_add_constant(arena, less, -1), false}, 1);
        break;
    case OP_LE:
        add_either(arm, &(struct condition){less, false}, 1);
        break;
    case OP_GT:
        add_either(arm, &(struct condition){affine_add_constant(arena, more, -1), false}, 1);
        break;
    case OP_GE:
        add_either(arm, &(struct condition){more, false}, 1);
        break;
    case OP_EQ:
        add_either(arm, &(struct condition){more, true}, 1);
        break;
    default:
        add_either(arm,
                   (const struct condition[]){{affine_add_constant(arena, less, -1), false},
                                              {affine_add_constant(arena, more, -1), false}},
                   2);
        break;
    }
}

/* Puts what the condition's truth says of indices on the way. */
static void add_truth(struct arm *arm, const struct expr *condition, bool truth)
{
    if (condition->kind == EXPR_UNARY && condition->op == OP_LNOT) {
        add_truth(arm, condition->arg[0], !truth);
        return;
    }
    if (condition->kind != EXPR_BINARY)
        return;
    if (condition->op == (truth ? OP_LAND : OP_LOR)) {
        add_truth(arm, condition->arg[0], truth);
        add_truth(arm, condition->arg[1], truth);
    } else if (condition->op >= OP_LT && condition->op <= OP_NE) {
        add_comparison(arm, condition, truth);
    }
}

const struct way *sources_way_of_arm(struct sourcing *s, const struct leaf *leaf, const struct choosing *where)
{
    struct arm arm = {s, leaf, leaf->way};

    for (; where; where = where->outer)
        add_truth(&arm, where->condition, where->truth);
    return arm.way;
}
