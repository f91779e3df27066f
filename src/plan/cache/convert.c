/* A buffer of another type than its array.
 *
 * What is read is converted back to the array's type, and what is assigned has it, so that nothing changes as long as
 * the buffer's type holds all values. Updates `x op= e` go on in the buffer's type: that is the same for integers
 * modulo 2^n (+, -, *, &, |, ^), and other rounding for floats, which the program must permit.
 */
#include "plan/cache/copying.h"
#include "program/permit.h"

static bool converts(const struct region *region)
{
    return region->options.type != region->array->type;
}

static bool updates(const struct region *region, int k)
{
    return region_access(region, k)->write && region_statement(region, k)->op != OP_NONE;
}

static enum status check_update(const struct region *region, const struct statement *statement)
{
    const bool floats = type_is_float(region->array->type);

    if (floats && (statement_permit(region->schedule->program, statement) & PERMIT_APPROXIMATE))
        return STATUS_OK;
    if (!floats && !type_is_float(region->options.type) && op_is_modular(statement->op))
        return STATUS_OK;
    return edit_refuse(region->schedule, step_place(region->step, "type"), "type",
                       floats ? "\"permit\": [\"approximate\"] allows it" : NULL,
                       "%s updates `%s`, and results in %s are not those in %s", statement->label, region->array->name,
                       type_name(region->options.type), type_name(region->array->type));
}

/* What the buffer's type does not hold is rounded for each of them. */
static enum status check_values(const struct region *region, const struct statement *statement)
{
    const enum type from = region->array->type, to = region->options.type;

    if (type_holds(to, from) || (statement_permit(region->schedule->program, statement) & PERMIT_APPROXIMATE))
        return STATUS_OK;
    return edit_refuse(region->schedule, step_place(region->step, "type"), "type",
                       "\"permit\": [\"approximate\"] allows it", "%s does not hold every value of %s", type_name(to),
                       type_name(from));
}

enum status convert_check(const struct region *region)
{
    enum status status = STATUS_OK;

    for (int k = 0; converts(region) && k < region->list.n && status == STATUS_OK; k++) {
        status = check_values(region, region_statement(region, k));
        if (status == STATUS_OK && updates(region, k))
            status = check_update(region, region_statement(region, k));
    }
    return status;
}

/* Between updates elements may have values that the array's type has not. */
static bool holds_other_values(const struct region *region)
{
    for (int k = 0; k < region->list.n; k++)
        if (updates(region, k))
            return true;
    return !type_holds(region->options.type, region->array->type);
}

static bool is_back_conversion(const struct copies *copies, const struct expr *expr)
{
    return expr->kind == EXPR_CAST && expr->implicit && expr->arg[0]->kind == EXPR_ACCESS &&
           expr->arg[0]->array == copies->array;
}

/* Is what the array's type holds converted to type from the buffer's type as from that? Integers wrap around, which
 * floats do not. */
static bool converts_alike(const struct copies *copies, enum type type)
{
    const enum type own = copies->region->array->type, buffer = copies->array->type;

    return type_is_float(own) || !type_is_float(buffer) || type_is_float(type) || type_holds(type, own);
}

/* What is converted on, from the buffer's type; to the buffer's type, not at all. */
static struct expr *shorten(const struct copies *copies, struct expr *expr)
{
    if (expr->kind == EXPR_CAST && is_back_conversion(copies, expr->arg[0]) && converts_alike(copies, expr->type)) {
        expr->arg[0] = expr->arg[0]->arg[0];
        return expr->type == copies->array->type ? expr->arg[0] : expr;
    }
    for (int k = 0; k < expr->n_arg; k++)
        expr->arg[k] = shorten(copies, expr->arg[k]);
    return expr;
}

void convert_statements(struct copies *copies)
{
    const struct region *region = copies->region;
    const bool other = holds_other_values(region);

    for (int k = 0; converts(region) && k < region->list.n; k++) {
        struct statement *statement = copies->program->statement[region->list.at[k].statement];
        if (!other)
            statement->value = shorten(copies, statement->value);
        if (updates(region, k) && !type_is_float(region->array->type))
            statement->regrouped = true;
    }
}
