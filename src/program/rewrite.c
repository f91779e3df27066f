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

/* Every access expression of the original and its copy. */
static struct expr *copy_expr(struct rewriting *rewriting, const struct expr *expr)
{
    struct expr **arg, *copy;

    if (!expr)
        return NULL;
    arg = ARENA_ARRAY(rewriting->arena, expr->n_arg + 1, struct expr *);
    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = copy_expr(rewriting, expr->arg[k]);
    copy = with_args(rewriting, expr, arg);
    if (expr->kind == EXPR_ACCESS)
        rewriting_add(rewriting, expr, copy);
    return copy;
}

static void copy_expressions(struct rewriting *rewriting, struct statement *statement)
{
    struct access *access = ARENA_ARRAY(rewriting->arena, statement->n_access + 1, struct access);

    rewriting->list.n = 0;
    statement->target = copy_expr(rewriting, statement->target);
    statement->value = copy_expr(rewriting, statement->value);
    statement->guard = copy_expr(rewriting, statement->guard);
    for (int k = 0; k < statement->n_access; k++) {
        access[k] = statement->access[k];
        access[k].array = &rewriting->to[access[k].array - rewriting->from];
        access[k].expr = rewriting_apply(rewriting, (struct expr *)(uintptr_t)access[k].expr);
    }
    statement->access = access;
}

struct array *program_add_array(struct arena *arena, struct program *program)
{
    bool *unused = ARENA_ARRAY(arena, program->n_array + 1, bool);

    if (program->unused)
        memcpy(unused, program->unused, (size_t)program->n_array * sizeof(*unused));
    program->unused = unused;
    return &program->array[program->n_array++];
}

struct program *program_copy_arrays(struct arena *arena, const struct program *program)
{
    struct program *copy = program_copy(arena, program);
    struct rewriting rewriting = {.arena = arena, .from = program->array};

    copy->array = ARENA_ARRAY(arena, program->n_array + 1, struct array);
    memcpy(copy->array, program->array, (size_t)program->n_array * sizeof(*copy->array));
    rewriting.to = copy->array;
    for (int s = 0; s < copy->n_statement; s++)
        copy_expressions(&rewriting, copy->statement[s]);
    return copy;
}
