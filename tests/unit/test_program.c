/* The isl side of programs, and the proofs about them. */
#include "unit.h"

#include "program/check/check.h"
#include "program/check/replay.h"
#include "program/expr/affine.h"
#include "reading.h"

#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

#define DESCRIBE(nests)                                                                                                \
    "{'polynest': 1, 'name': 'f', 'params': ['N', 'M'], 'assume': ['M >= 1'], 'arrays': [{'name': 'A', 'role': "       \
    "'inout', 'type': 'f64', 'shape': ['N', 'M']}, {'name': 'v', 'role': 'inout', 'type': 'f64', 'shape': ['N']}, "    \
    "{'name': 'w', 'role': 'in', 'type': 'f64', 'shape': [10]}, {'name': 'idx', 'role': 'in', 'type': 'i32', "         \
    "'shape': ['N'], 'values': '0 <= idx < M'}, {'name': 'raw', 'role': 'in', 'type': 'i32', 'shape': ['N']}, "        \
    "{'name': 'm', 'role': 'inout', 'type': 'f64', 'shape': ['M']}], 'nests': [" nests "]}"

struct domain_row {
    const char *nest, *domain;
};

static const struct domain_row domains[] = {
    {"{'loops': ['i < N'], 'body': ['v[i] = 0']}", "{ S0[i] : 0 <= i < N }"},
    {"{'loops': ['1 <= i < N - 1'], 'body': ['v[i] = 0']}", "{ S0[i] : 1 <= i < N - 1 }"},
    {"{'loops': ['0 < i <= N'], 'body': ['v[i] = 0']}", "{ S0[i] : 0 < i <= N }"},
    {"{'loops': ['i < N', 'i < j <= min(i + 3, N - 1)'], 'body': ['v[i] = 0']}",
     "{ S0[i, j] : 0 <= i < N and i < j and j <= i + 3 and j < N }"},
    {"{'loops': ['max(1, M) <= i < min(N, 100)'], 'body': ['v[i] = 0']}",
     "{ S0[i] : 1 <= i and M <= i and i < N and i < 100 }"},
    {"{'loops': ['0 <= i < N step 3'], 'body': ['v[i] = 0']}", "{ S0[i] : 0 <= i < N and i mod 3 = 0 }"},
    {"{'loops': ['2 < i <= N step 4'], 'body': ['v[i] = 0']}", "{ S0[i] : 3 <= i <= N and i mod 4 = 3 }"},
    {"{'loops': ['0 <= i < N step -2'], 'body': ['v[i] = 0']}", "{ S0[i] : 0 <= i < N and (N - 1 - i) mod 2 = 0 }"},
    {"{'loops': ['1 <= i <= N step -1'], 'body': ['v[i] = 0']}", "{ S0[i] : 1 <= i <= N }"},
    {"{'loops': ['i < N', 'i <= j < N step 2'], 'body': ['v[i] = 0']}",
     "{ S0[i, j] : 0 <= i < N and i <= j < N and (j - i) mod 2 = 0 }"},
    {"{'loops': ['i < N / 2', 'N % 3 <= j < ceil(N / 2)'], 'body': ['v[i] = 0']}",
     "{ S0[i, j] : 0 <= i < floor(N / 2) and N mod 3 <= j and 2j < N }"},
    {"{'loops': ['i < abs(M - N)'], 'body': ['v[i] = 0']}", "{ S0[i] : 0 <= i and (i < M - N or i < N - M) }"},
    {"{'loops': ['i < (N > 3 ? M : 2)'], 'body': ['v[i] = 0']}",
     "{ S0[i] : 0 <= i and ((N > 3 and i < M) or (N <= 3 and i < 2)) }"},
    {"{'loops': ['i < N'], 'if': 'i % 2 == 0 and not (i = 4) or 3 <= i < 7', 'body': ['v[i] = 0']}",
     "{ S0[i] : 0 <= i < N and ((i mod 2 = 0 and i != 4) or 3 <= i < 7) }"},
    {"{'loops': ['i < N'], 'if': 'v[i] > 0 and i >= M', 'body': ['v[i] = 0']}", "{ S0[i] : M <= i < N }"},
    {"{'if': 'N > 3', 'body': ['v[0] = 0']}", "{ S0[] : N > 3 }"},
    {"{'domain': '[M, N] -> { T[a, b] : 0 <= a < N and 0 <= b <= a }', 'body': ['T: v[a] = 0']}",
     "{ T[a, b] : 0 <= a < N and 0 <= b <= a }"},
};

START_TEST(domains_follow_the_loops)
{
    for (size_t k = 0; k < sizeof(domains) / sizeof(domains[0]); k++) {
        char *text = NULL;
        struct text description = {0}, expected = {0};
        struct reading_result result;
        isl_set *set;

        text_addf(&description, DESCRIBE("%s"), domains[k].nest);
        text_addf(&expected, "[N, M] -> %s", domains[k].domain);
        result = read_text(text_str(&description));
        ck_assert_msg(result.program != NULL, "%s: %s", domains[k].nest, first_error(&result));
        set = isl_set_intersect_params(isl_set_read_from_str(result.ctx, text_str(&expected)),
                                       isl_set_copy(result.program->context));
        text = isl_set_to_str(result.program->statement[0]->domain);
        ck_assert_msg(isl_set_is_equal(set, result.program->statement[0]->domain), "%s: %s", domains[k].nest, text);
        free(text);
        isl_set_free(set);
        text_free(&expected);
        text_free(&description);
        reading_free(&result);
    }
}
END_TEST

struct points {
    struct replayed all;
    int n_loop;
};

static isl_stat add_point(__isl_take isl_point *point, void *user)
{
    struct points *points = user;
    int64_t coordinate[4] = {0};

    for (int k = 0; k < points->n_loop; k++) {
        isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, k);
        coordinate[k] = isl_val_get_num_si(value);
        isl_val_free(value);
    }
    replayed_add(&points->all, coordinate, points->n_loop);
    isl_point_free(point);
    return isl_stat_ok;
}

/* What the loops run, without isl, are the points of the set that isl has for them. */
START_TEST(loops_run_the_domains)
{
    for (size_t k = 0; k < sizeof(domains) / sizeof(domains[0]); k++)
        for (int64_t n = 0; n < 9; n++) {
            const int64_t param[] = {n, 1 + n % 4};
            struct replayed run[1] = {{0, 0}};
            struct points points = {{0, 0}, 0};
            struct text description = {0};
            struct reading_result result;
            isl_set *set;

            text_addf(&description, DESCRIBE("%s"), domains[k].nest);
            result = read_text(text_str(&description));
            ck_assert(replay_program(result.program, param, 1000, run));
            set = isl_set_fix_si(isl_set_copy(result.program->statement[0]->domain), isl_dim_param, 0, (int)param[0]);
            set = isl_set_fix_si(set, isl_dim_param, 1, (int)param[1]);
            points.n_loop = result.program->statement[0]->n_loop;
            isl_set_foreach_point(set, add_point, &points);
            ck_assert_msg(run[0].n == points.all.n && run[0].sum == points.all.sum, "%s at N = %d", domains[k].nest,
                          (int)n);
            isl_set_free(set);
            reading_free(&result);
            text_free(&description);
        }
}
END_TEST

START_TEST(a_long_run_is_given_up)
{
    const int64_t param[] = {1000, 1};
    struct reading_result result = read_text(DESCRIBE("{'loops': ['i < N', 'j < N'], 'body': ['v[i] = 0']}"));
    struct replayed run[1] = {{0, 0}};

    ck_assert(!replay_program(result.program, param, 1000, run));
    reading_free(&result);
}
END_TEST

struct access_row {
    const char *nest;
    const char *access[4]; /* of the last statement, in order; "may " where it is one */
};

static const struct access_row accesses[] = {
    {"{'loops': ['i < N'], 'body': ['v[i] += w[2 * i + 1]']}",
     {"{ S0[i] -> v[i] : 0 <= i < N }", "{ S0[i] -> v[i] : 0 <= i < N }", "{ S0[i] -> w[2i + 1] : 0 <= i < N }"}},
    {"{'loops': ['i < N'], 'body': ['v[i] = i > 0 ? v[i - 1] : w[0]']}",
     {"{ S0[i] -> v[i] : 0 <= i < N }", "{ S0[i] -> v[i - 1] : 1 <= i < N }", "{ S0[i] -> w[0] : i = 0 and i < N }"}},
    {"{'loops': ['i < N'], 'body': ['v[i] = i > 0 && v[i - 1] > 2']}",
     {"{ S0[i] -> v[i] : 0 <= i < N }", "{ S0[i] -> v[i - 1] : 1 <= i < N }"}},
    {"{'loops': ['i < N'], 'body': ['v[i] = w[0] > 0 ? v[0] : 1']}",
     {"{ S0[i] -> v[i] : 0 <= i < N }", "{ S0[i] -> w[0] : 0 <= i < N }", "may { S0[i] -> v[0] : 0 <= i < N }"}},
    {"{'loops': ['i < N'], 'if': 'w[0] > i', 'body': ['v[i] = w[1]']}",
     {"may { S0[i] -> v[i] : 0 <= i < N }", "may { S0[i] -> w[1] : 0 <= i < N }", "{ S0[i] -> w[0] : 0 <= i < N }"}},
    {"{'loops': ['i < N'], 'body': ['A[i, idx[i]] = 0']}",
     {"may { S0[i] -> A[i, j] : 0 <= i < N and 0 <= j < M }", "{ S0[i] -> idx[i] : 0 <= i < N }"}},
    {"{'loops': ['i < N'], 'body': ['v[i] = A[i / 2, (i + 1) % 2]']}",
     {"{ S0[i] -> v[i] : 0 <= i < N }", "{ S0[i] -> A[floor(i / 2), (i + 1) mod 2] : 0 <= i < N }"}},
};

static void check_one_access(const struct reading_result *result, const struct access *access, const char *expected)
{
    const bool may = strncmp(expected, "may ", 4) == 0;
    isl_map *map =
        isl_map_read_from_str(result->ctx, arena_printf(result->arena, "[N, M] -> %s", expected + (may ? 4 : 0)));

    map = isl_map_intersect_params(map, isl_set_copy(result->program->context));
    ck_assert_msg(isl_map_is_equal(map, access->map) && access->may == may, "%s", expected);
    isl_map_free(map);
}

START_TEST(accesses_are_exact_or_may)
{
    for (size_t k = 0; k < sizeof(accesses) / sizeof(accesses[0]); k++) {
        struct text description = {0};
        struct reading_result result;
        const struct statement *statement;
        int n = 0;

        text_addf(&description, DESCRIBE("%s"), accesses[k].nest);
        result = read_text(text_str(&description));
        ck_assert_msg(result.program != NULL, "%s: %s", accesses[k].nest, first_error(&result));
        statement = result.program->statement[0];
        for (; n < 4 && accesses[k].access[n]; n++)
            check_one_access(&result, &statement->access[n], accesses[k].access[n]);
        ck_assert_msg(statement->n_access == n, "%s: %d accesses", accesses[k].nest, statement->n_access);
        ck_assert(statement->access[0].write && !statement->access[n - 1].write);
        text_free(&description);
        reading_free(&result);
    }
}
END_TEST

struct check_row {
    const char *nest;
    const char *message; /* of the first error, or NULL when all is proved */
    const char *hint;
};

static const struct check_row checks[] = {
    {"{'loops': ['i < N', 'j < M'], 'body': ['A[i, j] = v[i] * A[N - 1 - i, M - 1 - j]']}", NULL, NULL},
    {"{'loops': ['i < N - 1'], 'body': ['v[i] = v[i + 1]']}", NULL, NULL},
    {"{'loops': ['i < N'], 'body': ['v[i] = v[i + 1]']}",
     "v[i + 1] is outside v, which has N elements: S0[0] reads v[1] (N = 1)", NULL},
    {"{'loops': ['i < N'], 'body': ['v[i] += w[i]']}",
     "w[i] is outside w, which has 10 elements: S0[10] reads w[10] (N = 11)",
     "\"assume\": [\"N <= 10\"] would be enough"},
    {"{'loops': ['i < N'], 'body': ['v[i - 1] = 0']}",
     "v[i - 1] is outside v, which has N elements: S0[0] writes v[-1] (N = 1)", NULL},
    {"{'loops': ['i < N'], 'body': ['A[i, i] = 0']}",
     "A[i, i] is outside A, whose shape is [N, M]: S0[1] writes A[1,1] (N = 2, M = 1)",
     "\"assume\": [\"N <= M\"] would be enough"},
    {"{'loops': ['i < N'], 'body': ['A[i, 1] = 0']}",
     "A[i, 1] is outside A, whose shape is [N, M]: S0[0] writes A[0,1] (N = 1, M = 1)",
     "\"assume\": [\"M >= 2\"] would be enough"},
    {"{'loops': ['i < N'], 'if': 'i > 0', 'body': ['v[i] = v[i - 1]']}", NULL, NULL},
    {"{'loops': ['i < N'], 'body': ['v[i] = i > 0 ? v[i - 1] : 0']}", NULL, NULL},
    {"{'loops': ['i < N'], 'body': ['v[i] = i >= 0 ? v[i - 1] : 0']}",
     "v[i - 1] is outside v, which has N elements: S0[0] reads v[-1] (N = 1)", NULL},
    {"{'loops': ['i < N'], 'body': ['A[i, idx[i]] += m[idx[i]]']}", NULL, NULL},
    {"{'loops': ['i < N'], 'body': ['m[idx[i] - 1 + 1] = 0']}", NULL, NULL},
    {"{'loops': ['i < N'], 'body': ['m[idx[i] + 1] = 0']}",
     "index 0 of m may be outside it: S0[0] with idx[i] + 1 = 1 (N = 1, M = 1)",
     "conditions around it count: \"if\": \"idx[i] + 1 < M\""},
    {"{'loops': ['i < N'], 'body': ['m[idx[i] / 2] = 0']}", NULL, NULL},
    {"{'loops': ['i < N'], 'body': ['v[raw[i] / 2] = 0']}", "the index raw[i] / 2 is not known to be inside v",
     "\"values\": \"0 <= raw < ..\" on the array `raw` states what its elements are"},
    {"{'loops': ['i < N'], 'body': ['v[raw[i]] = 0']}", "the index raw[i] is not known to be inside v",
     "\"values\": \"0 <= raw < ..\" on the array `raw` states what its elements are"},
    {"{'loops': ['i < N'], 'body': ['v[i * i] = 0']}", "the index i * i is not known to be inside v",
     "no proof follows the product i * i; v[i, j] in place of v[i * N + j] needs none"},
    {"{'loops': ['i < 10'], 'body': ['w[i] = 0']}", "S0 writes `w`, whose role is in",
     "the role \"inout\" lets it be written"},
};

static enum status run_checks(struct reading_result *result)
{
    const enum status bounds = program_check_bounds(result->program, result->diags);
    const enum status types = program_check_types(result->program, result->diags);

    return bounds != STATUS_OK ? bounds : types;
}

static void check_first(const struct reading_result *result, const struct check_row *row)
{
    const struct diag *diag = result->diags->list.n ? result->diags->list.at[0] : NULL;

    ck_assert_msg(!diag == !row->message, "%s: %s", row->nest, diag ? diag->message : "proved");
    if (!diag)
        return;
    ck_assert_msg(strcmp(diag->message, row->message) == 0, "%s: %s", row->nest, diag->message);
    ck_assert_msg(!diag->hint == !row->hint, "%s: hint %s", row->nest, diag->hint ? diag->hint : "none");
    ck_assert_msg(!diag->hint || strcmp(diag->hint, row->hint) == 0, "%s: hint %s", row->nest, diag->hint);
}

START_TEST(proofs_show_the_smallest_counterexample)
{
    for (size_t k = 0; k < sizeof(checks) / sizeof(checks[0]); k++) {
        struct text description = {0};
        struct reading_result result;

        text_addf(&description, DESCRIBE("%s"), checks[k].nest);
        result = read_text(text_str(&description));
        ck_assert_msg(result.program != NULL, "%s: %s", checks[k].nest, first_error(&result));
        ck_assert_int_eq(run_checks(&result), checks[k].message ? STATUS_REFUSED : STATUS_OK);
        check_first(&result, &checks[k]);
        text_free(&description);
        reading_free(&result);
    }
}
END_TEST

struct storage_row {
    const char *array; /* shape and layout */
    const char *message;
};

static const struct storage_row storages[] = {
    {"[4, 8], 'layout': {'strides': [8, 1]}", NULL},
    {"[4, 8], 'layout': {'strides': [1, 4]}", NULL},
    {"[4, 8], 'layout': {'strides': [20, 2], 'offset': 3}", NULL},
    {"[4, 8], 'layout': {'strides': [7, 1]}", "the strides put E[0,7] in the place of E[1,0]"},
    {"[4, 8], 'layout': {'strides': [3, 5]}", NULL},
    {"[4, 8], 'layout': {'strides': [5, 3]}", "the strides put E[0,5] in the place of E[3,0]"},
    {"[3, 8], 'layout': {'strides': [5, 3]}", NULL},
    {"[4, 8], 'layout': {'strides': [8, -1]}", "the strides put E[0,1] before the array's start"},
    {"[4, 8], 'layout': {'strides': [8, -1], 'offset': 7}", NULL},
    {"['N', 'M'], 'layout': {'strides': ['M', 1]}", NULL},
    {"['N', 'M'], 'layout': {'strides': ['ld', 1]}", NULL},
    {"['N', 'M'], 'layout': {'strides': [1, 'ld']}",
     "the strides put E[0,1] in the place of E[2,0] (N = 3, M = 2, ld = 2)"},
    {"['N', 'M'], 'layout': {'strides': ['M', 2]}",
     "the strides put E[0,1] in the place of E[1,0] (N = 2, M = 2, ld = 2)"},
    {"['N', 'M', 10], 'layout': {'strides': ['10 * M', 10, 1]}", NULL},
    {"['N'], 'layout': {'strides': [2], 'offset': 'N - 3'}", "the offset is negative (N = 1)"},
    {"[4, 'N'], 'layout': {'strides': ['N', 1], 'offset': 'M - 3'}", "the offset is negative (N = 1, M = 0)"},
};

START_TEST(strides_keep_elements_apart)
{
    for (size_t k = 0; k < sizeof(storages) / sizeof(storages[0]); k++) {
        struct text description = {0};
        struct reading_result result;
        const struct diag *diag;

        text_addf(&description,
                  "{'polynest': 1, 'name': 'f', 'params': ['N', 'M', 'ld'], 'assume': ['ld >= M'], 'arrays': [{'name': "
                  "'E', 'role': 'inout', 'type': 'f32', 'shape': %s}], 'nests': [{'body': ['E%s = 0']}]}",
                  storages[k].array,
                  storages[k].array[3] == ',' || strchr(storages[k].array, ',') < strchr(storages[k].array, ']')
                      ? (strstr(storages[k].array, "10]") ? "[0,0,0]" : "[0,0]")
                      : "[0]");
        result = read_text(text_str(&description));
        ck_assert_msg(result.program != NULL, "%s: %s", storages[k].array, first_error(&result));
        program_check_bounds(result.program, result.diags);
        diag = result.diags->list.n ? result.diags->list.at[0] : NULL;
        if (diag && strcmp(diag->rule, "layout") != 0)
            diag = NULL;
        ck_assert_msg(!diag == !storages[k].message, "%s: %s", storages[k].array, diag ? diag->message : "proved");
        ck_assert_msg(!diag || strcmp(diag->message, storages[k].message) == 0, "%s: %s", storages[k].array,
                      diag ? diag->message : "");
        text_free(&description);
        reading_free(&result);
    }
}
END_TEST

START_TEST(labels_and_names_have_defaults)
{
    struct reading_result result =
        read_text(DESCRIBE("{'body': ['v[0] = 0', 'S1: v[0] = 1', 'v[0] = 2']}, {'name': 'n0', 'body': ['v[0] = 3']}, "
                           "{'body': ['v[0] = 4']}"));
    const struct program *program = result.program;

    ck_assert_str_eq(program->statement[0]->label, "S0");
    ck_assert_str_eq(program->statement[1]->label, "S1");
    ck_assert_str_eq(program->statement[2]->label, "S2");
    ck_assert_str_eq(program->statement[4]->label, "S4");
    ck_assert_str_eq(program->nest[0].name, "n1");
    ck_assert_str_eq(program->nest[2].name, "n2");
    ck_assert_ptr_eq(program_statement(program, "S2"), program->statement[2]);
    ck_assert_ptr_eq(program->statement[3]->nest, &program->nest[1]);
    reading_free(&result);
}
END_TEST

START_TEST(guards_part_into_affine_and_other)
{
    struct reading_result result = read_text(
        DESCRIBE("{'loops': ['i < N'], 'if': 'i > 2 and v[i] > 0 and i < 9', 'body': ['m[0] = 1', 'm[0] = 2']}"));
    const struct block *block = result.program->nest[0].body;

    ck_assert(block->condition && block->condition_affine && block->n_item == 1);
    block = block->item[0].block;
    ck_assert(block->condition && !block->condition_affine && block->n_item == 2);
    ck_assert_ptr_eq(block->item[1].statement->guard, block->condition);
    reading_free(&result);
}
END_TEST

START_TEST(program_survives_any_budget)
{
    const char *text = DESCRIBE("{'loops': ['i < N', 'i <= j < min(M, 3 * i) step 2'], 'body': ['A[i, j] += v[i]', "
                                "'v[i] = idx[i] > 3 ? m[idx[i]] : 0']}");
    char *copy = double_quoted(text);
    bool done = false;

    for (unsigned long budget = 1; !done && budget < 1000000; budget += 1 + budget / 12) {
        struct arena *arena = arena_new();
        isl_ctx *ctx = poly_context_new(budget);
        struct diags *diags = diags_new(arena);
        struct source *source = ARENA_NEW(arena, struct source);
        struct program *program = NULL;
        enum status status;

        *source = (struct source){"t.json", arena_copy(arena, copy), strlen(copy)};
        status = read_program(arena, ctx, source, reading_steps, reading_no_steps, diags, &program);
        if (status == STATUS_OK)
            status = program_check_bounds(program, diags);
        done = status != STATUS_UNDECIDED;
        ck_assert_msg(!done || status == STATUS_OK, "budget %lu: status %d", budget, (int)status);
        arena_free(arena);
        poly_context_free(ctx);
    }
    ck_assert(done);
    free(copy);
}
END_TEST

START_TEST(constants_and_obstacles)
{
    struct expr two = {.kind = EXPR_INT, .integer = 2}, minus = {.kind = EXPR_INT, .integer = -7};
    struct expr *arg[] = {&minus, &two};
    struct expr quotient = {.kind = EXPR_BINARY, .op = OP_DIV, .arg = arg, .n_arg = 2};
    int64_t value;

    ck_assert(expr_constant(&quotient, &value) && value == -4);
    quotient.op = OP_MOD;
    ck_assert(expr_constant(&quotient, &value) && value == 1);
    two.integer = 0;
    ck_assert(!expr_constant(&quotient, &value));
}
END_TEST

UNIT_MAIN("program", domains_follow_the_loops, loops_run_the_domains, a_long_run_is_given_up, accesses_are_exact_or_may,
          proofs_show_the_smallest_counterexample, strides_keep_elements_apart, labels_and_names_have_defaults,
          guards_part_into_affine_and_other, program_survives_any_budget, constants_and_obstacles)
