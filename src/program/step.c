#include "program/step.h"

#include <inttypes.h>
#include <string.h>

const struct argument step_unsafe = {.key = "unsafe",
                                     .kind = ARGUMENT_TEXT,
                                     .doc = "why an order that breaks dependences is wanted"};

const struct primitive *find_primitive(const struct primitive *const *primitives, const char *name)
{
    for (; primitives && *primitives; primitives++)
        if (strcmp((*primitives)->name, name) == 0)
            return *primitives;
    return NULL;
}

const struct value *step_value(const struct step *step, const char *key)
{
    return value_member(step->value, key);
}

int64_t step_int(const struct step *step, const char *key, int64_t fallback)
{
    const struct value *value = step_value(step, key);

    return value && (value->kind == VALUE_INT || value->kind == VALUE_BOOL) ? value->integer : fallback;
}

const char *step_string(const struct step *step, const char *key, const char *fallback)
{
    const struct value *value = step_value(step, key);

    return value && value->kind == VALUE_STRING ? value->string : fallback;
}

struct place step_place(const struct step *step, const char *key)
{
    const struct value *value = step_value(step, key);

    return value ? value->place : step->place;
}

static void print_value(struct text *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_BOOL:
        text_add(out, value->integer ? "true" : "false");
        break;
    case VALUE_INT:
        text_addf(out, "%" PRId64, value->integer);
        break;
    case VALUE_STRING:
        text_add(out, value->string);
        break;
    default:
        for (int k = 0; k < value->n_item; k++) {
            if (k)
                text_add(out, ", ");
            if (value->kind == VALUE_OBJECT)
                text_addf(out, "%s ", value->key[k]);
            print_value(out, &value->item[k]);
        }
    }
}

void step_print(struct text *out, const struct step *step)
{
    const struct value *object = step->value;

    text_addf(out, "%s ", step->primitive->name);
    print_value(out, step_value(step, step->primitive->name));
    for (int k = 0; k < object->n_item; k++) {
        if (strcmp(object->key[k], step->primitive->name) == 0 || strcmp(object->key[k], "unsafe") == 0)
            continue;
        text_addf(out, " %s", object->key[k]);
        if (object->item[k].kind == VALUE_BOOL && object->item[k].integer)
            continue;
        text_char(out, ' ');
        print_value(out, &object->item[k]);
    }
}
