#include "read/data_bounds.h"

#include "program/expr/affine.h"
#include "program/expr/range.h"

/* A bound that is one element, added or subtracted, and what is affine. */
struct data_bound {
    const struct expr *element;
    int sign;
};

/* Finds the element in expr, which is added (sign 1) or subtracted; false where expr has another form. */
static bool find_element(const struct expr *expr, int sign, struct data_bound *bound)
{
    const char *why;

    if (!expr_affine_obstacle(expr, &why))
        return true;
    if (expr->kind == EXPR_ACCESS && !bound->element) {
        *bound = (struct data_bound){expr, sign};
        return !type_is_float(expr->array->type) && expr->array->type != TYPE_BOOL;
    }
    return expr->kind == EXPR_BINARY && (expr->op == OP_ADD || expr->op == OP_SUB) &&
           find_element(expr->arg[0], sign, bound) &&
           find_element(expr->arg[1], expr->op == OP_ADD ? sign : -sign, bound);
}

static struct expr *copied(struct arena *arena, const struct expr *expr)
{
    struct expr *copy = ARENA_NEW(arena, struct expr);

    *copy = *expr;
    copy->arg = ARENA_ARRAY(arena, expr->n_arg, struct expr *);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k] = expr->arg[k];
    return copy;
}

static struct expr *number(struct arena *arena, struct place place, int64_t value)
{
    struct expr *expr = ARENA_NEW(arena, struct expr);

    *expr = (struct expr){.kind = EXPR_INT, .place = place, .integer = value};
    return expr;
}

static struct expr *binary(struct arena *arena, enum expr_op op, const struct expr *a, const struct expr *b)
{
    struct expr *expr = ARENA_NEW(arena, struct expr);

    *expr = (struct expr){.kind = EXPR_BINARY, .op = op, .place = a->place, .n_arg = 2};
    expr->arg = ARENA_ARRAY(arena, 2, struct expr *);
    expr->arg[0] = copied(arena, a);
    expr->arg[1] = copied(arena, b);
    return expr;
}

static bool uses_element(const struct expr *expr)
{
    bool uses = expr->kind == EXPR_LOOP;

    for (int k = 0; k < expr->n_arg && !uses; k++)
        uses = uses_element(expr->arg[k]);
    return uses;
}

/* What `values`, in which loop 0 is an element, gives as the element's least or (most) greatest value, or NULL. */
static const struct expr *end_of(struct arena *arena, const struct expr *values, bool most)
{
    const struct expr *left, *right;
    enum expr_op op = values->op;

    if (values->kind != EXPR_BINARY)
        return NULL;
    if (op == OP_LAND) {
        const struct expr *end = end_of(arena, values->arg[0], most);
        return end ? end : end_of(arena, values->arg[1], most);
    }
    if (op < OP_LT || op > OP_EQ)
        return NULL;
    const bool swapped = (op == OP_GT || op == OP_GE) != !most;
    left = op == OP_EQ && values->arg[0]->kind != EXPR_LOOP ? values->arg[1] : values->arg[swapped];
    right = left == values->arg[0] ? values->arg[1] : values->arg[0];
    if (left->kind != EXPR_LOOP || uses_element(right))
        return NULL;
    if (op == OP_LT || op == OP_GT)
        return binary(arena, most ? OP_SUB : OP_ADD, right, number(arena, right->place, 1));
    return right;
}

/* The least or greatest value of the element by `values` or its type. */
static const struct expr *extreme(struct arena *arena, const struct expr *element, bool most)
{
    const struct array *array = element->array;
    const struct expr *end = array->values ? end_of(arena, array->values, most) : NULL;
    const struct range range = type_range(array->type);

    if (end || (!type_is_short(array->type) && (most || type_is_signed(array->type))))
        return end;
    return number(arena, element->place, most ? range.greatest : range.least);
}

/* expr with `with` in the place of the element. */
static struct expr *replaced(struct arena *arena, const struct expr *expr, const struct expr *element,
                             const struct expr *with)
{
    struct expr *copy;

    if (expr == element)
        return copied(arena, with);
    copy = copied(arena, expr);
    for (int k = 0; k < copy->n_arg; k++)
        copy->arg[k] = replaced(arena, copy->arg[k], element, with);
    return copy;
}

/* As many bits as loops have. */
static struct expr *widened(struct arena *arena, const struct expr *element)
{
    struct expr *cast = ARENA_NEW(arena, struct expr);

    *cast = (struct expr){.kind = EXPR_CAST, .type = TYPE_I64, .place = element->place, .implicit = true, .n_arg = 1};
    cast->arg = ARENA_ARRAY(arena, 1, struct expr *);
    cast->arg[0] = copied(arena, element);
    return cast;
}

static bool refuse(struct reader *reader, const struct expr *bound, const char *what, const char *why)
{
    struct diag *diag = diag_error(reader->diags, "not-affine", bound->place, "%s is not affine: %s", what, why);

    diag_hint(reader->diags, diag, "a bound may be one element of an array of integers, with what is affine added");
    return false;
}

static bool refuse_range(struct reader *reader, const struct expr *element, bool most)
{
    const char *name = element->array->name;
    struct diag *diag = diag_error(reader->diags, "bound", element->place,
                                   "the elements of `%s` bound the loop, and nothing says how %s they can be", name,
                                   most ? "large" : "small");

    if (element->array->role == ROLE_IN && most)
        diag_hint(reader->diags, diag, "\"values\": \"0 <= %s <= ..\" on the array states it", name);
    else if (element->array->role == ROLE_IN)
        diag_hint(reader->diags, diag, "\"values\": \"0 <= %s\" on the array states it", name);
    else
        diag_hint(reader->diags, diag, "\"values\" states it of an array whose role is in");
    return false;
}

/* One of the loop's bounds. */
static bool replace_bound(struct reader *reader, const struct reading *reading, struct nest_loop *loop, int depth,
                          bool upper, struct expr **condition)
{
    struct arena *arena = reader->arena;
    struct expr **end = upper ? &loop->upper : &loop->lower, *bound = *end;
    const bool strict = upper ? loop->upper_strict : loop->lower_strict;
    const char *what = upper ? "the upper bound" : "the lower bound", *why;
    const struct expr variable = {.kind = EXPR_LOOP, .loop = depth, .place = loop->place};
    struct data_bound data = {0};

    const struct expr *obstacle = expr_affine_obstacle(bound, &why);
    if (!obstacle || obstacle->kind != EXPR_ACCESS)
        return require_affine(reading, bound, what);
    if (!find_element(bound, 1, &data))
        return refuse(reader, obstacle, what, why);
    const bool most = upper == (data.sign > 0);
    const struct expr *range = extreme(arena, data.element, most);
    if (!range)
        return refuse_range(reader, data.element, most);
    const struct expr *own = replaced(arena, bound, data.element, widened(arena, data.element));
    const enum expr_op op = strict ? OP_LT : OP_LE;
    *condition = upper ? binary(arena, op, &variable, own) : binary(arena, op, own, &variable);
    *end = replaced(arena, bound, data.element, range);
    return true;
}

bool data_bounds(struct reader *reader, const struct reading *reading, struct nest_loop *loop, int depth,
                 struct expr **condition)
{
    struct expr *says[2] = {NULL, NULL};

    *condition = NULL;
    for (int upper = 0; upper < 2; upper++)
        if ((upper || loop->lower) && !replace_bound(reader, reading, loop, depth, upper, &says[upper]))
            return false;
    if (loop->step != 1 && says[loop->step < 0]) {
        diag_error(reader->diags, "bound", loop->place,
                   "the first value of a loop with the step %d is not read from an array", (int)loop->step);
        return false;
    }
    *condition = says[0] && says[1] ? binary(reader->arena, OP_LAND, says[0], says[1]) : says[0] ? says[0] : says[1];
    return true;
}
