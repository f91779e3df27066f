#include "program/permit.h"

unsigned statement_permit(const struct program *program, const struct statement *statement)
{
    return program->permit | (statement->nest ? statement->nest->permit : 0);
}

unsigned program_permit_everywhere(const struct program *program)
{
    unsigned everywhere = PERMIT_REASSOCIATE | PERMIT_CONTRACT | PERMIT_APPROXIMATE;

    for (int k = 0; k < program->n_nest; k++)
        if (program->nest[k].n_statement > 0)
            everywhere &= program->permit | program->nest[k].permit;
    return everywhere;
}

static void mark(struct expr *expr, unsigned permit)
{
    expr->permit = permit;
    for (int k = 0; k < expr->n_arg; k++)
        mark(expr->arg[k], permit);
}

void program_mark_permits(struct program *program)
{
    for (int s = 0; s < program->n_statement; s++) {
        struct statement *statement = program->statement[s];
        const unsigned permit = statement_permit(program, statement);

        mark(statement->value, permit);
        if (statement->guard)
            mark(statement->guard, permit);
    }
}
