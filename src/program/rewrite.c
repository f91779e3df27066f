#include "program/rewrite.h"

#include <string.h>

struct program *program_copy(struct arena *arena, const struct program *program)
{
    struct program *copy = ARENA_NEW(arena, struct program);

    *copy = *program;
    copy->described = program->described ? program->described : program;
    copy->nest = ARENA_ARRAY(arena, program->n_nest + 1, struct nest);
    copy->statement = ARENA_ARRAY(arena, program->n_statement + 1, struct statement *);
    memcpy(copy->nest, program->nest, (size_t)program->n_nest * sizeof(*copy->nest));
    for (int s = 0; s < program->n_statement; s++) {
        copy->statement[s] = ARENA_NEW(arena, struct statement);
        *copy->statement[s] = *program->statement[s];
    }
    return copy;
}

void rewriting_add(struct rewriting *rewriting, const struct expr *old, struct expr *new)
{
    VEC_PUSH(rewriting->arena, &rewriting->list, ((struct replacement){old, new}));
}

static struct expr *with_args(const struct rewriting *rewriting, const struct expr *expr, struct expr **arg)
{
    struct expr *copy = ARENA_NEW(rewriting->arena, struct expr);

    *copy = *expr;
    copy->arg = arg;
    if (expr->array)
        copy->array = &rewriting->to[expr->array - rewriting->from];
    return copy;
}

struct expr *rewriting_apply(const struct rewriting *rewriting, struct expr *expr)
{
    struct expr **arg;
    bool changed;

    if (!expr)
        return NULL;
    for (int k = 0; k < rewriting->list.n; k++)
        if (rewriting->list.at[k].old == expr)
            return rewriting->list.at[k].new;
    changed = expr->array && rewriting->from != rewriting->to;
    arg = ARENA_ARRAY(rewriting->arena, expr->n_arg + 1, struct expr *);
    for (int k = 0; k < expr->n_arg; k++) {
        arg[k] = rewriting_apply(rewriting, expr->arg[k]);
        changed = changed || arg[k] != expr->arg[k];
    }
    return changed ? with_args(rewriting, expr, arg) : expr;
}
