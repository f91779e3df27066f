#include "program/precision.h"

#include "program/permit.h"

/* Is the expression's value a rounded one? That of a cast to more digits is counted where its operand is. */
static bool is_rounded(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY || expr->kind == EXPR_CALL ||
           (expr->kind == EXPR_CAST && type_is_float(expr->arg[0]->type));
}

static enum type rounded_in(const struct expr *expr)
{
    enum type least = is_rounded(expr) ? expr->type : TYPE_NONE;

    for (int k = 0; k < expr->n_arg; k++)
        least = type_less_precise(least, rounded_in(expr->arg[k]));
    return least;
}

/* By array, so far: the type with the fewest digits where values may be rounded otherwise, else TYPE_NONE. */
struct refining {
    const struct program *program;
    unsigned permit;
    enum type *least;
};

/* Of the values that a statement stores. */
static enum type stored_by(const struct refining *refining, const struct statement *statement)
{
    enum type least = TYPE_NONE;

    for (int k = 0; k < statement->n_access; k++)
        if (!statement->access[k].write)
            least = type_less_precise(least, refining->least[statement->access[k].array - refining->program->array]);
    if (least == TYPE_NONE && (statement_permit(refining->program, statement) | refining->permit) == 0)
        return TYPE_NONE;
    least = type_less_precise(least, statement->target->type);
    least = type_less_precise(least, rounded_in(statement->value));
    return statement->guard ? type_less_precise(least, rounded_in(statement->guard)) : least;
}

static bool refine(struct refining *refining)
{
    bool changed = false;

    for (int k = 0; k < refining->program->n_statement; k++) {
        const struct statement *statement = refining->program->statement[k];
        enum type *least = &refining->least[statement->target->array - refining->program->array];
        const enum type less = type_less_precise(*least, stored_by(refining, statement));

        changed |= less != *least;
        *least = less;
    }
    return changed;
}

const enum type *program_precision(struct arena *arena, const struct program *program, unsigned permit)
{
    struct refining refining = {program, permit, ARENA_ARRAY(arena, program->n_array + 1, enum type)};

    while (refine(&refining))
        ;
    for (int k = 0; k < program->n_array; k++)
        refining.least[k] = type_is_float(program->array[k].type)
                                ? type_less_precise(refining.least[k], program->array[k].type)
                                : TYPE_NONE;
    return refining.least;
}

void precision_add(struct precision *precision, struct arena *arena, const struct program *program)
{
    const enum type *type = program_precision(arena, program, 0);

    if (!precision->type) {
        precision->n = program->n_array;
        precision->type = ARENA_ARRAY(arena, precision->n + 1, enum type);
    }
    for (int k = 0; k < precision->n && k < program->n_array; k++)
        precision->type[k] = type_less_precise(precision->type[k], type[k]);
}
