/* The reader as a whole: dumps, places, and damaged input of every kind. */
#include "unit.h"

#include "program/check/check.h"
#include "reading.h"

static const char sample[] =
    "// a comment\n"
    "{\"polynest\": 1, \"name\": \"gemm\", /* sizes */ \"params\": [\"M\", \"N\",\n"
    "{\"name\": \"K\", \"type\": \"i32\"}],\n"
    " \"assume\": [\"M >= 1\", \"N % 8 == 0 and N < 4096\", \"[K] -> { : K <= 100 }\"],\n"
    " \"scalars\": [{\"name\": \"alpha\", \"type\": \"f32\"}],\n"
    " \"arrays\": [{\"name\": \"A\", \"role\": \"in\", \"type\": \"f32\", \"shape\": [\"M\", \"K\"]},\n"
    "  {\"name\": \"B\", \"role\": \"in\", \"type\": \"f32\", \"shape\": [\"K\", \"N\"],\n"
    "   \"layout\": \"col_major\", \"align\": 64},\n"
    "  {\"name\": \"C\", \"role\": \"inout\", \"type\": \"f32\", \"shape\": [\"M\", \"N\"],\n"
    "   \"layout\": {\"strides\": [\"N\", 1], \"offset\": 3}},\n"
    "  {\"name\": \"ix\", \"role\": \"in\", \"type\": \"i32\", \"shape\": [\"M\"], \"values\": \"0 <= ix < N\"}],\n"
    " \"nests\": [{\"name\": \"mm\", \"loops\": [\"i < M\", \"j < N\", \"k < K\"],\n"
    "   \"body\": [\"C[i, j] += alpha * A[i, k] * B[k, j]\"]},\n"
    "  {\"loops\": [\"i < M\", \"1 <= j < N - 1 step -2\"], \"if\": \"i + j < N and C[i, j] > 0\",\n"
    "   \"body\": [\"T: C[i, ix[i]] = i > 0 ? C[i - 1][j] * 2 : 0.5\"]},\n"
    "  {\"domain\": \"[M, N] -> { P[a, b] : 0 <= a < M and 0 <= b < N; Q[a] : 0 <= a < M }\",\n"
    "   \"order\": \"{ P[a, b] -> [a, 1, b]; Q[a] -> [a, 0] }\", \"as\": [\"a\", \"q\", \"b\"],\n"
    "   \"body\": [\"P: C[a, b] max= 0\", \"Q: C[a, 0] -= \\u0061lpha\"]}],\n"
    " \"schedule\": [{\"split\": \"j\", \"by\": 16, \"as\": \"jj\", \"unsafe\": \"why\"},\n"
    "  {\"tile\": {\"i\": 4, \"T.j\": 8}}],\n"
    " \"permit\": [\"contract\"], \"target\": {\"language\": \"c\"}}\n";

static const char dump[] = "program gemm\n"
                           "context [M, N, K] -> {  : (N) mod 8 = 0 and M > 0 and 0 <= N <= 4095 and 0 <= K <= 100 }\n"
                           "scalar f32 alpha\n"
                           "array in f32 A[M, K] order 0, 1\n"
                           "array in f32 B[K, N] order 1, 0\n"
                           "array inout f32 C[M, N] strides N, 1 offset 3\n"
                           "array in i32 ix[M] order 0\n"
                           "nest mm\n"
                           "  S0: C[i, j] += alpha * A[i, k] * B[k, j]\n";

START_TEST(dump_is_stable)
{
    struct reading_result result = read_bytes(sample, strlen(sample));
    struct text text = {0};

    ck_assert_msg(result.program != NULL, "%s", first_error(&result));
    program_dump(&text, result.program);
    ck_assert_msg(strncmp(text_str(&text), dump, strlen(dump)) == 0, "%s", text_str(&text));
    ck_assert(strstr(text_str(&text), "schedule 1: split j by 16 as jj\nschedule 2: tile i 4, T.j 8\n") != NULL);
    text_free(&text);
    reading_free(&result);
}
END_TEST

START_TEST(program_has_what_the_description_says)
{
    struct reading_result result = read_bytes(sample, strlen(sample));
    const struct program *program = result.program;

    ck_assert_int_eq(program->permit, PERMIT_CONTRACT);
    ck_assert_int_eq(program->param[2].type, TYPE_I32);
    ck_assert_int_eq(program->n_assume, 3);
    ck_assert_int_eq(program->array[1].align, 64);
    ck_assert_str_eq(program->schedule[0].unsafe, "why");
    ck_assert_int_eq(step_int(&program->schedule[0], "by", 0), 16);
    ck_assert_str_eq(step_string(&program->schedule[0], "as", ""), "jj");
    ck_assert_str_eq(program->nest[2].order_names[1], "q");
    ck_assert_int_eq(program->nest[1].body->loop[1].step, -2);
    reading_free(&result);
}
END_TEST

/* Several faults of one run, each with its own place. */
START_TEST(faults_are_collected)
{
    struct reading_result result = read_text("{'polynest': 1, 'name': 'f', 'parms': [], 'params': ['N', 'N'],\n"
                                             " 'arrays': [{'name': 'A', 'role': 'in', 'type': 'f33', "
                                             "'shape': ['K']}],\n"
                                             " 'nests': [{'loops': ['i < N'], 'body': ['A[i] = 0']}],\n"
                                             " 'schedule': [{'split': 'i', 'by': 0}, {'spit': 'i'}]}");

    ck_assert_int_eq(result.diags->errors, 5);
    ck_assert_str_eq(first_error(&result), "unknown-key 1:31");
    reading_free(&result);
}
END_TEST

START_TEST(escapes_keep_places_inside_the_string)
{
    struct reading_result result =
        read_text("{'polynest': 1, 'name': 'f', 'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', "
                  "'shape': []}],\n"
                  " 'nests': [{'body': ['\\u0041 = q']}, {'body': ['A = q']}]}");
    int line, column;

    ck_assert_str_eq(first_error(&result), "unknown-name 2:23");
    place_position(result.diags->list.at[1]->place, &line, &column);
    ck_assert_int_eq(column, 53);
    reading_free(&result);
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* One of: another byte, a piece left out, a piece doubled, a piece from elsewhere. */
static size_t mutate(char *text, size_t size, size_t room, uint32_t *state)
{
    static const char bytes[] = "\"\\{}[]():,.0123456789eE+-*/%<>=!&|^~? \n\tiNAxS\x80\xff";
    const size_t at = next_random(state) % size;
    size_t length = 1 + next_random(state) % 12;

    length = length < size - at ? length : size - at;
    switch (next_random(state) % 4) {
    case 0:
        text[at] = bytes[next_random(state) % sizeof(bytes)];
        return size;
    case 1:
        if (length == size)
            return size;
        memmove(text + at, text + at + length, size - at - length);
        return size - length;
    case 2:
        if (size + length > room)
            return size;
        memmove(text + at + length, text + at, size - at);
        return size + length;
    default:
        memmove(text + at, text + next_random(state) % (size - length + 1), length);
        return size;
    }
}

static void check_damaged(const char *text, size_t size)
{
    struct reading_result result = read_bytes(text, size);

    ck_assert((result.status == STATUS_OK) == (result.program != NULL));
    ck_assert(result.status == STATUS_OK || result.diags->errors > 0);
    ck_assert(strncmp(first_error(&result), "internal", 8) != 0);
    for (int k = 0; k < result.diags->list.n; k++)
        ck_assert_msg(strcmp(result.diags->list.at[k]->rule, "json-internal") != 0, "the JSON readers disagree");
    if (result.program)
        program_check_bounds(result.program, result.diags);
    reading_free(&result);
}

START_TEST(damaged_input_is_refused_or_read)
{
    char text[2 * sizeof(sample)];
    uint32_t state = 1;

    for (int round = 0; round < 1000; round++) {
        size_t size = sizeof(sample) - 1;
        const uint32_t changes = 1 + next_random(&state) % 4;

        memcpy(text, sample, size);
        for (uint32_t k = 0; k < changes; k++)
            size = mutate(text, size, sizeof(text), &state);
        check_damaged(text, size);
    }
}
END_TEST

START_TEST(truncated_input_is_refused)
{
    for (size_t size = 0; size + 2 < sizeof(sample); size += 3)
        check_damaged(sample, size);
}
END_TEST

static void check_deep(char open, char close)
{
    enum { DEPTH = 100000 };
    char *text = malloc(2 * DEPTH);

    memset(text, open, DEPTH);
    memset(text + DEPTH, close, DEPTH);
    check_damaged(text, 2 * DEPTH);
    free(text);
}

START_TEST(deep_input_is_refused)
{
    check_deep('[', ']');
    check_deep('{', '}');
    check_deep('"', '"');
    check_deep('/', '*');
}
END_TEST

UNIT_MAIN("read", dump_is_stable, program_has_what_the_description_says, faults_are_collected,
          escapes_keep_places_inside_the_string, damaged_input_is_refused_or_read, truncated_input_is_refused,
          deep_input_is_refused)
