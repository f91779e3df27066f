#include "report/schema.h"

#include "base/json.h"
#include "caps/language.h"

#include <string.h>

/* Everything but the steps; the format itself is section "The description" of the manual. */
static const char head[] =
    "{\n"
    "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
    "  \"title\": \"polynest description\",\n"
    "  \"type\": \"object\",\n"
    "  \"required\": [\"polynest\", \"name\", \"nests\"],\n"
    "  \"additionalProperties\": false,\n"
    "  \"properties\": {\n"
    "    \"$schema\": {\"type\": \"string\"},\n"
    "    \"polynest\": {\"const\": 1, \"description\": \"the version of the format\"},\n"
    "    \"name\": {\"$ref\": \"#/$defs/name\", \"description\": \"the function's name\"},\n"
    "    \"params\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/param\"}},\n"
    "    \"assume\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},\n"
    "    \"scalars\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/scalar\"}},\n"
    "    \"arrays\": {\"type\": \"array\", \"items\": {\"anyOf\": [{\"$ref\": \"#/$defs/array\"}, "
    "{\"$ref\": \"#/$defs/view\"}]}},\n"
    "    \"nests\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/nest\"}},\n"
    "    \"permit\": {\"$ref\": \"#/$defs/permit\"},\n"
    "    \"schedule\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/schedule_step\"}},\n"
    "    \"plan\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/plan_step\"}},\n"
    "    \"target\": {\"$ref\": \"#/$defs/target\"},\n"
    "    \"tunables\": {\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"type\": \"array\", "
    "\"minItems\": 1},\n"
    "      {\"type\": \"object\", \"required\": [\"values\"], \"additionalProperties\": false,\n"
    "       \"properties\": {\"values\": {\"type\": \"array\", \"minItems\": 1}, "
    "\"when\": {\"type\": \"string\"}}}]}},\n"
    "    \"variants\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/variant\"}}\n"
    "  },\n"
    "  \"$defs\": {\n"
    "    \"name\": {\"type\": \"string\", \"pattern\": \"^[A-Za-z_][A-Za-z0-9_]*$\", \"maxLength\": 255},\n"
    "    \"tunable\": {\"type\": \"string\", \"pattern\": \"^\\\\$\", \"description\": "
    "\"$tile, or $(tile * 4): the value chosen\"},\n"
    "    \"variant\": {\"type\": \"object\", \"required\": [\"name\"], \"additionalProperties\": false,\n"
    "      \"properties\": {\"name\": {\"$ref\": \"#/$defs/name\"}, \"permit\": {\"$ref\": \"#/$defs/permit\"},\n"
    "        \"schedule\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/schedule_step\"}},\n"
    "        \"plan\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/plan_step\"}},\n"
    "        \"target\": {\"$ref\": \"#/$defs/target\"}, \"set\": {\"type\": \"object\"}}},\n"
    "    \"affine\": {\"type\": [\"integer\", \"string\"], \"description\": \"an affine expression\"},\n"
    "    \"type\": {\"enum\": [\"bool\", \"i8\", \"i16\", \"i32\", \"i64\", \"u8\", \"u16\", \"u32\", \"u64\", "
    "\"f16\", "
    "\"bf16\", \"f32\", \"f64\"]},\n"
    "    \"permit\": {\"type\": \"array\", \"items\": {\"enum\": [\"reassociate\", \"contract\", \"approximate\"]}},\n"
    "    \"param\": {\"anyOf\": [{\"$ref\": \"#/$defs/name\"}, {\"type\": \"object\", \"required\": [\"name\"], "
    "\"additionalProperties\": false,\n"
    "      \"properties\": {\"name\": {\"$ref\": \"#/$defs/name\"}, \"type\": {\"enum\": [\"i32\", \"i64\"]}}}]},\n"
    "    \"scalar\": {\"type\": \"object\", \"required\": [\"name\", \"type\"], \"additionalProperties\": false,\n"
    "      \"properties\": {\"name\": {\"$ref\": \"#/$defs/name\"}, \"type\": {\"$ref\": \"#/$defs/type\"}}},\n"
    "    \"dimensions\": {\"anyOf\": [{\"enum\": [\"row_major\", \"col_major\"]}, "
    "{\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}}]},\n"
    "    \"layout\": {\"anyOf\": [{\"$ref\": \"#/$defs/dimensions\"}, {\"const\": \"auto\"},\n"
    "      {\"type\": \"object\", \"required\": [\"block\"], \"additionalProperties\": false,\n"
    "       \"properties\": {\"block\": {\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": false,\n"
    "         \"patternProperties\": {\"^[0-9]+$\": {\"type\": \"integer\", \"minimum\": 2}}}, "
    "\"order\": {\"$ref\": \"#/$defs/dimensions\"}}},\n"
    "      {\"type\": \"object\", \"required\": [\"strides\"], \"additionalProperties\": false,\n"
    "       \"properties\": {\"strides\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/affine\"}}, "
    "\"offset\": {\"$ref\": \"#/$defs/affine\"}}}]},\n"
    "    \"view\": {\"type\": \"object\", \"required\": [\"name\", \"view\"], \"additionalProperties\": false,\n"
    "      \"properties\": {\"name\": {\"$ref\": \"#/$defs/name\"},\n"
    "        \"view\": {\"type\": \"object\", \"required\": [\"of\", \"shape\"], \"additionalProperties\": false,\n"
    "          \"properties\": {\"of\": {\"$ref\": \"#/$defs/name\"},\n"
    "            \"offset\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/affine\"}},\n"
    "            \"shape\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/affine\"}},\n"
    "            \"strides\": {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"not\": {\"const\": 0}}}}}}},\n"
    "    \"array\": {\"type\": \"object\", \"required\": [\"name\", \"role\", \"type\", \"shape\"], "
    "\"additionalProperties\": false,\n"
    "      \"properties\": {\n"
    "        \"name\": {\"$ref\": \"#/$defs/name\"},\n"
    "        \"role\": {\"enum\": [\"in\", \"out\", \"inout\", \"temp\", \"const\"]},\n"
    "        \"type\": {\"$ref\": \"#/$defs/type\"},\n"
    "        \"shape\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/affine\"}},\n"
    "        \"layout\": {\"$ref\": \"#/$defs/layout\"},\n"
    "        \"align\": {\"type\": \"integer\", \"minimum\": 1},\n"
    "        \"init\": {\"const\": 0},\n"
    "        \"pad\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": 65536},\n"
    "        \"memory\": {\"enum\": [\"stack\", \"heap\", \"static\", \"local\", \"shared\", \"global\"]},\n"
    "        \"storage\": {\"const\": \"full\"},\n"
    "        \"data\": {\"anyOf\": [{\"type\": [\"array\", \"number\", \"boolean\"]},\n"
    "          {\"type\": \"object\", \"required\": [\"file\"], \"additionalProperties\": false,\n"
    "           \"properties\": {\"file\": {\"type\": \"string\"}}}]},\n"
    "        \"values\": {\"type\": \"string\"},\n"
    "        \"injective\": {\"type\": \"boolean\"}}},\n"
    "    \"body\": {\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": "
    "\"#/$defs/block\"}]}},\n"
    "    \"block\": {\"type\": \"object\", \"required\": [\"body\"], \"additionalProperties\": false,\n"
    "      \"properties\": {\"loops\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}, "
    "\"if\": {\"type\": \"string\"}, \"body\": {\"$ref\": \"#/$defs/body\"}}},\n"
    "    \"nest\": {\"type\": \"object\", \"required\": [\"body\"], \"additionalProperties\": false,\n"
    "      \"properties\": {\n"
    "        \"name\": {\"$ref\": \"#/$defs/name\"},\n"
    "        \"loops\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},\n"
    "        \"if\": {\"type\": \"string\"},\n"
    "        \"domain\": {\"type\": \"string\"},\n"
    "        \"order\": {\"type\": \"string\"},\n"
    "        \"as\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/name\"}},\n"
    "        \"permit\": {\"$ref\": \"#/$defs/permit\"},\n"
    "        \"body\": {\"$ref\": \"#/$defs/body\"}}},\n"
    "    \"target\": {\"type\": \"object\", \"additionalProperties\": false,\n"
    "      \"properties\": {\"language\": {\"enum\": [";

/* What follows the languages. */
static const char tail[] = "]}, \"simd\": {\"type\": \"string\"}, "
                           "\"arch\": {\"type\": \"string\"}, \"launcher\": {\"enum\": [\"device\", \"host\"]}, "
                           "\"openmp\": {\"type\": \"boolean\"}}}";

/* The schema of one value, by its kind, left open for what is added. */
static const char *const kind_schema[] = {
    [ARGUMENT_LOOP] = "{\"type\": \"string\"",
    [ARGUMENT_LOOPS] = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}",
    [ARGUMENT_STATEMENT] = "{\"type\": \"string\"",
    [ARGUMENT_INT] = "{\"type\": \"integer\"",
    [ARGUMENT_INTS] = "{\"type\": \"array\", \"items\": {\"type\": \"integer\"}",
    [ARGUMENT_BOOL] = "{\"type\": \"boolean\"",
    [ARGUMENT_NAME] = "{\"$ref\": \"#/$defs/name\"",
    [ARGUMENT_NAMES] = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/name\"}",
    [ARGUMENT_AFFINE] = "{\"$ref\": \"#/$defs/affine\"",
    [ARGUMENT_AFFINES] = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/affine\"}",
    [ARGUMENT_MAP] = "{\"type\": \"string\"",
    [ARGUMENT_CHOICE] = "{\"type\": \"string\"",
    [ARGUMENT_LOOP_INTS] = "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"integer\", \"string\"], "
                           "\"pattern\": \"^\\\\$\"}",
    [ARGUMENT_LOOP_CHOICES] = "{\"type\": \"object\"",
    [ARGUMENT_FUSE_NAMES] = "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {"
                            "\"nest\": {\"$ref\": \"#/$defs/name\"}, \"fusing\": {\"$ref\": \"#/$defs/name\"}, "
                            "\"fused\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/name\"}}, "
                            "\"unfused\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/name\"}}}",
    [ARGUMENT_LOOP_NAMES] = "{\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/name\"}",
    [ARGUMENT_KERNEL] = "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {"
                        "\"unroll\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}, "
                        "\"vectorize\": {\"type\": \"string\"}}",
    [ARGUMENT_LOOP_SIDES] = "{\"type\": \"object\", \"additionalProperties\": false, \"minProperties\": 1, "
                            "\"properties\": {\"before\": {\"type\": \"string\"}, "
                            "\"after\": {\"type\": \"string\"}}",
    [ARGUMENT_CONDITION] = "{\"type\": \"string\"",
    [ARGUMENT_LAYOUT] = "{\"oneOf\": [{\"enum\": [\"row_major\", \"col_major\"]}, "
                        "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}]",
    [ARGUMENT_NESTS] = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}",
    [ARGUMENT_TEXT] = "{\"type\": \"string\"",
};

static void add_choices(struct text *out, const char *choices)
{
    const char *separator = "";

    text_add(out, ", \"enum\": [");
    for (size_t size; *choices; choices += size + strspn(choices + size, " ")) {
        size = strcspn(choices, " ");
        text_addf(out, "%s\"%.*s\"", separator, (int)size, choices);
        separator = ", ";
    }
    text_char(out, ']');
}

static void add_argument(struct text *out, const struct argument *argument)
{
    const bool string = strstr(kind_schema[argument->kind], "{\"type\": \"string\"") == kind_schema[argument->kind];

    text_addf(out, ",\n        \"%s\": %s%s", argument->key,
              string ? "" : "{\"anyOf\": [{\"$ref\": \"#/$defs/tunable\"}, ", kind_schema[argument->kind]);
    if (argument->kind == ARGUMENT_INT)
        text_addf(out, ", \"minimum\": %lld", (long long)argument->minimum);
    if (argument->kind == ARGUMENT_CHOICE)
        add_choices(out, argument->choices);
    if (argument->kind == ARGUMENT_LOOP_CHOICES) {
        text_add(out, ", \"additionalProperties\": {\"type\": \"string\"");
        add_choices(out, argument->choices);
        text_char(out, '}');
    }
    text_add(out, string ? ", \"description\": " : "}], \"description\": ");
    json_string(out, argument->doc);
    text_char(out, '}');
}

static void add_required(struct text *out, const struct argument *argument)
{
    text_addf(out, "\"required\": [\"%s\"", argument->key);
    for (argument++; argument->key; argument++) {
        if (argument->required)
            text_addf(out, ", \"%s\"", argument->key);
    }
    text_char(out, ']');
}

/* What an editor shows of the step: the text of `polynest help STEP`. */
static void add_hover(struct text *out, const struct primitive *primitive)
{
    struct text hover = {0};

    text_addf(&hover, "%s. %s Proved: %s", primitive->summary, primitive->rule, primitive->proved);
    json_string(out, text_str(&hover));
    text_free(&hover);
}

static void add_primitive(struct text *out, const struct primitive *primitive)
{
    text_add(out, "{\"type\": \"object\", \"description\": ");
    add_hover(out, primitive);
    text_add(out, ", ");
    add_required(out, primitive->argument);
    text_add(out, ", \"additionalProperties\": false,\n      \"properties\": {\n"
                  "        \"unsafe\": {\"type\": \"string\", \"description\": \"why an illegal order is wanted\"}");
    for (const struct argument *argument = primitive->argument; argument->key; argument++)
        add_argument(out, argument);
    text_add(out, "}}");
}

static void add_steps(struct text *out, const char *name, const struct primitive *const *primitive)
{
    text_addf(out, ",\n    \"%s\": {\"anyOf\": [%s", name, *primitive ? "\n      " : "false");
    for (int i = 0; primitive[i]; i++) {
        text_add(out, i ? ",\n      " : "");
        add_primitive(out, primitive[i]);
    }
    text_add(out, "]}");
}

void report_schema(const struct primitive *const *schedule, const struct primitive *const *plan, struct text *out)
{
    text_add(out, head);
    for (const char *const *name = language_names(); *name; name++)
        text_addf(out, "%s\"%s\"", name == language_names() ? "" : ", ", *name);
    text_add(out, tail);
    add_steps(out, "schedule_step", schedule);
    add_steps(out, "plan_step", plan);
    text_add(out, "\n  }\n}\n");
}
