/* Steps of "schedule" and "plan", checked against the descriptors of the primitives. */
#include "base/names.h"
#include "program/expr/typing.h"
#include "program/isl_text.h"
#include "read/reader.h"

#include <inttypes.h>
#include <string.h>

static bool bad(struct reader *reader, const struct value *value, const char *key, const char *wanted)
{
    diag_error(reader->diags, "argument", value->place, "\"%s\" must be %s", key, wanted);
    return false;
}

/* The same of an argument with several values, with the value as one of these. */
static bool bad_shape(struct reader *reader, const struct argument *argument, const struct value *value,
                      const char *wanted)
{
    suggest_shape(reader, argument, value,
                  diag_error(reader->diags, "argument", value->place, "\"%s\" must be %s", argument->key, wanted));
    return false;
}

/* A name, or two with a point between. */
static bool is_loop_reference(const char *text)
{
    const char *point = strchr(text, '.');
    char first[256];

    if (!point)
        return name_is_identifier(text);
    if ((size_t)(point - text) >= sizeof(first))
        return false;
    memcpy(first, text, (size_t)(point - text));
    first[point - text] = '\0';
    return name_is_identifier(first) && name_is_identifier(point + 1);
}

static bool check_loop(struct reader *reader, const struct argument *argument, const struct value *value)
{
    if (value->kind == VALUE_STRING && is_loop_reference(value->string))
        return true;
    return bad(reader, value, argument->key, "a loop, as in \"i\", \"nest.i\" or \"label.i\"");
}

static bool check_int(struct reader *reader, const struct argument *argument, const struct value *value)
{
    if (value->kind != VALUE_INT)
        return bad(reader, value, argument->key, "an integer");
    if (value->integer >= argument->minimum && (!argument->maximum || value->integer <= argument->maximum))
        return true;
    if (argument->maximum)
        diag_error(reader->diags, "range", value->place, "\"%s\" must be from %" PRId64 " to %" PRId64, argument->key,
                   argument->minimum, argument->maximum);
    else
        diag_error(reader->diags, "range", value->place, "\"%s\" must be at least %" PRId64, argument->key,
                   argument->minimum);
    return false;
}

static bool check_any_int(struct reader *reader, const struct argument *argument, const struct value *value)
{
    return value->kind == VALUE_INT || bad(reader, value, argument->key, "an integer");
}

static bool check_new(struct reader *reader, const struct argument *argument, const struct value *value)
{
    if (value->kind != VALUE_STRING)
        return bad(reader, value, argument->key, "a new name");
    return check_local_name(reader, value->string, value->place, "a loop or buffer");
}

static bool check_affine(struct reader *reader, const struct argument *argument, const struct value *value)
{
    return read_affine(reader, value, arena_printf(reader->arena, "\"%s\"", argument->key)) != NULL;
}

static bool check_text(struct reader *reader, const struct argument *argument, const struct value *value)
{
    if (value->kind != VALUE_STRING)
        return bad(reader, value, argument->key, "a string");
    return check_comment(reader->diags, value);
}

static bool reads_array(const struct expr *expr)
{
    bool reads = expr->kind == EXPR_ACCESS;

    for (int k = 0; k < expr->n_arg && !reads; k++)
        reads = reads_array(expr->arg[k]);
    return reads;
}

bool read_condition(struct reader *reader, const char *key, struct value *value)
{
    const struct scope scope = {.program = reader->program};
    const struct reading reading = {reader->arena, reader->diags, &scope};
    const struct expr *condition;

    if (value->kind != VALUE_STRING)
        return bad(reader, value, key, "a string with a condition of the parameters");
    condition = parse_condition(&reading, value);
    if (condition && reads_array(condition))
        return bad(reader, value, key, "a condition of parameters and scalars, not of arrays");
    value->condition = condition ? condition_typed(reader->arena, reader->diags, condition) : NULL;
    return value->condition != NULL;
}

static bool check_map(struct reader *reader, const struct argument *argument, const struct value *value)
{
    isl_union_map *map = NULL;

    if (check_text(reader, argument, value))
        map = isl_text_union_map(reader->program, value, reader->diags);
    isl_union_map_free(map);
    return map != NULL;
}

static bool check_choice(struct reader *reader, const struct argument *argument, const struct value *value)
{
    if (value->kind != VALUE_STRING)
        return bad(reader, value, argument->key, arena_printf(reader->arena, "one of %s", argument->choices));
    return choose(reader, value, argument_words(reader->arena, argument), argument->key) >= 0;
}

typedef bool (*check_function)(struct reader *reader, const struct argument *argument, const struct value *value);

static bool check_list(struct reader *reader, const struct argument *argument, const struct value *value,
                       check_function check)
{
    bool good = true;

    if (value->kind != VALUE_LIST)
        return bad_shape(reader, argument, value, "a list");
    for (int k = 0; k < value->n_item; k++)
        good &= check(reader, argument, &value->item[k]);
    return good;
}

/* An object from loops to what check wants. */
static bool check_object(struct reader *reader, const struct argument *argument, const struct value *value,
                         check_function check)
{
    bool good = true;

    if (value->kind != VALUE_OBJECT)
        return bad_shape(reader, argument, value, "an object with loops as keys");
    for (int k = 0; k < value->n_item; k++) {
        if (!is_loop_reference(value->key[k])) {
            diag_error(reader->diags, "argument", value->key_place[k], "\"%s\" is no loop", value->key[k]);
            good = false;
        }
        good &= check(reader, argument, &value->item[k]);
    }
    return good;
}

static bool check_value(struct reader *reader, const struct argument *argument, struct value *value);

static bool check_members(struct reader *reader, const struct argument *argument, const struct value *value)
{
    const struct object_type *object = argument->object;
    bool good = true;

    if (value->kind != VALUE_OBJECT || (object->not_empty && value->n_item == 0))
        return bad(reader, value, argument->key, object->title);
    for (int k = 0; k < value->n_item; k++) {
        const struct argument *key = find_key(object->key, value->key[k]);

        if (!key)
            unknown_key(reader, value, k, object->key, arena_printf(reader->arena, "\"%s\"", argument->key));
        good &= key && check_value(reader, key, &value->item[k]);
    }
    return good;
}

static bool check_layout(struct reader *reader, const struct argument *argument, const struct value *value)
{
    if (value->kind == VALUE_LIST)
        return check_list(reader, argument, value, check_loop);
    if (value->kind == VALUE_STRING &&
        (strcmp(value->string, "row_major") == 0 || strcmp(value->string, "col_major") == 0))
        return true;
    return bad(reader, value, argument->key, "\"row_major\", \"col_major\" or a list of loops");
}

static bool check_value(struct reader *reader, const struct argument *argument, struct value *value)
{
    switch (argument->kind) {
    case ARGUMENT_LOOP:
    case ARGUMENT_STATEMENT:
        return check_loop(reader, argument, value);
    case ARGUMENT_LOOPS:
    case ARGUMENT_NESTS:
        return check_list(reader, argument, value, check_loop);
    case ARGUMENT_OBJECT:
        return check_members(reader, argument, value);
    case ARGUMENT_LAYOUT:
        return check_layout(reader, argument, value);
    case ARGUMENT_INT:
        return check_int(reader, argument, value);
    case ARGUMENT_INTS:
        return check_list(reader, argument, value, check_any_int);
    case ARGUMENT_BOOL:
        return value->kind == VALUE_BOOL || bad(reader, value, argument->key, "true or false");
    case ARGUMENT_NAME:
        return check_new(reader, argument, value);
    case ARGUMENT_NAMES:
        return check_list(reader, argument, value, check_new);
    case ARGUMENT_AFFINE:
        return check_affine(reader, argument, value);
    case ARGUMENT_AFFINES:
        return check_list(reader, argument, value, check_affine);
    case ARGUMENT_MAP:
        return check_map(reader, argument, value);
    case ARGUMENT_CHOICE:
        return check_choice(reader, argument, value);
    case ARGUMENT_LOOP_INTS:
        return check_object(reader, argument, value, check_int);
    case ARGUMENT_LOOP_CHOICES:
        return check_object(reader, argument, value, check_choice);
    case ARGUMENT_LOOP_NAMES:
        return check_object(reader, argument, value, check_new);
    case ARGUMENT_CONDITION:
        return read_condition(reader, argument->key, value);
    default:
        return check_text(reader, argument, value);
    }
}

static void unknown_argument(struct reader *reader, const struct primitive *primitive, const struct value *object,
                             int k)
{
    VEC(const char *) keys = {0};
    struct diag *diag = diag_error(reader->diags, "unknown-key", object->key_place[k], "`%s` has no argument \"%s\"",
                                   primitive->name, object->key[k]);

    for (const struct argument *argument = primitive->argument; argument->key; argument++)
        VEC_PUSH(reader->arena, &keys, argument->key);
    VEC_PUSH(reader->arena, &keys, step_unsafe.key);
    if (find_primitive(reader->schedule_primitives, object->key[k]) ||
        find_primitive(reader->plan_primitives, object->key[k]))
        diag_hint(reader->diags, diag, "`%s` is a step of its own, in an object of its own", object->key[k]);
    else
        suggest(reader, diag, object->key[k], keys.at, keys.n);
}

static void check_arguments(struct reader *reader, const struct primitive *primitive, const struct value *object)
{
    for (int k = 0; k < object->n_item; k++) {
        const struct argument *argument = find_key(primitive->argument, object->key[k]);

        if (argument)
            check_value(reader, argument, &object->item[k]);
        else if (strcmp(object->key[k], step_unsafe.key) != 0)
            unknown_argument(reader, primitive, object, k);
    }
    for (const struct argument *argument = primitive->argument; argument->key; argument++)
        if (argument->required && !value_member(object, argument->key))
            diag_error(reader->diags, "missing-key", object->place, "`%s` needs \"%s\": %s", primitive->name,
                       argument->key, argument->doc ? argument->doc : "");
}

/* A step of the other list. */
static void suggest_list(struct reader *reader, struct diag *diag, const char *key,
                         const struct primitive *const *primitives)
{
    const bool in_plan = primitives == reader->plan_primitives;

    if (find_primitive(in_plan ? reader->schedule_primitives : reader->plan_primitives, key))
        diag_hint(reader->diags, diag, "`%s` is a step of the %s: it goes into \"%s\"", key,
                  in_plan ? "schedule" : "plan", in_plan ? "schedule" : "plan");
}

static void unknown_step(struct reader *reader, const struct value *object, const struct primitive *const *primitives)
{
    VEC(const char *) names = {0};
    const struct place place = object->n_item ? object->key_place[0] : object->place;
    struct diag *diag = diag_error(reader->diags, "unknown-step", place, "none of this object's keys names a step");

    for (int k = 0; k < object->n_item && !diag->hint; k++)
        suggest_list(reader, diag, object->key[k], primitives);
    for (; primitives && *primitives; primitives++)
        VEC_PUSH(reader->arena, &names, (*primitives)->name);
    for (int k = 0; k < object->n_item && !diag->hint; k++)
        suggest(reader, diag, object->key[k], names.at, names.n);
}

static bool read_step(struct reader *reader, const struct value *object, const struct primitive *const *primitives,
                      struct step *step)
{
    const struct value *unsafe;

    if (!check_kind(reader, object, VALUE_OBJECT, "a step"))
        return false;
    *step = (struct step){.place = object->place, .value = object};
    for (int k = 0; k < object->n_item && !step->primitive; k++)
        step->primitive = find_primitive(primitives, object->key[k]);
    if (!step->primitive) {
        unknown_step(reader, object, primitives);
        return false;
    }
    check_arguments(reader, step->primitive, object);
    unsafe = value_member(object, step_unsafe.key);
    if (unsafe && check_text(reader, &step_unsafe, unsafe))
        step->unsafe = unsafe->string;
    if (step->unsafe && !*step->unsafe)
        diag_error(reader->diags, "argument", unsafe->place, "\"unsafe\" gives the reason");
    return true;
}

struct step *read_steps(struct reader *reader, const struct value *value, const struct primitive *const *primitives,
                        int *n)
{
    const bool whole = value->kind == VALUE_OBJECT;
    const int n_step = whole ? 1 : value->n_item;
    struct step *steps = ARENA_ARRAY(reader->arena, n_step, struct step);

    *n = 0;
    for (int k = 0; k < n_step; k++) {
        if (!read_step(reader, whole ? value : &value->item[k], primitives, &steps[*n]))
            continue;
        steps[*n].number = k + 1;
        ++*n;
    }
    return steps;
}
