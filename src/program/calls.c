#include "program/calls.h"

#include <string.h>

static bool is_called(enum function function, const char *name)
{
    const char *own = function_name(function);
    const size_t size = strlen(own);

    return function_is_library(function) && strncmp(name, own, size) == 0 &&
           (name[size] == '\0' || strcmp(name + size, "f") == 0);
}

static const struct expr *call_in(const struct expr *expr, const char *name)
{
    const struct expr *call = NULL;

    if (!expr || (expr->kind == EXPR_CALL && is_called(expr->function, name)))
        return expr;
    for (int k = 0; !call && k < expr->n_arg; k++)
        call = call_in(expr->arg[k], name);
    return call;
}

bool name_is_library_function(const char *name)
{
    for (enum function function = FUNCTION_MIN; function < FUNCTION_MOD; function++)
        if (is_called(function, name))
            return true;
    return false;
}

const struct expr *program_call(const struct program *program, const char *name)
{
    const struct expr *call = NULL;

    for (int s = 0; !call && s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        const struct expr *const parts[] = {statement->target, statement->value, statement->guard};

        for (size_t k = 0; !call && k < sizeof(parts) / sizeof(parts[0]); k++)
            call = call_in(parts[k], name);
    }
    return call;
}
