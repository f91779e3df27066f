/* The schema against descriptions: it accepts those that the reader accepts, has one message for one fault, and tells
 * of every key what it means. */
#include "base/arena.h"
#include "polynest/polynest.h"
#include "read/scan.h"
#include "unit.h"
#include "validate.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *parsed_schema(void)
{
    char *text = polynest_schema();
    cJSON *schema = cJSON_Parse(text);

    free(text);
    ck_assert_ptr_nonnull(schema);
    return schema;
}

static char *text_of(struct arena *arena, const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = ARENA_ARRAY(arena, SCAN_MAX_SIZE, char);

    ck_assert_msg(in != NULL, "cannot read %s", path);
    text[fread(text, 1, SCAN_MAX_SIZE - 1, in)] = '\0';
    fclose(in);
    return text;
}

/* The description in text, which may have comments; NULL: it is none. */
static cJSON *description_in(struct arena *arena, const char *text)
{
    const struct source source = {"test", text, strlen(text)};
    const char *blanked = scan_blank(arena, &source, diags_new(arena));

    return blanked ? cJSON_Parse(blanked) : NULL;
}

static void check_accepted(const cJSON *schema, const char *name, const cJSON *value)
{
    struct text out = {0};

    ck_assert_msg(value != NULL, "%s: no JSON", name);
    ck_assert_msg(validate(schema, value, &out) == 0, "%s:\n%s", name, text_str(&out));
    text_free(&out);
}

/* The description of a case, which ends at its first section; "" where it is to be refused, or has none. */
static char *description_of_case(char *text)
{
    char *start = strstr(text, "\n{"), *end = strstr(text, "\n== ");
    const bool refused = strstr(text, "\n== error") != NULL;

    if (!start || !end || start > end || refused)
        return text + strlen(text);
    *end = '\0';
    return start;
}

/* All files of the pattern below the sources, of which there are at least so many. */
static void check_files(const char *pattern, bool cases, int least)
{
    const char *folder = getenv("srcdir");
    cJSON *schema = parsed_schema();
    int n = 0;
    glob_t files;
    struct text path = {0};

    text_addf(&path, "%s/%s", folder ? folder : ".", pattern);
    ck_assert_int_eq(glob(text_str(&path), 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        struct arena *arena = arena_new();
        char *text = text_of(arena, files.gl_pathv[k]), *start = cases ? description_of_case(text) : text;
        cJSON *value = *start ? description_in(arena, start) : NULL;

        if (*start && (value || !cases)) {
            check_accepted(schema, files.gl_pathv[k], value);
            n++;
        }
        cJSON_Delete(value);
        arena_free(arena);
    }
    ck_assert_msg(n >= least, "%s: %d descriptions only", pattern, n);
    globfree(&files);
    text_free(&path);
    cJSON_Delete(schema);
}

START_TEST(examples_are_accepted)
{
    check_files("examples/*.json", false, 40);
    check_files("examples/steps/*.json", false, 30);
    check_files("examples/polybench/*.json", false, 25);
}
END_TEST

START_TEST(cases_are_accepted)
{
    check_files("tests/cases/*/*.case", true, 1000);
}
END_TEST

#define AROUND(arrays, nest, more)                                                                                     \
    "{\"polynest\": 1, \"name\": \"f\", \"params\": [\"N\"], \"arrays\": [" arrays "], \"nests\": [" nest "]" more "}"
#define ARRAY(more) "{\"name\": \"x\", \"role\": \"out\", \"type\": \"f32\", \"shape\": [\"N\"]" more "}"
#define NEST(more) "{\"loops\": [\"i < N\"], \"body\": [\"x[i] = 1\"]" more "}"

static void check_messages(const char *text, int wanted)
{
    cJSON *schema = parsed_schema(), *value = cJSON_Parse(text);
    struct text out = {0};

    ck_assert_ptr_nonnull(value);
    ck_assert_msg(validate(schema, value, &out) == wanted, "%s:\n%s", text, text_str(&out));
    text_free(&out);
    cJSON_Delete(value);
    cJSON_Delete(schema);
}

START_TEST(a_fault_has_one_message)
{
    static const char *const faulty[] = {
        AROUND(ARRAY(""), NEST(""), ", \"schedule\": [{\"splt\": \"i\", \"by\": 4}]"),
        AROUND(ARRAY(""), NEST(""), ", \"schedule\": [{\"split\": \"i\", \"bye\": 4}]"),
        AROUND(ARRAY(""), NEST(""), ", \"schedule\": [{\"split\": \"i\", \"by\": 0}]"),
        AROUND(ARRAY(""), NEST(""), ", \"schedule\": [{\"split\": \"i\", \"by\": 4, \"tail\": \"pel\"}]"),
        AROUND(ARRAY(""), NEST(""), ", \"plan\": [{\"sync\": {\"behind\": \"i\"}}]"),
        AROUND(ARRAY(""), NEST(""), ", \"plan\": [{\"bind\": {\"i\": \"thread.w\"}}]"),
        AROUND(ARRAY(", \"algin\": 64"), NEST(""), ""),
        AROUND(ARRAY(", \"align\": \"64\""), NEST(""), ""),
        AROUND(ARRAY(", \"pad\": 65537"), NEST(""), ""),
        AROUND(ARRAY(", \"init\": 1"), NEST(""), ""),
        AROUND(ARRAY(", \"layout\": {\"block\": {\"0\": 1}}"), NEST(""), ""),
        AROUND(ARRAY(", \"layout\": {\"stride\": [1]}, \"align\": 64"), NEST(", \"if\": \"i > 0\""), ""),
        AROUND(ARRAY("") ", {\"name\": \"V\", \"view\": {\"of\": \"x\", \"shap\": [1], \"shape\": [1]}}", NEST(""), ""),
        AROUND(ARRAY(""), NEST(", \"boddy\": []"), ""),
        AROUND(ARRAY(""), "{\"loops\": [1], \"body\": [\"x[i] = 1\"]}", ""),
        AROUND(ARRAY(""), "{\"body\": [{\"iff\": \"N > 1\", \"body\": [\"x[0] = 1\"]}]}", ""),
        AROUND(ARRAY(""), NEST(""), ", \"target\": {\"simd\": \"avx3\"}"),
        AROUND(ARRAY(""), NEST(""), ", \"variants\": [{\"nme\": \"v\", \"name\": \"v\"}]"),
        AROUND(ARRAY(""), NEST(""), ", \"tunables\": {\"t\": 4}"),
    };

    check_messages(AROUND(ARRAY(", \"align\": 64"), NEST(""), ""), 0);
    for (size_t k = 0; k < sizeof(faulty) / sizeof(faulty[0]); k++)
        check_messages(faulty[k], strstr(faulty[k], "\"stride\"") ? 2 : 1);
}
END_TEST

/* Every property in schema, at any depth, has a description. */
static void check_described(const cJSON *schema)
{
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties"), *item;

    if (cJSON_IsObject(properties))
        cJSON_ArrayForEach(item, properties)
        {
            const cJSON *description = cJSON_GetObjectItemCaseSensitive(item, "description");

            ck_assert_msg(cJSON_IsString(description) && *description->valuestring, "no description of \"%s\"",
                          item->string);
        }
    cJSON_ArrayForEach(item, schema) check_described(item);
}

START_TEST(every_key_is_described)
{
    cJSON *schema = parsed_schema();

    check_described(schema);
    cJSON_Delete(schema);
}
END_TEST

UNIT_MAIN("schema", examples_are_accepted, cases_are_accepted, a_fault_has_one_message, every_key_is_described)
