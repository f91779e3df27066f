#include "program/meet.h"

#include "program/expr/affine.h"

bool accesses_alike(const struct access *a, const struct access *b)
{
    return a->array == b->array && a->may == b->may && isl_map_plain_is_equal(a->map, b->map) == isl_bool_true &&
           (!a->may || expr_equal(a->expr, b->expr));
}

/* Does a conversion give different results for different integers? */
static bool keeps_apart(const struct expr *cast)
{
    const enum type from = cast->arg[0]->type, to = cast->type;

    return !type_is_float(from) && !type_is_float(to) && to != TYPE_BOOL && type_bits(to) >= type_bits(from);
}

static bool is_fixed(const struct expr *expr)
{
    return expr->kind == EXPR_INT || expr->kind == EXPR_PARAM || expr->kind == EXPR_SCALAR;
}

/* a and b are the same function, with different results for different arguments: number of the argument; -1: they need
 * not be. */
static int same_function(const struct expr *a, const struct expr *b)
{
    if (a->kind != b->kind || a->type != b->type)
        return -1;
    if (a->kind == EXPR_CAST)
        return keeps_apart(a) && keeps_apart(b) && a->arg[0]->type == b->arg[0]->type ? 0 : -1;
    if (a->kind != EXPR_BINARY || a->op != b->op || (a->op != OP_ADD && a->op != OP_SUB) || type_is_float(a->type))
        return -1;
    for (int k = 0; k < 2; k++)
        if (is_fixed(a->arg[k]) && expr_equal(a->arg[k], b->arg[k]))
            return 1 - k;
    return -1;
}

static bool is_affine(const struct expr *access)
{
    const char *why;

    for (int k = 0; k < access->n_arg; k++)
        if (expr_affine_obstacle(access->arg[k], &why))
            return false;
    return true;
}

/* Replaces subscripts by the elements of one array that decide whether they are equal, if these all differ; false:
 * there is none. */
static bool find_reads(const struct expr **a, const struct expr **b)
{
    int k;

    while ((*a)->kind != EXPR_ACCESS && (k = same_function(*a, *b)) >= 0) {
        *a = (*a)->arg[k];
        *b = (*b)->arg[k];
    }
    return (*a)->kind == EXPR_ACCESS && (*b)->kind == EXPR_ACCESS && (*a)->array == (*b)->array && is_affine(*a) &&
           is_affine(*b);
}

/* { S[..] -> [subscripts] } of an access in the statement whose instances space has. */
static __isl_give isl_map *read_map(const struct program *program, __isl_take isl_space *space,
                                    const struct expr *access)
{
    isl_space *map_space =
        isl_space_add_dims(isl_space_from_domain(isl_space_copy(space)), isl_dim_out, (unsigned)access->n_arg);
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(program->ctx, access->n_arg);

    for (int k = 0; k < access->n_arg; k++)
        list = isl_pw_aff_list_add(list, expr_pw_aff(space, access->arg[k]));
    isl_space_free(space);
    return isl_map_from_multi_pw_aff(isl_multi_pw_aff_from_pw_aff_list(map_space, list));
}

__isl_give isl_map *accesses_meeting(const struct program *program, const struct access *a, const struct access *b)
{
    isl_map *pairs = isl_map_apply_range(isl_map_copy(a->map), isl_map_reverse(isl_map_copy(b->map)));

    for (int k = 0; a->may && b->may && k < a->expr->n_arg && k < b->expr->n_arg; k++) {
        const struct expr *from = a->expr->arg[k], *to = b->expr->arg[k];
        isl_map *read;
        if (!find_reads(&from, &to) || !from->array->injective)
            continue;
        read = read_map(program, isl_space_domain(isl_map_get_space(b->map)), to);
        read = isl_map_apply_range(read_map(program, isl_space_domain(isl_map_get_space(a->map)), from),
                                   isl_map_reverse(read));
        pairs = isl_map_intersect(pairs, read);
    }
    return pairs;
}

const struct array *accesses_index(const struct access *a, const struct access *b)
{
    for (int k = 0; a->may && b->may && k < a->expr->n_arg && k < b->expr->n_arg; k++) {
        const struct expr *from = a->expr->arg[k], *to = b->expr->arg[k];
        if (find_reads(&from, &to) && !from->array->injective && from->array->role == ROLE_IN &&
            from->array->n_dim == 1)
            return from->array;
    }
    return NULL;
}

/* value is less than (or, unless strict, equal to) element [at] of a nondecreasing array; or (`below` not set) more. */
struct side {
    const struct array *array;
    const struct expr *at, *value;
    bool below, strict;
};

static const struct expr *uncast(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST && expr->type == TYPE_I64 && type_holds(TYPE_I64, expr->arg[0]->type))
        expr = expr->arg[0];
    return expr;
}

/* Is it an element of a nondecreasing array, or (`may` set) of one that could be said to be that? */
static bool is_monotone(const struct expr *expr, bool may)
{
    const char *why;

    return expr->kind == EXPR_ACCESS && (expr->array->nondecreasing || may) && expr->array->role == ROLE_IN &&
           expr->n_arg == 1 && !expr_affine_obstacle(expr->arg[0], &why);
}

/* A comparison in i64, which loses no value. */
static bool side_of(const struct expr *condition, bool may, struct side *side)
{
    const bool less = condition->op == OP_LT || condition->op == OP_LE;
    const struct expr *arg[2];
    const char *why;

    if (condition->kind != EXPR_BINARY || condition->op < OP_LT || condition->op > OP_GE ||
        condition->arg[0]->type != TYPE_I64)
        return false;
    for (int k = 0; k < 2; k++)
        arg[k] = uncast(condition->arg[k]);
    const int element = is_monotone(arg[0], may) ? 0 : 1;
    if (!is_monotone(arg[element], may) || expr_affine_obstacle(arg[1 - element], &why))
        return false;
    *side = (struct side){.array = arg[element]->array,
                          .at = arg[element]->arg[0],
                          .value = arg[1 - element],
                          .below = less == (element == 1),
                          .strict = condition->op == OP_LT || condition->op == OP_GT};
    return true;
}

enum { MOST_SIDES = 8 };

static int sides_of(const struct expr *condition, bool may, struct side *side, int n)
{
    if (!condition || n == MOST_SIDES)
        return n;
    if (condition->kind == EXPR_BINARY && condition->op == OP_LAND)
        return sides_of(condition->arg[1], may, side, sides_of(condition->arg[0], may, side, n));
    return n + side_of(condition, may, &side[n]);
}

/* Where value < p[at] at a and p[at'] <= value' at b, at <= at' makes value less than value'. pairs: { S -> T }, or
 * (swapped) { T -> S }. */
static __isl_give isl_map *where_sides(__isl_take isl_map *pairs, const struct side *a, const struct side *b,
                                       bool swapped)
{
    isl_space *from = isl_space_domain(isl_map_get_space(pairs)), *to = isl_space_range(isl_map_get_space(pairs));
    isl_space *own = swapped ? to : from, *other = swapped ? from : to;
    isl_pw_aff *at = expr_pw_aff(own, a->at), *at_other = expr_pw_aff(other, b->at);
    isl_pw_aff *value = expr_pw_aff(own, a->value), *value_other = expr_pw_aff(other, b->value);
    isl_map *possible;

    if (swapped) {
        possible = isl_map_union(isl_pw_aff_lt_map(at_other, at), a->strict || b->strict
                                                                      ? isl_pw_aff_gt_map(value_other, value)
                                                                      : isl_pw_aff_ge_map(value_other, value));
    } else {
        possible = isl_map_union(isl_pw_aff_gt_map(at, at_other), a->strict || b->strict
                                                                      ? isl_pw_aff_lt_map(value, value_other)
                                                                      : isl_pw_aff_le_map(value, value_other));
    }
    isl_space_free(from);
    isl_space_free(to);
    return isl_map_intersect(pairs, possible);
}

__isl_give isl_map *guards_meeting(__isl_take isl_map *pairs, const struct statement *s, const struct statement *t)
{
    struct side of_s[MOST_SIDES], of_t[MOST_SIDES];
    const int n_s = sides_of(s->guard, false, of_s, 0), n_t = sides_of(t->guard, false, of_t, 0);

    for (int k = 0; k < n_s; k++)
        for (int l = 0; l < n_t; l++)
            if (of_s[k].array == of_t[l].array && of_s[k].below != of_t[l].below)
                pairs = of_s[k].below ? where_sides(pairs, &of_s[k], &of_t[l], false)
                                      : where_sides(pairs, &of_t[l], &of_s[k], true);
    return pairs;
}

const struct array *guards_index(const struct statement *s, const struct statement *t)
{
    struct side of_s[MOST_SIDES], of_t[MOST_SIDES];
    const int n_s = sides_of(s->guard, true, of_s, 0), n_t = sides_of(t->guard, true, of_t, 0);

    for (int k = 0; k < n_s; k++)
        for (int l = 0; l < n_t; l++)
            if (of_s[k].array == of_t[l].array && of_s[k].below != of_t[l].below && !of_s[k].array->nondecreasing)
                return of_s[k].array;
    return NULL;
}
