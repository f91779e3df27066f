#include "poly/context.h"
#include "poly/graph.h"
#include "poly/number.h"
#include "poly/same.h"
#include "poly/sample.h"
#include "unit.h"

#include <isl/set.h>
#include <isl/union_map.h>

static void check_smallest(const char *text, const char *expected)
{
    isl_ctx *ctx = poly_context_new(0);
    struct arena *arena = arena_new();
    struct sample sample;
    struct text out = {0};

    if (poly_smallest(arena, isl_set_read_from_str(ctx, text), &sample)) {
        for (int i = 0; i < sample.n_param; i++)
            text_addf(&out, "%d ", (int)sample.param[i]);
        text_char(&out, ':');
        for (int i = 0; i < sample.n_dim; i++)
            text_addf(&out, " %d", (int)sample.dim[i]);
    } else {
        text_add(&out, "none");
    }
    ck_assert_msg(strcmp(text_str(&out), expected) == 0, "%s: %s, not %s", text, text_str(&out), expected);
    text_free(&out);
    arena_free(arena);
    poly_context_free(ctx);
}

START_TEST(smallest_orders_parameters_before_dimensions)
{
    check_smallest("[N] -> { S[i] : 5 <= i < N }", "6 : 5");
    check_smallest("[M,N] -> { S[i,j] : 0 <= i < M and i <= j < N and N >= 3 }", "1 3 : 0 0");
    check_smallest("{ [i] : i = 7 }", ": 7");
    check_smallest("[N] -> { S[] : N >= 2 }", "2 :");
    check_smallest("[N] -> { S[i] : i >= 0 and 3i = N and N > 4 }", "6 : 2");
    check_smallest("[N] -> { S[i] : 0 <= i < N and (exists e: i = 4e + 3) or i = 9 and N = 2 }", "2 : 9");
}
END_TEST

START_TEST(smallest_flattens_wrapped_maps)
{
    check_smallest("[N] -> { [S[i] -> A[a]] : 0 <= i < N and a = i + 3 }", "1 : 0 3");
}
END_TEST

START_TEST(smallest_of_nothing_is_none)
{
    check_smallest("{ S[i] : i > 3 and i < 2 }", "none");
    check_smallest("{ S[i] : 2i = 7 }", "none");
    check_smallest("not a set", "none");
}
END_TEST

START_TEST(smallest_gives_a_readable_point_without_bounds)
{
    check_smallest("{ S[i] }", ": 0");
    check_smallest("[N] -> { S[i,j] : i < N }", "0 : -1 0");
    check_smallest("{ S[i] : i <= -4 }", ": -4");
    check_smallest("{ S[i] : i <= 8 and i mod 5 = 3 }", ": 3");
    check_smallest("[N] -> { S[i] : i > N and N <= -3 }", "-3 : -2");
}
END_TEST

static int stage(isl_ctx *ctx, struct arena *arena)
{
    struct diags *diags = diags_new(arena);
    enum status status;
    isl_union_map *map;
    isl_set *set;
    struct sample sample;

    poly_begin(ctx);
    map = isl_union_map_read_from_str(ctx, "[N] -> { S[i,j] -> T[j,i] : 0 <= i < N and 0 <= j < i mod 7 }");
    map = isl_union_map_apply_range(isl_union_map_copy(map), isl_union_map_reverse(map));
    isl_union_map_free(map);
    set = isl_set_read_from_str(ctx, "[N] -> { S[i,j] : 2 <= i < N and i < j < 2N }");
    poly_smallest(arena, set, &sample);
    status = poly_end(ctx, diags, "testing");
    ck_assert_int_eq(diags->errors, status == STATUS_OK ? 0 : 1);
    return (int)status;
}

START_TEST(a_spent_budget_is_undecided_wherever_it_runs_out)
{
    int undecided = 0;

    for (unsigned long operations = 1; operations < 2000; operations++) {
        struct arena *arena = arena_new();
        isl_ctx *ctx = poly_context_new(operations);
        const int status = stage(ctx, arena);

        ck_assert_msg(status == STATUS_UNDECIDED || status == STATUS_OK, "status %d with %lu", status, operations);
        undecided += status == STATUS_UNDECIDED;
        arena_free(arena);
        poly_context_free(ctx);
    }
    ck_assert_int_gt(undecided, 100);
}
END_TEST

START_TEST(other_errors_are_internal_and_forgotten_by_the_next_stage)
{
    struct arena *arena = arena_new();
    isl_ctx *ctx = poly_context_new(0);
    struct diags *diags = diags_new(arena);

    poly_begin(ctx);
    isl_set_free(isl_set_read_from_str(ctx, "{ [i] : "));
    ck_assert_int_eq(poly_end(ctx, diags, "testing"), STATUS_ENVIRONMENT);
    poly_begin(ctx);
    ck_assert_int_eq(poly_end(ctx, diags, "testing"), STATUS_OK);
    ck_assert_int_eq(diags->errors, 1);
    arena_free(arena);
    poly_context_free(ctx);
    poly_context_free(NULL);
}
END_TEST

static void check_number(isl_ctx *ctx, const char *text, bool fits, int64_t expected)
{
    int64_t number = 1;

    ck_assert_msg(poly_number(isl_val_read_from_str(ctx, text), &number) == fits, "%s", text);
    ck_assert_msg(number == expected, "%s", text);
}

START_TEST(numbers_have_64_bits)
{
    isl_ctx *ctx = poly_context_new(0);

    check_number(ctx, "9223372036854775807", true, INT64_MAX);
    check_number(ctx, "-9223372036854775807", true, -INT64_MAX);
    check_number(ctx, "9223372036854775808", false, 0);
    check_number(ctx, "-9223372036854775808", false, 0);
    check_number(ctx, "7/2", false, 0);
    check_number(ctx, "infty", false, 0);
    check_number(ctx, "NaN", false, 0);
    poly_context_free(ctx);
}
END_TEST

/* The graph of a function is the one that isl makes, and has quotients or not. */
static void check_graph(const char *text, bool quotients)
{
    isl_ctx *ctx = poly_context_new(0);
    isl_multi_pw_aff *function = isl_multi_pw_aff_read_from_str(ctx, text);
    isl_map *expected = isl_map_from_multi_pw_aff(isl_multi_pw_aff_copy(function)), *graph = poly_graph(function);
    isl_set *pairs = isl_map_wrap(isl_map_copy(graph));

    ck_assert_msg(isl_map_is_equal(graph, expected) == isl_bool_true, "%s", text);
    ck_assert_msg(isl_set_involves_locals(pairs) == (quotients ? isl_bool_true : isl_bool_false), "%s", text);
    isl_set_free(pairs);
    isl_map_free(graph);
    isl_map_free(expected);
    poly_context_free(ctx);
}

START_TEST(graph_of_a_function_has_the_quotients_that_its_values_do_not_tell)
{
    check_graph("[N] -> { S[i] -> [(floor(i / 32)), (i mod 32)] }", false);
    check_graph("[N] -> { S[i] -> [(i mod 32), (floor(i / 32))] }", false);
    check_graph("[N] -> { S[i, j] -> [(floor((2 * i - N + 1) / 5)), (-floor(j / 4)), (N), (7)] }", false);
    check_graph("{ S[i] -> [(floor((i mod 252) / 6)), (floor(i / 252)), ((i mod 252) mod 6)] }", false);
    check_graph("{ S[k] -> [(floor(k / 10)), (floor((k mod 10) / 3)), ((k mod 10) mod 3)] }", false);
    check_graph("{ S[i] -> [(2 * floor((i - 1) / 3)), (floor((i - 1) / 3))] }", false);
    check_graph("{ S[i] -> [(i mod 32)] }", true);
    check_graph("{ S[i, j] -> [(i + floor((j mod 7) / 2))] }", true);
    check_graph("{ S[i] -> [(2 * i : i >= 3; i : i < 3)] }", false);
}
END_TEST

static void check_same(isl_ctx *ctx, const char *coarse, const char *fine, isl_bool expected)
{
    isl_set *a = isl_set_read_from_str(ctx, coarse), *b = isl_set_read_from_str(ctx, fine);

    ck_assert_msg(poly_same(a, b) == expected, "%s and %s", coarse, fine);
    ck_assert_msg(poly_same(b, a) == expected, "%s and %s", fine, coarse);
    isl_set_free(a);
    isl_set_free(b);
}

/* Shared pieces, fused ones, pieces of which none lies in the other, and points on either side only. */
START_TEST(the_same_whatever_the_pieces)
{
    isl_ctx *ctx = poly_context_new(0);

    check_same(ctx, "{ [i] : 0 <= i < 9; [i] : i = 20 }", "{ [i] : 5 <= i < 9; [i] : i = 20; [i] : 0 <= i < 5 }", true);
    check_same(ctx, "{ [i] : 0 <= i <= 5; [i] : 3 <= i <= 8 }", "{ [i] : 1 <= i <= 8; [i] : 0 <= i <= 4 }", true);
    check_same(ctx, "{ [i] : 0 <= i <= 5; [i] : 3 <= i <= 9 }", "{ [i] : 1 <= i <= 8; [i] : 0 <= i <= 4 }", false);
    check_same(ctx, "{ [i] : i mod 2 = 0; [i] : i mod 2 = 1 }", "{ [i] }", true);
    check_same(ctx, "{ [i] : i mod 4 <= 1 }", "{ [i] : i mod 4 = 0; [i] : i <= 1 }", false);
    check_same(ctx, "{ [i] : 1 = 0 }", "{ [i] : 1 <= 2i < 2 and i mod 2 = 0 }", true);
    check_same(ctx, "{ [i] : 1 = 0 }", "{ [i] : i = 7 }", false);
    poly_context_free(ctx);
}
END_TEST

UNIT_MAIN("poly", the_same_whatever_the_pieces, numbers_have_64_bits,
          graph_of_a_function_has_the_quotients_that_its_values_do_not_tell,
          smallest_orders_parameters_before_dimensions, smallest_flattens_wrapped_maps, smallest_of_nothing_is_none,
          smallest_gives_a_readable_point_without_bounds, a_spent_budget_is_undecided_wherever_it_runs_out,
          other_errors_are_internal_and_forgotten_by_the_next_stage)
