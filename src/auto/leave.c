#include "auto/leave.h"

#include <string.h>

struct leaving {
    const struct program *program;
    line_vec named; /* loops, labels, nests and arrays, as steps name them: "S.i", "mm" */
};

static void name_all(struct leaving *leaving, const struct value *value)
{
    if (value->kind == VALUE_STRING)
        VEC_PUSH(leaving->program->arena, &leaving->named, value->string);
    for (int k = 0; k < value->n_item; k++)
        name_all(leaving, &value->item[k]);
}

static void name_keys(struct leaving *leaving, const struct value *value)
{
    for (int k = 0; k < value->n_item; k++)
        VEC_PUSH(leaving->program->arena, &leaving->named, value->key[k]);
}

/* A map says of the statements in it where all of their iterations go. */
static void name_mapped(struct leaving *leaving, const struct value *map)
{
    for (int s = 0; s < leaving->program->n_statement; s++)
        if (strstr(map->string, leaving->program->statement[s]->label))
            VEC_PUSH(leaving->program->arena, &leaving->named, leaving->program->statement[s]->label);
}

static void name_of_arguments(struct leaving *leaving, const struct argument *argument, const struct value *object)
{
    for (; argument->key; argument++) {
        const struct value *value = value_member(object, argument->key);

        if (!value)
            continue;
        switch (argument->kind) {
        case ARGUMENT_LOOP:
        case ARGUMENT_LOOPS:
        case ARGUMENT_NESTS:
        case ARGUMENT_LAYOUT:
        case ARGUMENT_TEXT:
            name_all(leaving, value);
            break;
        case ARGUMENT_LOOP_INTS:
        case ARGUMENT_LOOP_NAMES:
        case ARGUMENT_LOOP_CHOICES:
            name_keys(leaving, value);
            break;
        case ARGUMENT_MAP:
            name_mapped(leaving, value);
            break;
        case ARGUMENT_OBJECT:
            name_of_arguments(leaving, argument->object->key, value);
            break;
        default:
            break;
        }
    }
}

/* Is the statement's label, or the name of its nest, the first size characters of text? */
static bool is_of(const struct statement *statement, const char *text, size_t size)
{
    const char *nest = statement->nest->name;

    return (strlen(statement->label) == size && memcmp(statement->label, text, size) == 0) ||
           (nest && strlen(nest) == size && memcmp(nest, text, size) == 0);
}

/* Is there a statement that both names, of a label or a nest, are of? */
static bool do_meet(const struct program *program, const char *a, size_t a_size, const char *b, size_t b_size)
{
    for (int s = 0; s < program->n_statement; s++)
        if (is_of(program->statement[s], a, a_size) && is_of(program->statement[s], b, b_size))
            return true;
    return false;
}

/* Do both name one loop or array, or the first a statement or nest around what the other names? */
static bool is_same(const struct program *program, const char *name, const char *other)
{
    const char *point = strchr(name, '.'), *other_point = strchr(other, '.');
    const char *loop = point ? point + 1 : name, *other_loop = other_point ? other_point + 1 : other;

    if (strcmp(loop, other_loop) == 0)
        return !point || !other_point ||
               do_meet(program, name, (size_t)(point - name), other, (size_t)(other_point - other));
    if (point)
        return false;
    if (!other_point)
        return program->n_statement == 1 && is_of(program->statement[0], name, strlen(name));
    return do_meet(program, name, strlen(name), other, (size_t)(other_point - other));
}

static bool is_named(const struct leaving *leaving, const char *name)
{
    for (int k = 0; k < leaving->named.n; k++)
        if (is_same(leaving->program, leaving->named.at[k], name))
            return true;
    return false;
}

/* Is something in quotes in one of the lines, which are steps, named? */
static bool any_named(const struct leaving *leaving, const line_vec *lines)
{
    for (int k = 0; k < lines->n; k++)
        for (const char *at = strchr(lines->at[k], '"'), *end; at && (end = strchr(at + 1, '"'));
             at = strchr(end + 1, '"'))
            if (is_named(leaving, arena_printf(leaving->program->arena, "%.*s", (int)(end - at - 1), at + 1)))
                return true;
    return false;
}

void leave_named(const struct program *program, int n_before, struct proposal *proposal)
{
    struct leaving leaving = {.program = program};

    for (int k = 0; k < n_before; k++)
        name_of_arguments(&leaving, program->schedule[k].primitive->argument, program->schedule[k].value);
    for (int c = 0; c < proposal->choice.n; c++) {
        struct choice *choice = proposal->choice.at[c];
        int n = 0;

        for (int k = 0; k < choice->option.n; k++)
            if (!any_named(&leaving, &choice->option.at[k]->schedule) &&
                !any_named(&leaving, &choice->option.at[k]->plan))
                choice->option.at[n++] = choice->option.at[k];
        choice->option.n = n;
    }
}
