/* Which lanes of a vector run their instance: counts, masks and conditions on indices, as limits on a way. */
#include "lower/ways/way.h"

enum { MOST_ALTERNATIVES = 16 };

typedef VEC(struct guard) guard_vec;

/* A lane, and where names are looked up. */
struct looking {
    struct ways *ways;
    const struct way *way;
    const struct affine *lane;
};

static bool lost(struct looking *looking)
{
    ways_lost(looking->ways, "masks that are computed");
    return false;
}

static bool add_condition(struct looking *looking, const struct affine *affine, bool equal, guard_vec *any)
{
    struct condition *condition = ARENA_NEW(looking->ways->arena, struct condition);

    *condition = (struct condition){affine, equal};
    VEC_PUSH(looking->ways->arena, any, ((struct guard){condition, 1}));
    return affine;
}

/* One of a and one of b hold. */
static bool add_both(struct looking *looking, const guard_vec *a, const guard_vec *b, guard_vec *any)
{
    struct arena *arena = looking->ways->arena;

    if (a->n * b->n > MOST_ALTERNATIVES)
        return lost(looking);
    for (int k = 0; k < a->n * b->n; k++) {
        const struct guard *one = &a->at[k / b->n], *other = &b->at[k % b->n];
        struct condition *condition = ARENA_ARRAY(arena, one->n + other->n + 1, struct condition);
        memcpy(condition, one->condition, (size_t)one->n * sizeof(*condition));
        memcpy(condition + one->n, other->condition, (size_t)other->n * sizeof(*condition));
        VEC_PUSH(arena, any, ((struct guard){condition, one->n + other->n}));
    }
    return true;
}

/* The number in the lane; NULL: it is none of counts. */
static const struct affine *number(struct looking *looking, const struct tree_expr *expr)
{
    struct arena *arena = looking->ways->arena;
    const struct way *name;

    switch (expr->kind) {
    case TREE_INT:
        return affine_constant(arena, expr->integer);
    case TREE_INDEX:
        return way_value(looking->ways, looking->way, expr->affine);
    case TREE_RAMP:
        if (expr->list)
            return ways_lost(looking->ways, "masks that are computed");
        return affine_combine(arena, way_value(looking->ways, looking->way, expr->affine), 1, looking->lane,
                              expr->integer);
    case TREE_CAST:
        return type_is_float(expr->type) ? ways_lost(looking->ways, "masks that are computed")
                                         : number(looking, expr->arg[0]);
    case TREE_NAMED:
        name = way_find(looking->way, expr->var);
        if (name && name->kind == WAY_LET && name->let->value->kind != TREE_MASK)
            return number(&(struct looking){looking->ways, name->outer, looking->lane}, name->let->value);
        return ways_lost(looking->ways, "masks that are computed");
    case TREE_BINARY:
        if (expr->op == OP_ADD || expr->op == OP_SUB)
            return affine_combine(arena, number(looking, expr->arg[0]), 1, number(looking, expr->arg[1]),
                                  expr->op == OP_ADD ? 1 : -1);
        return ways_lost(looking->ways, "masks that are computed");
    default:
        return ways_lost(looking->ways, "masks that are computed");
    }
}

/* a >= b + least */
static bool add_least(struct looking *looking, const struct affine *a, const struct affine *b, int64_t least,
                      guard_vec *any)
{
    const struct affine *difference = a && b ? affine_sub(looking->ways->arena, a, b) : NULL;

    return add_condition(looking, affine_add_constant(looking->ways->arena, difference, -least), false, any) ||
           lost(looking);
}

static bool add_comparison(struct looking *looking, const struct tree_expr *expr, bool holds, guard_vec *any)
{
    const struct affine *a = number(looking, expr->arg[0]), *b = number(looking, expr->arg[1]);
    const enum expr_op op = holds ? expr->op : op_opposite(expr->op);

    switch (op) {
    case OP_LT:
        return add_least(looking, b, a, 1, any);
    case OP_LE:
        return add_least(looking, b, a, 0, any);
    case OP_GT:
        return add_least(looking, a, b, 1, any);
    case OP_GE:
        return add_least(looking, a, b, 0, any);
    case OP_EQ:
        return (a && b && add_condition(looking, affine_sub(looking->ways->arena, a, b), true, any)) || lost(looking);
    default:
        return add_least(looking, a, b, 1, any) && add_least(looking, b, a, 1, any);
    }
}

static bool add_truth(struct looking *looking, const struct tree_expr *expr, bool holds, guard_vec *any);

static bool add_operation(struct looking *looking, const struct tree_expr *expr, bool holds, guard_vec *any)
{
    guard_vec side[2] = {{0}};

    switch (expr->op) {
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE:
        return add_comparison(looking, expr, holds, any);
    case OP_LAND:
    case OP_LOR:
        if ((expr->op == OP_LOR) == holds)
            return add_truth(looking, expr->arg[0], holds, any) && add_truth(looking, expr->arg[1], holds, any);
        return add_truth(looking, expr->arg[0], holds, &side[0]) && add_truth(looking, expr->arg[1], holds, &side[1]) &&
               add_both(looking, &side[0], &side[1], any);
    default:
        return lost(looking);
    }
}

/* The lane is below count, or not. */
static bool add_below(struct looking *looking, const struct affine *count, bool holds, guard_vec *any)
{
    return holds ? add_least(looking, count, looking->lane, 1, any) : add_least(looking, looking->lane, count, 0, any);
}

/* How much more each register of an array of masks has than the one before; false: not always as much. */
static bool each_step(struct looking *looking, const struct vector *vector, int64_t *step)
{
    struct arena *arena = looking->ways->arena;

    *step = 0;
    for (int k = 1; k < vector->registers; k++) {
        const struct affine *more = affine_sub(arena, vector->each[k], vector->each[k - 1]);
        int64_t own;
        if (!more || !affine_is_constant(more, &own) || (k > 1 && own != *step))
            return false;
        *step = own;
    }
    return true;
}

/* The lanes of an array of masks: in register number k those below each[k]. */
static bool add_each(struct looking *looking, const struct vector *vector, const struct affine *place, guard_vec *any)
{
    struct arena *arena = looking->ways->arena;
    int64_t step;

    if (each_step(looking, vector, &step)) {
        const struct affine *first = way_value(looking->ways, looking->way, vector->each[0]);
        guard_vec below = {0}, from = {0}, to = {0}, both = {0};
        return first && add_below(looking, affine_combine(arena, first, 1, place, step), true, &below) &&
               add_condition(looking, place, false, &from) &&
               add_least(looking, affine_constant(arena, vector->registers - 1), place, 0, &to) &&
               add_both(looking, &below, &from, &both) && add_both(looking, &both, &to, any);
    }
    for (int k = 0; k < vector->registers && k < MOST_ALTERNATIVES; k++) {
        guard_vec here = {0}, below = {0};
        if (!add_condition(looking, affine_add_constant(arena, place, -k), true, &here) ||
            !add_below(looking, way_value(looking->ways, looking->way, vector->each[k]), true, &below) ||
            !add_both(looking, &here, &below, any))
            return false;
    }
    return vector->registers <= MOST_ALTERNATIVES || lost(looking);
}

/* Where what a LET calls var is true in the lane; place, of counts: which one of an array. */
static bool add_named(struct looking *looking, const struct var *var, const struct affine *place, bool holds,
                      guard_vec *any)
{
    const struct way *name = way_find(looking->way, var);
    const struct node *let = name && name->kind == WAY_LET ? name->let : NULL;
    struct looking there = {looking->ways, name ? name->outer : NULL, looking->lane};

    if (!let)
        return lost(looking);
    if (let->value->kind != TREE_MASK || let->value->affine)
        return add_truth(&there, let->value, holds, any);
    if (!holds || !let->vector || let->vector->mask || let->vector->active)
        return lost(looking);
    if (let->vector->each)
        return place ? add_each(&there, let->vector, place, any) : lost(looking);
    return let->vector->count ? add_below(&there, way_value(looking->ways, there.way, let->vector->count), true, any)
                              : lost(looking);
}

static bool add_truth(struct looking *looking, const struct tree_expr *expr, bool holds, guard_vec *any)
{
    switch (expr->kind) {
    case TREE_UNARY:
        return expr->op == OP_LNOT ? add_truth(looking, expr->arg[0], !holds, any) : lost(looking);
    case TREE_BINARY:
        return add_operation(looking, expr, holds, any);
    case TREE_CAST:
        return type_is_float(expr->type) ? lost(looking) : add_truth(looking, expr->arg[0], holds, any);
    case TREE_MASK:
        return expr->affine ? add_below(looking, way_value(looking->ways, looking->way, expr->affine), holds, any)
                            : lost(looking);
    case TREE_NAMED:
        return add_named(looking, expr->var, expr->affine ? way_value(looking->ways, looking->way, expr->affine) : NULL,
                         holds, any);
    default:
        return lost(looking);
    }
}

/* One of the alternatives, of counts already, holds. */
static const struct way *limited(struct looking *looking, const guard_vec *any)
{
    const struct way *way = looking->way;
    bool equal = any->n != 1;

    for (int k = 0; any->n == 1 && k < any->at[0].n; k++)
        equal = equal || any->at[0].condition[k].equal;
    if (equal)
        return way_with_alternatives(looking->ways, way, any->at, any->n);
    for (int k = 0; k < any->at[0].n && way; k++)
        way = way_with_least(looking->ways, way, any->at[0].condition[k].affine);
    return way;
}

const struct way *way_in_lanes(struct ways *ways, const struct way *way, const struct node *node,
                               const struct var *lane)
{
    const struct vector *vector = node->vector;
    struct looking looking = {ways, way, way_value(ways, way, affine_var(ways->arena, lane))};
    const struct affine *place = NULL;
    guard_vec any = {0}, of_mask = {0};

    if (vector->count) {
        const struct affine *count = way_value(ways, way, vector->count);
        if (!count || !add_below(&looking, count, true, &any))
            return NULL;
        looking.way = limited(&looking, &any);
    }
    if (vector->active) {
        any = (guard_vec){0};
        if (!add_truth(&looking, vector->active, true, &any))
            return NULL;
        looking.way = limited(&looking, &any);
    }
    if (vector->mask) {
        place = vector->mask_place ? way_value(ways, way, vector->mask_place) : NULL;
        if ((vector->mask_place && !place) || !add_named(&looking, vector->mask, place, true, &of_mask))
            return NULL;
        looking.way = limited(&looking, &of_mask);
    }
    return looking.way;
}
