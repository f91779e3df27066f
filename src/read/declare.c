/* Parameters, assumptions, scalars and permissions. */
#include "program/expr/affine.h"
#include "program/isl_text.h"
#include "read/reader.h"

#include <string.h>

static void read_param_name(struct reader *reader, const struct value *name, void *into)
{
    struct param *param = into;

    if (!check_new_name(reader, name->string, name->place, "a parameter"))
        return;
    param->name = name->string;
    param->place = name->place;
}

static void read_param_type(struct reader *reader, const struct value *type, void *into)
{
    struct param *param = into;

    (void)reader;
    type_by_name(type->string, &param->type);
}

static const struct argument param_keys[] = {
    {.key = "name", .kind = ARGUMENT_NAME, .required = true, .doc = "of the parameter", .read = read_param_name},
    {.key = "type",
     .kind = ARGUMENT_CHOICE,
     .choices = "i64 i32",
     .fallback = "i64",
     .doc = "its type in C",
     .read = read_param_type},
    {0},
};
const struct object_type object_param = {
    .name = "parameter",
    .title = "a parameter",
    .rule = "An integer that sizes and bounds are made of, an argument of the function. The name alone is an `i64`.",
    .key = param_keys};

static bool read_param(struct reader *reader, const struct value *value, struct param *param)
{
    param->type = TYPE_I64;
    if (value->kind == VALUE_OBJECT)
        return read_object(reader, &object_param, value, param);
    if (check_kind(reader, value, VALUE_STRING, "a parameter"))
        read_param_name(reader, value, param);
    return param->name != NULL;
}

void read_params(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    program->param = ARENA_ARRAY(reader->arena, list->n_item, struct param);
    for (int k = 0; k < list->n_item; k++)
        if (read_param(reader, &list->item[k], &program->param[program->n_param]))
            program->n_param++;
        else
            reader->undeclared = true;
}

__isl_keep isl_set *reader_assumed(struct reader *reader)
{
    if (!reader->assumed)
        reader->assumed = isl_set_universe(program_params_space(reader->program));
    return reader->assumed;
}

static __isl_give isl_set *read_constraint(struct reader *reader, const struct value *string)
{
    const struct scope scope = {.program = reader->program};
    const struct reading reading = {reader->arena, reader->diags, &scope};
    const struct expr *condition = parse_condition(&reading, string), *obstacle;
    const char *why;
    isl_space *space;
    isl_set *set;

    if (!condition)
        return NULL;
    obstacle = expr_condition_obstacle(condition, &why);
    if (obstacle) {
        diag_error(reader->diags, "not-affine", obstacle->place, "an assumption is an affine condition: %s", why);
        return NULL;
    }
    space = program_params_space(reader->program);
    set = expr_set(space, condition);
    isl_space_free(space);
    return set;
}

static bool is_isl_set(const char *text)
{
    while (*text == ' ')
        text++;
    return *text == '{' || *text == '[';
}

static void read_assumption(struct reader *reader, const struct value *value)
{
    struct program *program = reader->program;
    isl_set *set;

    if (!check_comment(reader->diags, value))
        return;
    set = is_isl_set(value->string) ? isl_text_params(program, value, reader->diags) : read_constraint(reader, value);
    if (!set)
        return;
    reader_assumed(reader);
    reader->assumed = isl_set_intersect(reader->assumed, set);
    program->assume[program->n_assume++] = value->string;
}

void read_assumptions(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    if (reader->unread)
        return;
    program->assume = ARENA_ARRAY(reader->arena, list->n_item, const char *);
    for (int k = 0; k < list->n_item; k++)
        read_assumption(reader, &list->item[k]);
}

static void read_scalar_name(struct reader *reader, const struct value *name, void *into)
{
    struct scalar *scalar = into;

    if (!check_new_name(reader, name->string, name->place, "a scalar"))
        return;
    scalar->name = name->string;
    scalar->place = name->place;
}

static void read_scalar_type(struct reader *reader, const struct value *type, void *into)
{
    struct scalar *scalar = into;

    (void)reader;
    type_by_name(type->string, &scalar->type);
}

static const struct argument scalar_keys[] = {
    {.key = "name", .kind = ARGUMENT_NAME, .required = true, .doc = "of the scalar", .read = read_scalar_name},
    {.key = "type",
     .kind = ARGUMENT_CHOICE,
     .words = type_names,
     .required = true,
     .doc = "its type",
     .read = read_scalar_type},
    {0},
};
const struct object_type object_scalar = {.name = "scalar",
                                          .title = "a scalar",
                                          .rule = "An argument that is one value, which no statement changes.",
                                          .key = scalar_keys};

void read_scalars(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    program->scalar = ARENA_ARRAY(reader->arena, list->n_item, struct scalar);
    for (int k = 0; k < list->n_item; k++)
        if (read_object(reader, &object_scalar, &list->item[k], &program->scalar[program->n_scalar]))
            program->n_scalar++;
        else
            reader->undeclared = true;
}

const struct argument form_permit[] = {
    {.key = "permission", .kind = ARGUMENT_CHOICE, .choices = "reassociate contract approximate"}};

void read_permit(struct reader *reader, const struct value *list, void *into)
{
    unsigned *permit = into;

    for (int k = 0; k < list->n_item; k++)
        *permit |= 1u << argument_number(reader->arena, form_permit, list->item[k].string);
}
