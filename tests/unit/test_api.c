#include "polynest/polynest.h"
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char good[] =
    "{\"polynest\": 1, \"name\": \"f\", \"params\": [\"N\"],\n"
    " \"arrays\": [{\"name\": \"A\", \"role\": \"inout\", \"type\": \"f32\", \"shape\": [\"N\", \"N\"]},\n"
    "            {\"name\": \"t\", \"role\": \"temp\", \"type\": \"f32\", \"shape\": []}],\n"
    " \"nests\": [{\"loops\": [\"1 <= i < N\", \"j <= i\"], \"body\": [\"S: t = A[i, j] * 2.0\", \"T: A[i - 1, j] += "
    "t\"]},\n"
    "            {\"name\": \"second\", \"loops\": [\"i < N\"], \"body\": [\"U: A[i, i] = 0.0\"]}],\n"
    " \"schedule\": [{\"split\": \"S.j\", \"by\": 4, \"as\": \"jj\"}, {\"split\": \"second.i\", \"by\": 8, \"as\": "
    "\"ii\"}]}\n";
static const char illegal[] =
    "{\"polynest\": 1, \"name\": \"f\", \"params\": [\"N\"],\n"
    " \"arrays\": [{\"name\": \"A\", \"role\": \"inout\", \"type\": \"f32\", \"shape\": [\"N\"]}],\n"
    " \"nests\": [{\"loops\": [\"1 <= i < N\"], \"body\": [\"A[i] = A[i - 1]\"]}],\n"
    " \"schedule\": [{\"reverse\": \"i\"}]}\n";

static polynest *description(const char *text)
{
    return polynest_new("f.json", text, strlen(text));
}

static bool has(const char *text, const char *piece)
{
    return strstr(text, piece) != NULL;
}

START_TEST(emits_the_same_bytes_again)
{
    polynest *p = description(good), *q = description(good);
    char *first;

    ck_assert_msg(polynest_emit(p) == POLYNEST_OK, "%s", polynest_diagnostics(p));
    first = strdup(polynest_source(p));
    ck_assert_int_eq(polynest_emit(p), POLYNEST_OK);
    ck_assert_str_eq(polynest_source(p), first);
    ck_assert_int_eq(polynest_emit(q), POLYNEST_OK);
    ck_assert_str_eq(polynest_source(q), first);
    ck_assert(has(polynest_source(p), "#include \"f.h\"") && has(polynest_header(p), "void f("));
    free(first);
    polynest_free(p);
    polynest_free(q);
}
END_TEST

START_TEST(signature_tells_the_arguments)
{
    polynest *p =
        description("{\"polynest\": 1, \"name\": \"f\", \"params\": [\"N\"],\n"
                    " \"scalars\": [{\"name\": \"a\", \"type\": \"f64\"}], \"arrays\": [\n"
                    "{\"name\": \"x\", \"role\": \"in\", \"type\": \"f32\", \"shape\": [\"N\", 7], "
                    "\"layout\": {\"block\": {\"1\": 4}}},\n"
                    "{\"name\": \"y\", \"role\": \"out\", \"type\": \"f32\", \"shape\": [\"N\"], "
                    "\"layout\": {\"strides\": [2], \"offset\": 1}},\n"
                    "{\"name\": \"t\", \"role\": \"temp\", \"type\": \"f32\", \"shape\": []}],\n"
                    " \"nests\": [{\"loops\": [\"i < N\"], \"body\": [\"t = x[i, 6]\", \"y[i] = t * f32(a)\"]}]}");

    ck_assert_str_eq(polynest_signature(p), "");
    ck_assert_msg(polynest_emit(p) == POLYNEST_OK, "%s", polynest_diagnostics(p));
    ck_assert_str_eq(
        polynest_signature(p),
        "{\"name\": \"f\", \"language\": \"c\", \"returns\": \"void\", \"arguments\": [\n"
        "  {\"name\": \"N\", \"kind\": \"param\", \"type\": \"i64\"},\n"
        "  {\"name\": \"a\", \"kind\": \"scalar\", \"type\": \"f64\"},\n"
        "  {\"name\": \"x\", \"kind\": \"array\", \"type\": \"f32\", \"role\": \"in\", \"shape\": [\"N\", "
        "\"7\"], \"stored\": [\"N\", \"2\", \"4\"]},\n"
        "  {\"name\": \"y\", \"kind\": \"array\", \"type\": \"f32\", \"role\": \"out\", \"shape\": [\"N\"], "
        "\"strides\": [\"2\"], \"offset\": \"1\"}],\n"
        " \"flags\": [],\n \"needs\": [\"N >= 0\"]}\n");
    ck_assert_int_eq(polynest_check(p), POLYNEST_OK);
    ck_assert_str_eq(polynest_signature(p), "");
    polynest_free(p);
}
END_TEST

START_TEST(proposed_steps_serve_again)
{
    polynest *p = description(good);
    char *first;

    polynest_set_auto(p, 1);
    ck_assert_msg(polynest_emit(p) == POLYNEST_OK, "%s", polynest_diagnostics(p));
    first = strdup(polynest_signature(p));
    ck_assert_int_eq(polynest_emit(p), POLYNEST_OK);
    ck_assert_int_eq(polynest_show(p, POLYNEST_LOOPS, 0), POLYNEST_OK);
    ck_assert_int_eq(polynest_emit(p), POLYNEST_OK);
    ck_assert_str_eq(polynest_signature(p), first);
    free(first);
    polynest_free(p);
}
END_TEST

START_TEST(options_show_in_the_text)
{
    polynest *p = description(good);

    polynest_set_function_name(p, "g");
    polynest_set_header_name(p, "other.h");
    polynest_set_unscheduled(p, 1);
    ck_assert_int_eq(polynest_emit(p), POLYNEST_OK);
    ck_assert(has(polynest_source(p), "#include \"other.h\"") && has(polynest_source(p), "void g("));
    ck_assert(!has(polynest_source(p), "jj"));
    polynest_set_function_name(p, "while");
    ck_assert_int_eq(polynest_emit(p), POLYNEST_USAGE);
    ck_assert_str_eq(polynest_source(p), "");
    polynest_free(p);
    polynest_free(NULL);
}
END_TEST

START_TEST(refusals_say_why_and_leave_no_text)
{
    polynest *p = description(illegal);

    ck_assert_int_eq(polynest_emit(p), POLYNEST_REFUSED);
    ck_assert_str_eq(polynest_source(p), "");
    ck_assert_str_eq(polynest_header(p), "");
    ck_assert(has(polynest_diagnostics(p), "f.json:4:15: error: "));
    ck_assert(has(polynest_diagnostics_json(p), "\"rule\": \"order\""));
    ck_assert_int_eq(polynest_check(p), POLYNEST_REFUSED);
    ck_assert_int_eq(polynest_show(p, POLYNEST_LOOPS, 1), POLYNEST_REFUSED);
    ck_assert(has(polynest_output(p), "== step 1: reverse i") && has(polynest_output(p), "illegal order"));
    polynest_free(p);
}
END_TEST

START_TEST(any_bytes_are_an_answer)
{
    static const char bytes[] = "{\"polynest\": 1, \"na\0me\": \xff\xfe [[[[";

    for (size_t size = 0; size <= sizeof(bytes); size++) {
        polynest *p = polynest_new("bytes", bytes, size);

        ck_assert_int_eq(polynest_emit(p), POLYNEST_REFUSED);
        ck_assert_str_ne(polynest_diagnostics(p), "");
        polynest_free(p);
    }
}
END_TEST

/* Each budget makes isl fail at another place: nothing but "undecided" may come of it, and no leak. */
static void sweep(const char *text, polynest_status full)
{
    polynest *p = description(text);
    polynest_status status = POLYNEST_UNDECIDED;
    int undecided = 0;

    for (unsigned long budget = 1; status == POLYNEST_UNDECIDED && budget < 10000000; budget += budget / 24 + 1) {
        polynest_set_budget(p, budget);
        status = polynest_emit(p);
        ck_assert_msg(status == POLYNEST_UNDECIDED || status == full, "status %d with a budget of %lu: %s", (int)status,
                      budget, polynest_diagnostics(p));
        undecided += status == POLYNEST_UNDECIDED;
    }
    ck_assert_int_eq(status, full);
    ck_assert_int_gt(undecided, 50);
    polynest_free(p);
}

START_TEST(a_spent_budget_is_undecided_in_every_stage)
{
    sweep(good, POLYNEST_OK);
    sweep(illegal, POLYNEST_REFUSED);
}
END_TEST

UNIT_MAIN("api", emits_the_same_bytes_again, signature_tells_the_arguments, proposed_steps_serve_again,
          options_show_in_the_text, refusals_say_why_and_leave_no_text, any_bytes_are_an_answer,
          a_spent_budget_is_undecided_in_every_stage)
