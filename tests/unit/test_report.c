#include "read/read.h"
#include "report/primitives.h"
#include "report/schema.h"
#include "unit.h"

#include <cjson/cJSON.h>
#include <string.h>

static const struct argument split_argument[] = {
    {.key = "split", .kind = ARGUMENT_LOOP, .required = true, .doc = "the \"loop\""},
    {.key = "by", .kind = ARGUMENT_INT, .required = true, .minimum = 1, .doc = "its tile's size"},
    {.key = "tail", .kind = ARGUMENT_CHOICE, .choices = "auto peel guard", .fallback = "auto", .doc = "the rest"},
    {.key = NULL},
};
static const struct argument tile_argument[] = {
    {.key = "tile", .kind = ARGUMENT_LOOP_INTS, .required = true, .minimum = 1, .doc = "sizes"},
    {.key = "as", .kind = ARGUMENT_LOOP_NAMES, .fallback = "ii, jj", .doc = "names"},
    {.key = NULL},
};
static const struct primitive split = {.name = "split",
                                       .summary = "cuts a loop in two",
                                       .rule = "Tiles.",
                                       .proved = "Nothing.",
                                       .argument = split_argument};
static const struct primitive tile = {
    .name = "tile", .summary = "splits several", .rule = "Tiles.", .proved = "Nothing.", .argument = tile_argument};
static const struct primitive *const some[] = {&split, &tile, NULL};
static const struct primitive *const none[] = {NULL};

static cJSON *parse_schema(const struct primitive *const *schedule, const struct primitive *const *plan)
{
    struct text out = {0};
    cJSON *schema;

    report_schema(&object_several, &object_description, schedule, plan, &out);
    schema = cJSON_Parse(text_str(&out));
    ck_assert_msg(schema != NULL, "not JSON: %s", text_str(&out));
    text_free(&out);
    return schema;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);

    ck_assert_msg(found != NULL, "no \"%s\"", key);
    return found;
}

START_TEST(schema_without_steps_is_json)
{
    cJSON *schema = parse_schema(none, none);

    ck_assert(cJSON_IsObject(member(member(member(schema, "then"), "properties"), "functions")));
    ck_assert(cJSON_IsObject(member(member(member(schema, "else"), "properties"), "nests")));
    cJSON_Delete(schema);
}
END_TEST

START_TEST(schema_has_the_steps_of_the_descriptors)
{
    cJSON *schema = parse_schema(some, none);
    const cJSON *steps = member(member(schema, "$defs"), "schedule_step");
    const cJSON *first = member(steps, "then"), *second = member(member(steps, "else"), "then");
    const cJSON *tail = member(member(member(first, "properties"), "tail"), "else");
    const cJSON *by = member(member(member(first, "properties"), "by"), "else");

    ck_assert_ptr_nonnull(member(member(second, "properties"), "tile"));
    ck_assert_ptr_nonnull(member(member(member(steps, "else"), "else"), "not"));
    ck_assert_int_eq(cJSON_GetArraySize(member(first, "required")), 2);
    ck_assert_int_eq(cJSON_GetArraySize(member(tail, "enum")), 3);
    ck_assert_int_eq(member(by, "minimum")->valueint, 1);
    cJSON_Delete(schema);
}
END_TEST

START_TEST(table_lists_arguments_with_kind_and_default)
{
    struct text out = {0};

    report_primitives(some, none, &out);
    ck_assert_ptr_nonnull(strstr(text_str(&out), "split: cuts a loop in two\n"));
    ck_assert_ptr_nonnull(strstr(text_str(&out), "by             integer >= 1, required\n"));
    ck_assert_ptr_nonnull(strstr(text_str(&out), "tail           auto | peel | guard, default auto\n"));
    text_free(&out);
}
END_TEST

UNIT_MAIN("report", schema_without_steps_is_json, schema_has_the_steps_of_the_descriptors,
          table_lists_arguments_with_kind_and_default)
