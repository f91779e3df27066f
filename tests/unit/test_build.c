/* Programs that calls build, steps that are applied one by one, questions. */
#include "polynest/polynest.h"
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool has(const char *text, const char *piece)
{
    return strstr(text, piece) != NULL;
}

#define ok(p, call) ck_assert_msg((call) == POLYNEST_OK, "%s", polynest_diagnostics(p))

static polynest *product(void)
{
    polynest *p = polynest_describe("product");

    ok(p, polynest_add_param(p, "N", NULL));
    ok(p, polynest_add_param(p, "K", "i32"));
    ok(p, polynest_assume(p, "K >= 1"));
    ok(p, polynest_add_scalar(p, "alpha", "f32"));
    ok(p, polynest_add_array(p, "A", "in", "f32", "N, K"));
    ok(p, polynest_add_array(p, "B", "in", "f32", "K, N"));
    ok(p, polynest_add_array(p, "C", "inout", "f32", "N, N"));
    ok(p, polynest_begin_nest(p, "mm", "i < N, j < min(N, 2 * N), k < K"));
    ok(p, polynest_add_statement(p, "C[i, j] += alpha * A[i, k] * B[k, j]"));
    ok(p, polynest_end(p));
    return p;
}

START_TEST(calls_write_a_description)
{
    polynest *p = product(), *q;
    char *first;

    ok(p, polynest_set_key(p, "A", "align", "64"));
    ok(p, polynest_set_key(p, "N", "type", "i32"));
    ok(p, polynest_set_key(p, NULL, "permit", "contract"));
    ok(p, polynest_set_target(p, "simd", "avx2"));
    ok(p, polynest_set_target(p, "openmp", "true"));
    ck_assert_str_eq(polynest_description(p),
                     "{\n"
                     "  \"polynest\": 1,\n"
                     "  \"name\": \"product\",\n"
                     "  \"params\": [{\"name\": \"N\", \"type\": \"i32\"}, {\"name\": \"K\", \"type\": \"i32\"}],\n"
                     "  \"assume\": [\"K >= 1\"],\n"
                     "  \"scalars\": [\n"
                     "    {\"name\": \"alpha\", \"type\": \"f32\"}\n"
                     "  ],\n"
                     "  \"arrays\": [\n"
                     "    {\"name\": \"A\", \"role\": \"in\", \"type\": \"f32\", \"shape\": [\"N\", \"K\"], "
                     "\"align\": 64},\n"
                     "    {\"name\": \"B\", \"role\": \"in\", \"type\": \"f32\", \"shape\": [\"K\", \"N\"]},\n"
                     "    {\"name\": \"C\", \"role\": \"inout\", \"type\": \"f32\", \"shape\": [\"N\", \"N\"]}\n"
                     "  ],\n"
                     "  \"permit\": [\"contract\"],\n"
                     "  \"target\": {\"simd\": \"avx2\", \"openmp\": true},\n"
                     "  \"nests\": [\n"
                     "    {\"name\": \"mm\", \"loops\": [\"i < N\", \"j < min(N, 2 * N)\", \"k < K\"], "
                     "\"body\": [\"C[i, j] += alpha * A[i, k] * B[k, j]\"]}\n"
                     "  ]\n"
                     "}\n");
    ok(p, polynest_emit(p));
    first = strdup(polynest_source(p));
    q = polynest_new("again", polynest_description(p), strlen(polynest_description(p)));
    ok(q, polynest_format(q));
    ck_assert_str_eq(polynest_output(q), polynest_description(p));
    ok(q, polynest_emit(q));
    ck_assert_uint_eq(strlen(polynest_source(q)) - strlen("again"), strlen(first) - strlen("product"));
    free(first);
    polynest_free(q);
    polynest_free(p);
}
END_TEST

START_TEST(blocks_hold_further_statements)
{
    polynest *p = polynest_describe("f");

    ok(p, polynest_add_param(p, "N", NULL));
    ok(p, polynest_add_array(p, "x", "inout", "f64", "N"));
    ok(p, polynest_add_array(p, "s", "temp", "f64", ""));
    ok(p, polynest_begin_nest(p, NULL, "i < N"));
    ok(p, polynest_add_statement(p, "s = 0.0"));
    ok(p, polynest_begin_block(p, "j <= i"));
    ok(p, polynest_set_key(p, NULL, "if", "x[j] > 0"));
    ok(p, polynest_add_statement(p, "s += x[j]"));
    ok(p, polynest_end(p));
    ok(p, polynest_add_statement(p, "x[i] = s"));
    ok(p, polynest_end(p));
    ck_assert(
        has(polynest_description(p), "{\"loops\": [\"j <= i\"], \"if\": \"x[j] > 0\", \"body\": [\"s += x[j]\"]}"));
    ok(p, polynest_check(p));
    polynest_free(p);
}
END_TEST

START_TEST(calls_out_of_place_are_told)
{
    polynest *p = product();

    ck_assert_int_eq(polynest_end(p), POLYNEST_USAGE);
    ck_assert(has(polynest_diagnostics(p), "no nest or block is open"));
    ck_assert_int_eq(polynest_add_statement(p, "C[0, 0] = 0.0"), POLYNEST_USAGE);
    ck_assert_int_eq(polynest_begin_block(p, "i < N"), POLYNEST_USAGE);
    ok(p, polynest_begin_nest(p, "again", NULL));
    ck_assert_int_eq(polynest_begin_nest(p, "inside", NULL), POLYNEST_USAGE);
    ok(p, polynest_set_key(p, "again", "body", "[]"));
    ok(p, polynest_begin_block(p, "i < N"));
    ok(p, polynest_set_key(p, "again", "body", "[]"));
    ck_assert_int_eq(polynest_add_statement(p, "C[i, i] = 0.0"), POLYNEST_REFUSED);
    ck_assert(has(polynest_diagnostics(p), "what was begun is no more in the description"));
    ck_assert_int_eq(polynest_set_key(p, NULL, "if", "N > 2"), POLYNEST_REFUSED);
    ck_assert_int_eq(polynest_set_key(p, "AA", "align", "64"), POLYNEST_REFUSED);
    ck_assert(has(polynest_diagnostics(p), "did you mean `A`?"));
    ck_assert_int_eq(polynest_set_key(p, "A", "data", "[1, \"x"), POLYNEST_REFUSED);
    ck_assert_int_eq(polynest_undo(p), POLYNEST_USAGE);
    polynest_free(p);
    p = polynest_new("broken", "[1]", 3);
    ck_assert_int_eq(polynest_add_param(p, "N", NULL), POLYNEST_REFUSED);
    ck_assert(has(polynest_diagnostics(p), "a description must be an object"));
    ck_assert_int_eq(polynest_apply(p, "split", "i", "by", "4", NULL), POLYNEST_REFUSED);
    ck_assert_str_eq(polynest_description(p), "[1]");
    polynest_free(p);
}
END_TEST

START_TEST(values_need_no_quotes)
{
    static const char *const expected =
        "  \"schedule\": [\n"
        "    {\"tile\": {\"i\": 4, \"mm.j\": 16}},\n"
        "    {\"reorder\": [\"mm.i\", \"mm.j\", \"k\", \"ii\", \"jj\"]},\n"
        "    {\"split\": \"jj\", \"by\": 8, \"as\": \"v\"}\n"
        "  ],\n"
        "  \"plan\": [\n"
        "    {\"cache\": \"B\", \"at\": \"k\", \"layout\": [\"k\", \"jj\", \"v\"], \"as\": \"b\"},\n"
        "    {\"cache\": \"C\", \"at\": \"k\", \"memory\": \"register\"},\n"
        "    {\"kernelize\": {\"unroll\": [\"ii\", \"jj\"], \"vectorize\": \"v\"}}\n"
        "  ]\n"
        "}\n";
    polynest *p = product();
    char *before;

    ok(p, polynest_set_target(p, "simd", "avx2"));
    ok(p, polynest_apply(p, "tile", "{i: 4, mm.j: 16}", NULL));
    ok(p, polynest_apply(p, "reorder", "mm.i, mm.j, k, ii, jj", NULL));
    ok(p, polynest_apply(p, "split", "jj", "by", "8", "as", "v", NULL));
    ok(p, polynest_apply(p, "cache", "B", "at", "k", "layout", "k, jj, v", "as", "b", NULL));
    ok(p, polynest_apply(p, "cache", "C", "at", "k", "memory", "register", NULL));
    ok(p, polynest_apply(p, "kernelize", "unroll: [ii, jj], vectorize: v", NULL));
    ck_assert_msg(has(polynest_description(p), expected), "%s", polynest_description(p));
    before = strdup(polynest_description(p));
    ck_assert_int_eq(polynest_apply(p, "splt", "k", "by", "4", NULL), POLYNEST_REFUSED);
    ck_assert(has(polynest_diagnostics(p), "did you mean `split`?"));
    ck_assert_int_eq(polynest_apply(p, "split", "q", "by", "4", NULL), POLYNEST_REFUSED);
    ck_assert_int_eq(polynest_apply(p, "split", "k", "by", "four", NULL), POLYNEST_REFUSED);
    ck_assert_int_eq(polynest_apply(p, "split", "k", "by", "4", "parts", "{a: [1, b]}", NULL), POLYNEST_REFUSED);
    ck_assert(has(polynest_diagnostics(p), "\"parts\": {\"a\": [1, \"b\"]}"));
    ck_assert_int_eq(polynest_apply(p, "split", "k", "by", "4", "bz", "1", NULL), POLYNEST_REFUSED);
    ck_assert_int_eq(polynest_apply_json(p, "{\"split\": \"k\", \"by\": 4"), POLYNEST_REFUSED);
    ck_assert_int_eq(polynest_apply_json(p, "[1]"), POLYNEST_REFUSED);
    ck_assert(has(polynest_diagnostics(p), "a step must be an object, this is a list"));
    ck_assert_int_eq(polynest_apply_json(p, "{}, {}"), POLYNEST_REFUSED);
    ck_assert_str_eq(polynest_description(p), before);
    ok(p, polynest_check(p));
    free(before);
    polynest_free(p);
}
END_TEST

START_TEST(steps_are_taken_back)
{
    static const char text[] =
        "{\"polynest\": 1, \"name\": \"f\", \"params\": [\"N\"], // sizes\n"
        " \"arrays\": [{\"name\": \"x\", \"role\": \"out\", \"type\": \"f32\", \"shape\": [\"N\"]}],\n"
        " \"nests\": [{\"loops\": [\"i < N\"], \"body\": [\"x[i] = 1.0\"]}],\n"
        " \"schedule\": [\n"
        "     {\"split\": \"i\", \"by\": 64} // a line of the cache\n"
        " ]}\n";
    static const char file[] = "{\"schedule\": [], \"variants\": [{\"name\": \"v\", \"plan\": []}]}";
    polynest *p = polynest_new("f.json", text, sizeof(text) - 1);

    ok(p, polynest_apply(p, "split", "ii", "by", "8", NULL));
    ck_assert(has(polynest_description(p), "     {\"split\": \"i\", \"by\": 64}, // a line of the cache\n"
                                           "     {\"split\": \"ii\", \"by\": 8}\n ]}\n"));
    ok(p, polynest_apply(p, "unroll", "iii", NULL));
    ck_assert(has(polynest_description(p), "\n ],\n \"plan\": [\n   {\"unroll\": \"iii\"}\n ]}"));
    ok(p, polynest_undo(p));
    ok(p, polynest_undo(p));
    ck_assert_int_eq(polynest_undo(p), POLYNEST_USAGE);
    ck_assert_str_eq(polynest_description(p), text);
    polynest_set_schedule(p, "steps", file, sizeof(file) - 1);
    polynest_set_variant(p, "v");
    ok(p, polynest_apply(p, "split", "i", "by", "8", NULL));
    ok(p, polynest_apply(p, "unroll", "ii", NULL));
    ck_assert_str_eq(polynest_description(p), text);
    ck_assert_str_eq(polynest_schedule(p), "{\"schedule\": [\n"
                                           "  {\"split\": \"i\", \"by\": 8}\n"
                                           "], \"variants\": [{\"name\": \"v\", \"plan\": [\n"
                                           "  {\"unroll\": \"ii\"}\n"
                                           "]}]}");
    ok(p, polynest_undo(p));
    ok(p, polynest_undo(p));
    ck_assert_str_eq(polynest_schedule(p), file);
    polynest_free(p);
}
END_TEST

static polynest *nest(const char *loops, const char *statement)
{
    polynest *p = polynest_describe("f");

    ok(p, polynest_add_param(p, "N", NULL));
    ok(p, polynest_add_array(p, "A", "inout", "f32", "N + 2, N + 2"));
    ok(p, polynest_begin_nest(p, "n", loops));
    ok(p, polynest_add_statement(p, statement));
    ok(p, polynest_end(p));
    return p;
}

/* Loops are permutable when each of them may be the outermost one. */
static bool each_may_be_outermost(polynest *p, const char *a, const char *b)
{
    int first, second;
    char order[64];

    snprintf(order, sizeof(order), "%s, %s", a, b);
    ok(p, polynest_apply(p, "reorder", order, NULL));
    ok(p, polynest_is_legal(p, &first));
    ok(p, polynest_undo(p));
    snprintf(order, sizeof(order), "%s, %s", b, a);
    ok(p, polynest_apply(p, "reorder", order, NULL));
    ok(p, polynest_is_legal(p, &second));
    ok(p, polynest_undo(p));
    return first && second;
}

START_TEST(permutable_as_far_as_reorder_is_legal)
{
    static const struct {
        const char *loops, *statement;
        int permutable;
    } row[] = {
        {"1 <= i <= N, 1 <= j <= N", "A[i, j] = A[i - 1, j] + A[i, j - 1]", 1},
        {"1 <= i <= N, 1 <= j <= N", "A[i, j] = A[i - 1, j + 1] + A[i, j - 1]", 0},
        {"1 <= i <= N, 1 <= j <= N", "A[i, j] = A[i - 1, j - 1] + A[i + 1, j + 1]", 1},
        {"1 <= i <= N, 1 <= j <= N", "A[i, j] = A[i + 1, j - 1] * 2.0", 0},
        {"1 <= i <= N, 1 <= j <= i", "A[i, j] = A[i, j] + A[j, j]", 1},
        {"1 <= i <= N, 1 <= j <= i", "A[i, j] = A[j, i] * 2.0", 1},
        {"1 <= i <= N, 1 <= j <= N", "A[0, j] = A[0, j + 1] + A[0, j]", 0},
    };

    for (size_t k = 0; k < sizeof(row) / sizeof(row[0]); k++) {
        polynest *p = nest(row[k].loops, row[k].statement);
        int yes;

        ok(p, polynest_is_permutable(p, "j, n.i", &yes));
        ck_assert_msg(yes == row[k].permutable, "%s: %d %s", row[k].statement, yes, polynest_output(p));
        ck_assert(yes || has(polynest_output(p), "] before S0["));
        ck_assert_msg(yes == each_may_be_outermost(p, "i", "j"), "%s", row[k].statement);
        polynest_free(p);
    }
}
END_TEST

/* Of an element that is used again only the values count: whole iterations may change places. */
START_TEST(permutable_with_temporaries)
{
    static const struct {
        const char *first, *second;
        int permutable;
    } row[] = {
        {"t = A[i, j] * 2.0", "B[i, j] = t", 1},
        {"t = B[i, j] * 2.0", "B[i, j] = t", 1},
        {"t = A[i, j] * 2.0", "B[0, 0] = t", 0},
        {"t = B[i - 1, j + 1] * 2.0", "B[i, j] = t", 0},
    };

    for (size_t k = 0; k < sizeof(row) / sizeof(row[0]); k++) {
        polynest *p = polynest_describe("f");
        int yes;

        ok(p, polynest_add_param(p, "N", NULL));
        ok(p, polynest_add_array(p, "A", "in", "f32", "N + 2, N + 2"));
        ok(p, polynest_add_array(p, "B", "inout", "f32", "N + 2, N + 2"));
        ok(p, polynest_add_array(p, "t", "temp", "f32", ""));
        ok(p, polynest_begin_nest(p, "n", "1 <= i <= N, 1 <= j <= N"));
        ok(p, polynest_add_statement(p, row[k].first));
        ok(p, polynest_add_statement(p, row[k].second));
        ok(p, polynest_end(p));
        ok(p, polynest_is_permutable(p, "i, j", &yes));
        ck_assert_msg(yes == row[k].permutable, "%s; %s: %d %s", row[k].first, row[k].second, yes, polynest_output(p));
        polynest_free(p);
    }
}
END_TEST

START_TEST(questions_have_reasons)
{
    polynest *p = nest("1 <= i <= N, j <= N", "A[i, j] = A[i - 1, j] + A[i, j]");
    int yes;

    ok(p, polynest_is_parallel(p, "j", &yes));
    ck_assert(yes);
    ck_assert_str_eq(polynest_output(p), "");
    ok(p, polynest_is_parallel(p, "i", &yes));
    ck_assert(!yes);
    ck_assert_str_eq(polynest_output(p), "S0[1, 0] before S0[2, 0], both touch A[1, 0] (flow); N = 2");
    ck_assert_int_eq(polynest_is_permutable(p, "", &yes), POLYNEST_USAGE);
    ck_assert_int_eq(polynest_is_permutable(p, ",", &yes), POLYNEST_USAGE);
    ck_assert_int_eq(polynest_is_parallel(p, "k", &yes), POLYNEST_USAGE);
    ck_assert(!yes && has(polynest_diagnostics(p), "there is no loop `k`"));
    ck_assert_int_eq(polynest_footprint(p, "i", "B", &yes), POLYNEST_USAGE);
    ok(p, polynest_footprint(p, "i", "A", &yes));
    ck_assert(yes);
    ck_assert_str_eq(polynest_output(p), "2 * N + 2");
    ok(p, polynest_apply(p, "tile", "i: 8, j: 8", NULL));
    ok(p, polynest_footprint(p, "j", "A", &yes));
    ck_assert(!yes);
    ck_assert_str_eq(polynest_output(p), "16");
    ok(p, polynest_is_permutable(p, "ii, j, jj", &yes));
    ck_assert(yes);
    ok(p, polynest_is_permutable(p, "ii, i", &yes));
    ck_assert(!yes && has(polynest_output(p), "`ii` goes backwards: "));
    ok(p, polynest_is_permutable(p, "i, j", &yes));
    ck_assert(!yes);
    ck_assert_str_eq(polynest_output(p), "`ii` is between `i` and `j`");
    ok(p, polynest_apply(p, "reverse", "i", NULL));
    ok(p, polynest_is_legal(p, &yes));
    ck_assert(!yes && has(polynest_output(p), "] before S0["));
    ck_assert_int_eq(polynest_check(p), POLYNEST_REFUSED);
    polynest_free(p);
}
END_TEST

struct written {
    size_t size[3];
    int n, fails_at;
};

static int write_part(polynest_part part, const char *text, size_t size, void *user)
{
    struct written *written = user;

    ck_assert_uint_eq(strlen(text), size);
    written->size[part] = size;
    return written->n++ == written->fails_at;
}

START_TEST(texts_go_to_a_callback)
{
    polynest *p = product();
    struct written written = {.fails_at = -1};

    ok(p, polynest_emit_to(p, write_part, &written));
    ck_assert(written.n == 3 && written.size[POLYNEST_SOURCE] == strlen(polynest_source(p)));
    ck_assert(written.size[POLYNEST_HEADER] == strlen(polynest_header(p)) && written.size[POLYNEST_SIGNATURE] > 0);
    written = (struct written){.fails_at = 1};
    ck_assert_int_eq(polynest_emit_to(p, write_part, &written), POLYNEST_ENVIRONMENT);
    ck_assert_int_eq(written.n, 2);
    ok(p, polynest_set_key(p, "C", "role", "in"));
    ck_assert_int_eq(polynest_emit_to(p, write_part, &written), POLYNEST_REFUSED);
    ck_assert_int_eq(written.n, 2);
    polynest_free(p);
}
END_TEST

UNIT_MAIN("build", calls_write_a_description, blocks_hold_further_statements, calls_out_of_place_are_told,
          values_need_no_quotes, steps_are_taken_back, permutable_as_far_as_reorder_is_legal,
          permutable_with_temporaries, questions_have_reasons, texts_go_to_a_callback)
