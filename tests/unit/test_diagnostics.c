/* Every fault the reader knows: a piece of a description, the rule that refuses it and where. */
#include "unit.h"

#include "reading.h"

enum section { HEAD, PARAMS, ASSUME, SCALARS, ARRAYS, NESTS, SCHEDULE, REST, N_SECTION };

/* One line each; a row below replaces one of them. */
static const char *const sections[N_SECTION] = {
    [HEAD] = "{'polynest': 1, 'name': 'f',",
    [PARAMS] = "'params': ['N', 'M'],",
    [ASSUME] = "'assume': ['N >= 1', 'M >= N'],",
    [SCALARS] = "'scalars': [{'name': 's', 'type': 'f32'}, {'name': 'n', 'type': 'i32'}],",
    [ARRAYS] = "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', 'shape': ['N', 'M']}, {'name': 'D', 'role': "
               "'inout', 'type': 'f64', 'shape': ['N']}, {'name': 'x', 'role': 'inout', 'type': 'i32', 'shape': "
               "['N']}, "
               "{'name': 'b', 'role': 'inout', 'type': 'i8', 'shape': ['N']}, {'name': 'h', 'role': 'inout', 'type': "
               "'i16', 'shape': []}, {'name': 'c', 'role': 'in', 'type': 'bool', 'shape': ['N']}],",
    [NESTS] = "'nests': [{'loops': ['i < N'], 'body': ['D[i] = 0']}],",
    [SCHEDULE] = "'schedule': [],",
    [REST] = "'permit': []}",
};

struct row {
    enum section section;
    const char *text;
    const char *expected;
};

#define BODY(text) "'nests': [{'loops': ['i < N'], 'body': ['" text "']}],"
#define LOOP(text) "'nests': [{'loops': ['" text "'], 'body': ['D[0] = 0']}],"
#define ARRAY(text) "'arrays': [{'name': 'D', 'role': 'inout', 'type': 'f64', 'shape': ['N']}, {" text "}],"
#define STEP(text) "'schedule': [{" text "}],"
#define POLY(text) "'nests': [{" text "}],"

static const struct row rows[] = {
#include "diagnostics.inc"
};

static char *describe(const struct row *row)
{
    struct text text = {0};

    for (int s = 0; s < N_SECTION; s++)
        text_addf(&text, "%s\n", s == (int)row->section ? row->text : sections[s]);
    return text_take(&text);
}

START_TEST(every_fault_has_its_rule_and_place)
{
    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        char *text = describe(&rows[k]);
        struct reading_result result = read_text(text);

        ck_assert_msg(strcmp(first_error(&result), rows[k].expected) == 0, "{%d, \"%s\"}: %s, not %s",
                      (int)rows[k].section, rows[k].text, first_error(&result), rows[k].expected);
        ck_assert((result.status == STATUS_OK) == (result.program != NULL));
        reading_free(&result);
        free(text);
    }
}
END_TEST

UNIT_MAIN("diagnostics", every_fault_has_its_rule_and_place)
