#include "dep/sure.h"

#include "program/expr/affine.h"
#include "program/type.h"

/* Does it write the element that its subscripts name, if it runs at all? */
static bool is_direct(const struct reference *reference)
{
    const struct expr *expr = reference->access->expr;
    const char *why;

    for (int k = 0; k < expr->n_arg; k++)
        if (expr_affine_obstacle(expr->arg[k], &why))
            return false;
    return reference->access->write && !expr->view;
}

/* Is the condition, or each part of it, a part of the guard? */
static bool stands_in(const struct expr *guard, const struct expr *condition)
{
    const bool both = guard->kind == EXPR_BINARY && guard->op == OP_LAND;

    if (expr_equal(guard, condition))
        return true;
    if (condition->kind == EXPR_BINARY && condition->op == OP_LAND)
        return stands_in(guard, condition->arg[0]) && stands_in(guard, condition->arg[1]);
    return both && (stands_in(guard->arg[0], condition) || stands_in(guard->arg[1], condition));
}

/* A value as it is, whatever signs and conversions are around it. */
static bool is_operand(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST || expr->kind == EXPR_UNARY)
        expr = expr->arg[0];
    return expr->kind != EXPR_BINARY && expr->kind != EXPR_SELECT && expr->kind != EXPR_CALL;
}

/* One operation, rounded once, has one result. */
static bool is_lone(const struct expr *expr)
{
    return (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL) && is_operand(expr->arg[0]) &&
           is_operand(expr->arg[1]) && (expr->type == TYPE_F32 || expr->type == TYPE_F64);
}

static bool is_exact(enum function function)
{
    return function == FUNCTION_MIN || function == FUNCTION_MAX || function == FUNCTION_ABS;
}

/* Is there arithmetic that two statements may do in different ways? */
static bool may_differ(const struct expr *expr)
{
    bool differs =
        expr->permit && type_is_float(expr->type) &&
        ((expr->kind == EXPR_BINARY && !is_lone(expr)) || (expr->kind == EXPR_CALL && !is_exact(expr->function)));

    for (int k = 0; k < expr->n_arg && !differs; k++)
        differs = may_differ(expr->arg[k]);
    return differs;
}

bool condition_may_differ(const struct statement *writer, const struct statement *reader)
{
    return writer->guard && reader->guard && stands_in(reader->guard, writer->guard) && may_differ(writer->guard);
}

/* Of the pairs those in which the loops that expr names have one value in both. */
static __isl_give isl_map *equal_loops(__isl_take isl_map *pairs, const struct expr *expr)
{
    if (expr->kind == EXPR_LOOP)
        pairs = isl_map_equate(pairs, isl_dim_in, expr->loop, isl_dim_out, expr->loop);
    for (int k = 0; k < expr->n_arg; k++)
        pairs = equal_loops(pairs, expr->arg[k]);
    return pairs;
}

/* The pairs between which a write comes that is of an element of array which both read. */
static __isl_give isl_map *changed_between(const struct dependences *dependences, const struct dependence *dependence,
                                           const struct array *array)
{
    isl_union_map *before = isl_union_map_empty(isl_map_get_space(dependence->map)), *after;

    after = isl_union_map_copy(before);
    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *other = &dependences->list[k];
        if (other->from->array != array)
            continue;
        if (other->from->statement == dependence->from->statement && other->from->reads && other->to->writes)
            before = isl_union_map_union(before, isl_union_map_from_map(isl_map_copy(other->map)));
        if (other->to->statement == dependence->to->statement && other->to->reads && other->from->writes)
            after = isl_union_map_union(after, isl_union_map_from_map(isl_map_copy(other->map)));
    }
    before = isl_union_map_apply_range(before, after);
    isl_map *between = isl_union_map_extract_map(before, isl_map_get_space(dependence->map));
    isl_union_map_free(before);
    return between;
}

static bool is_written(const struct program *program, const struct array *array)
{
    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array)
            return true;
    return false;
}

static __isl_give isl_map *none_of(__isl_take isl_map *pairs)
{
    isl_map *none = isl_map_empty(isl_map_get_space(pairs));

    isl_map_free(pairs);
    return none;
}

/* Of the pairs those between which nothing changes what expr reads. */
static __isl_give isl_map *unchanged(const struct dependences *dependences, const struct dependence *dependence,
                                     __isl_take isl_map *pairs, const struct expr *expr)
{
    if (expr->kind == EXPR_ACCESS && is_written(dependences->program, expr->array)) {
        if (!dependences->complete)
            pairs = none_of(pairs);
        else
            pairs = isl_map_subtract(pairs, changed_between(dependences, dependence, expr->array));
    }
    for (int k = 0; k < expr->n_arg; k++)
        pairs = unchanged(dependences, dependence, pairs, expr->arg[k]);
    return pairs;
}

__isl_give isl_map *dependence_sure(const struct dependences *dependences, const struct dependence *dependence)
{
    const struct expr *guard = dependence->from->statement->guard, *around = dependence->to->statement->guard;
    isl_map *pairs = isl_map_copy(dependence->map);

    if (!dependence->from->may)
        return pairs;
    if (!guard || !around || !is_direct(dependence->from) || !stands_in(around, guard) || may_differ(guard))
        return none_of(pairs);
    pairs = equal_loops(pairs, guard);
    return unchanged(dependences, dependence, pairs, guard);
}
