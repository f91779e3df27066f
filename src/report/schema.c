#include "report/schema.h"

#include "base/json.h"

#include <inttypes.h>

struct schema {
    struct arena *arena;
    struct text *out;
};

static const char head[] =
    "{\n"
    "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"$defs\": {\n"
    "    \"name\": {\"type\": \"string\", \"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*$\", \"maxLength\": 255},\n"
    "    \"chosen\": {\"type\": \"string\", \"pattern\": \"^\\\\$\", \"description\": "
    "\"$tile, or $(tile * 4): the value chosen\"},\n";

#define NAME "\"$ref\": \"#/$defs/name\""
#define STRING "\"type\": \"string\""
#define OR_CHOSEN(schema) "{\"if\": {\"$ref\": \"#/$defs/chosen\"}, \"else\": {" schema "}}"
#define LIST_OF(schema) "\"type\": \"array\", \"items\": " schema

/* Values that are the same for all keys of their kind. */
static const char *const kind_schema[] = {
    [ARGUMENT_LOOP] = STRING,
    [ARGUMENT_LOOPS] = LIST_OF("{" STRING "}"),
    [ARGUMENT_STATEMENT] = STRING,
    [ARGUMENT_INTS] = LIST_OF(OR_CHOSEN("\"type\": \"integer\"")),
    [ARGUMENT_BOOL] = "\"type\": \"boolean\"",
    [ARGUMENT_NAME] = NAME,
    [ARGUMENT_NAMES] = LIST_OF(OR_CHOSEN(NAME)),
    [ARGUMENT_AFFINE] = "\"type\": [\"integer\", \"string\"]",
    [ARGUMENT_AFFINES] = LIST_OF("{\"type\": [\"integer\", \"string\"]}"),
    [ARGUMENT_MAP] = STRING,
    [ARGUMENT_LOOP_NAMES] = "\"type\": \"object\", \"additionalProperties\": " OR_CHOSEN(NAME),
    [ARGUMENT_LAYOUT] = "\"if\": {" STRING "}, \"then\": {\"enum\": [\"row_major\", \"col_major\"]}, "
                        "\"else\": {" LIST_OF("{" STRING "}") "}",
    [ARGUMENT_NESTS] = LIST_OF("{" STRING "}"),
    [ARGUMENT_CONDITION] = STRING,
    [ARGUMENT_TEXT] = STRING,
    [ARGUMENT_NUMBER] = "\"type\": [\"number\", \"boolean\"]",
    [ARGUMENT_ANY] = "",
    [ARGUMENT_STEPS] = "",
};

static void add_value(const struct schema *schema, const struct argument *argument);
static void add_object(const struct schema *schema, const struct object_type *object);

static void add_choices(const struct schema *schema, const struct argument *argument)
{
    const char *const *words = argument_words(schema->arena, argument);

    text_add(schema->out, "\"enum\": [");
    for (int k = 0; words[k]; k++) {
        text_add(schema->out, k ? ", " : "");
        json_string(schema->out, words[k]);
    }
    text_char(schema->out, ']');
}

static void add_integer(const struct schema *schema, const struct argument *argument)
{
    if (argument->choices) {
        text_addf(schema->out, "\"const\": %s", argument->choices);
        return;
    }
    text_addf(schema->out, "\"type\": \"integer\", \"minimum\": %" PRId64, argument->minimum);
    if (argument->maximum)
        text_addf(schema->out, ", \"maximum\": %" PRId64, argument->maximum);
}

/* What tells values of this form from those of the forms after it. */
static void add_test(const struct schema *schema, const struct argument *form)
{
    static const char *const kinds[] = {"boolean", "integer", "number", "string", "array", "object"};
    const char *separator = "";

    text_add(schema->out, "\"type\": [");
    for (int kind = VALUE_BOOL; kind <= VALUE_OBJECT; kind++)
        if (argument_takes(form, &(struct value){.kind = (enum value_kind)kind})) {
            text_addf(schema->out, "%s\"%s\"", separator, kinds[kind]);
            separator = ", ";
        }
    text_char(schema->out, ']');
    if (form->kind == ARGUMENT_OBJECT && form->object->mark)
        text_addf(schema->out, ", \"required\": [\"%s\"]", form->object->mark);
}

static void add_type(const struct schema *schema, const struct argument *argument);

static void add_forms(const struct schema *schema, const struct argument *form)
{
    if (!form[1].key) {
        add_type(schema, form);
        return;
    }
    text_add(schema->out, "\"if\": {");
    add_test(schema, form);
    text_add(schema->out, "}, \"then\": {");
    add_type(schema, form);
    text_add(schema->out, "}, \"else\": {");
    add_forms(schema, form + 1);
    text_char(schema->out, '}');
}

/* The members of a value's schema. */
static void add_type(const struct schema *schema, const struct argument *argument)
{
    struct text *out = schema->out;

    switch (argument->kind) {
    case ARGUMENT_INT:
        add_integer(schema, argument);
        break;
    case ARGUMENT_CHOICE:
        add_choices(schema, argument);
        break;
    case ARGUMENT_LOOP_INTS:
    case ARGUMENT_LOOP_CHOICES:
        text_add(
            out,
            "\"type\": \"object\", \"additionalProperties\": {\"if\": {\"$ref\": \"#/$defs/chosen\"}, \"else\": {");
        if (argument->kind == ARGUMENT_LOOP_INTS)
            add_integer(schema, argument);
        else
            add_choices(schema, argument);
        text_add(out, "}}");
        break;
    case ARGUMENT_OBJECT:
        if (argument->object->name)
            text_addf(out, "\"$ref\": \"#/$defs/%s\"", argument->object->name);
        else
            add_object(schema, argument->object);
        break;
    case ARGUMENT_LIST:
    case ARGUMENT_MEMBERS:
        text_add(out,
                 argument->kind == ARGUMENT_LIST ? LIST_OF("{") : "\"type\": \"object\", \"additionalProperties\": {");
        add_value(schema, argument->form);
        text_char(out, '}');
        break;
    case ARGUMENT_FORMS:
        add_forms(schema, argument->form);
        break;
    case ARGUMENT_STEPS:
        text_addf(out,
                  "\"if\": {\"type\": \"object\"}, \"then\": {\"$ref\": \"#/$defs/%s_step\"}, "
                  "\"else\": {" LIST_OF("{\"$ref\": \"#/$defs/%s_step\"}") "}",
                  argument->choices, argument->choices);
        break;
    default:
        text_add(out, kind_schema[argument->kind]);
    }
}

/* The same, where a tunable may stand for the value; any string is one. */
static void add_value(const struct schema *schema, const struct argument *argument)
{
    const char *fixed = kind_schema[argument->kind];

    if (fixed && (strcmp(fixed, STRING) == 0 || argument->kind == ARGUMENT_ANY)) {
        text_add(schema->out, fixed);
        return;
    }
    text_add(schema->out, "\"if\": {\"$ref\": \"#/$defs/chosen\"}, \"else\": {");
    add_type(schema, argument);
    text_char(schema->out, '}');
}

static void add_property(const struct schema *schema, const struct argument *key)
{
    text_addf(schema->out, "\n      \"%s\": {\"description\": ", key->key);
    json_string(schema->out, key->doc);
    text_add(schema->out, key->kind == ARGUMENT_ANY ? "" : ", ");
    add_value(schema, key);
    text_char(schema->out, '}');
}

/* "required", "additionalProperties" and "properties"; further: a key more, or NULL. */
static void add_keys(const struct schema *schema, const struct argument *keys, const struct argument *further)
{
    const char *separator = "";

    text_add(schema->out, "\"required\": [");
    for (const struct argument *key = keys; key->key; key++)
        if (key->required) {
            text_addf(schema->out, "%s\"%s\"", separator, key->key);
            separator = ", ";
        }
    text_add(schema->out, "], \"additionalProperties\": false, \"properties\": {");
    for (const struct argument *key = keys; key->key; key++) {
        text_add(schema->out, key == keys ? "" : ",");
        add_property(schema, key);
    }
    if (further) {
        text_char(schema->out, ',');
        add_property(schema, further);
    }
    text_char(schema->out, '}');
}

static void add_object(const struct schema *schema, const struct object_type *object)
{
    text_addf(schema->out, "\"type\": \"object\", %s", object->not_empty ? "\"minProperties\": 1, " : "");
    if (object->rule) {
        text_add(schema->out, "\"description\": ");
        json_string(schema->out, object->rule);
        text_add(schema->out, ", ");
    }
    add_keys(schema, object->key, NULL);
}

/* What an editor shows of the step: the text of `polynest help STEP`. */
static void add_primitive(const struct schema *schema, const struct primitive *primitive)
{
    text_addf(schema->out, "\n      \"if\": {\"required\": [\"%s\"]}, \"then\": {\"description\": ", primitive->name);
    json_string(schema->out, arena_printf(schema->arena, "%s. %s Proved: %s", primitive->summary, primitive->rule,
                                          primitive->proved));
    text_add(schema->out, ", ");
    add_keys(schema, primitive->argument, &step_unsafe);
    text_add(schema->out, "}, \"else\": {");
}

/* A step is the first of the list that it has the name of: an argument with the name of a step is one of a step before
 * that. Editors offer the names. */
static void add_steps(const struct schema *schema, const char *list, const struct primitive *const *primitive)
{
    int n = 0;

    text_addf(schema->out, "    \"%s_step\": {\"type\": \"object\", \"properties\": {", list);
    for (; primitive[n]; n++) {
        text_addf(schema->out, "%s\n      \"%s\": {\"description\": ", n ? "," : "", primitive[n]->name);
        json_string(schema->out, primitive[n]->summary);
        text_char(schema->out, '}');
    }
    text_add(schema->out, "},");
    for (int k = 0; k < n; k++)
        add_primitive(schema, primitive[k]);
    text_add(schema->out, "\"not\": {}");
    for (int k = 0; k < n; k++)
        text_char(schema->out, '}');
    text_add(schema->out, "},\n");
}

void report_schema(const struct object_type *several, const struct object_type *description,
                   const struct primitive *const *schedule, const struct primitive *const *plan, struct text *out)
{
    const struct schema schema = {arena_new(), out};
    const object_vec all = objects_inside(schema.arena, several);

    text_add(out, head);
    add_steps(&schema, "schedule", schedule);
    add_steps(&schema, "plan", plan);
    for (int k = 1; k < all.n; k++) {
        text_addf(out, "    \"%s\": {", all.at[k]->name);
        add_object(&schema, all.at[k]);
        text_add(out, k + 1 < all.n ? "},\n" : "}\n");
    }
    text_addf(out, "  },\n  \"title\": \"polynest description\",\n  \"if\": {\"required\": [\"%s\"]},\n  \"then\": {",
              several->mark);
    add_object(&schema, several);
    text_add(out, "},\n  \"else\": {");
    add_object(&schema, description);
    text_add(out, "}\n}\n");
    arena_free(schema.arena);
}
