#include "read/made.h"

#include "program/expr/index_expr.h"

#include <ctype.h>
#include <string.h>

struct expr *made_expr(struct reader *reader, enum expr_kind kind, struct place place)
{
    struct expr *expr = ARENA_NEW(reader->arena, struct expr);

    expr->kind = kind;
    expr->place = place;
    return expr;
}

struct expr *made_element(struct reader *reader, const struct array *array)
{
    struct expr *access = made_expr(reader, EXPR_ACCESS, array->place);

    access->array = array;
    access->n_arg = array->n_dim;
    access->arg = ARENA_ARRAY(reader->arena, access->n_arg + 1, struct expr *);
    for (int k = 0; k < access->n_arg; k++) {
        access->arg[k] = made_expr(reader, EXPR_LOOP, array->place);
        access->arg[k]->loop = k;
    }
    return access;
}

static bool is_of_word(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

/* Is it a word of the description, be it only the name of a loop or label that is not read yet? */
static bool is_written(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length]))
            return true;
    return false;
}

const char *made_name(struct reader *reader, const char *wanted, const struct scope *scope)
{
    const struct program *program = reader->program;
    const char *name = program_default_name(reader->arena, program, wanted, scope->loop, scope->n_loop);

    for (int k = 1; is_written(program->source->text, name); k++)
        name = program_default_name(reader->arena, program, arena_printf(reader->arena, "%s_%d", wanted, k),
                                    scope->loop, scope->n_loop);
    return name;
}

struct array *made_temporary(struct reader *reader, const char *wanted, const struct scope *scope, enum type type,
                             struct place place)
{
    struct program *program = reader->program;
    struct array *array = &program->array[program->n_array];

    *array = (struct array){
        .place = place, .role = ROLE_TEMP, .type = type, .n_dim = scope->n_loop, .n_iteration = scope->n_loop};
    array->name = made_name(reader, wanted, scope);
    array->shape = ARENA_ARRAY(reader->arena, array->n_dim + 1, struct expr *);
    for (int k = 0; k < array->n_dim; k++)
        array->shape[k] = index_constant(reader->arena, 1);
    program->n_array++;
    return array;
}
