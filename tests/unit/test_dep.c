#include "dep/box.h"
#include "dep/compare.h"
#include "dep/extent.h"
#include "dep/initialise.h"
#include "dep/parallel.h"
#include "reading.h"
#include "sched/order.h"
#include "unit.h"

/* A description in its own order, and one of its loops as a band of isl's tree. */
struct subject {
    struct reading_result read;
    const struct order *order;
    const struct dependences *dependences;
    isl_schedule_node *band;
};

static __isl_give isl_schedule_node *skip_to_band(__isl_take isl_schedule_node *node)
{
    while (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        node = isl_schedule_node_child(node, 0);
    return node;
}

/* The loop at depth, on the way to the first statement. */
static struct subject subject_new(const char *text, int depth)
{
    struct subject subject = {.read = read_text(text)};
    isl_schedule *schedule;

    ck_assert_str_eq(first_error(&subject.read), "accepted");
    subject.order = order_original(subject.read.arena, subject.read.program);
    schedule = order_to_schedule(subject.order);
    subject.dependences = dependences_compute(subject.read.arena, subject.read.program, schedule, (struct interest){0});
    subject.band = skip_to_band(isl_schedule_get_root(schedule));
    for (int k = 0; k < depth; k++)
        subject.band = skip_to_band(isl_schedule_node_child(subject.band, 0));
    isl_schedule_free(schedule);
    return subject;
}

static void subject_free(struct subject *subject)
{
    isl_schedule_node_free(subject->band);
    reading_free(&subject->read);
}

static struct parallel ask(struct subject *subject, int n)
{
    return parallel_loop(subject->read.arena, subject->dependences, subject->band, n);
}

#define ARRAYS                                                                                                         \
    "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', 'shape': ['N', 'N']},"                                   \
    "{'name': 's', 'role': 'inout', 'type': 'f32', 'shape': []},"                                                      \
    "{'name': 't', 'role': 'temp', 'type': 'f32', 'shape': []},"                                                       \
    "{'name': 'c', 'role': 'inout', 'type': 'i32', 'shape': ['N']}],"
#define DESCRIPTION(more, body)                                                                                        \
    "{'polynest': 1, 'name': 'd', 'params': ['N'], " more ARRAYS                                                       \
    "'nests': [{'name': 'n', 'loops': ['1 <= i < N', '1 <= j < N'], 'body': [" body "]}]}"

static enum answer answer_of(const char *text, int depth, int n)
{
    struct subject subject = subject_new(text, depth);
    const enum answer answer = ask(&subject, n).answer;

    subject_free(&subject);
    return answer;
}

START_TEST(independent_iterations_are_parallel)
{
    const char *text = DESCRIPTION("", "'A[i, j] = A[i, j] * 2.0'");

    ck_assert_int_eq(answer_of(text, 0, 1), ANSWER_YES);
    ck_assert_int_eq(answer_of(text, 1, 1), ANSWER_YES);
    ck_assert_int_eq(answer_of(text, 0, 2), ANSWER_YES);
}
END_TEST

START_TEST(only_the_loop_that_carries_is_sequential)
{
    const char *text = DESCRIPTION("", "'A[i, j] = A[i - 1, j] * 2.0'");

    ck_assert_int_eq(answer_of(text, 0, 1), ANSWER_NO);
    ck_assert_int_eq(answer_of(text, 1, 1), ANSWER_YES);
    ck_assert_int_eq(answer_of(text, 0, 2), ANSWER_NO);
}
END_TEST

START_TEST(collapsed_loops_carry_what_the_inner_one_carries)
{
    const char *text = DESCRIPTION("", "'A[i, j] = A[i, j - 1] * 2.0'");

    ck_assert_int_eq(answer_of(text, 0, 1), ANSWER_YES);
    ck_assert_int_eq(answer_of(text, 0, 2), ANSWER_NO);
}
END_TEST

START_TEST(the_smallest_pair_is_given)
{
    struct subject subject = subject_new(DESCRIPTION("", "'A[i, j] = A[i - 1, j] * 2.0'"), 0);
    const struct parallel parallel = ask(&subject, 1);

    ck_assert_int_eq(parallel.answer, ANSWER_NO);
    ck_assert_int_eq(parallel.carried.param[0], 3);
    ck_assert_int_eq(parallel.carried.earlier[0], 1);
    ck_assert_int_eq(parallel.carried.later[0], 2);
    ck_assert_int_eq(parallel.carried.later[1], 1);
    ck_assert_ptr_null(parallel.own);
    subject_free(&subject);
}
END_TEST

START_TEST(float_sums_need_permission)
{
    struct subject subject;
    struct parallel parallel;

    ck_assert_int_eq(answer_of(DESCRIPTION("", "'s += A[i, j]'"), 0, 1), ANSWER_NO);
    subject = subject_new(DESCRIPTION("'permit': ['reassociate'],", "'s += A[i, j]'"), 0);
    parallel = ask(&subject, 1);
    ck_assert_int_eq(parallel.answer, ANSWER_YES);
    ck_assert_int_eq(parallel.n_reduction, 1);
    ck_assert_str_eq(parallel.reduction[0]->to->array->name, "s");
    subject_free(&subject);
}
END_TEST

START_TEST(integer_sums_are_free_and_named_where_carried)
{
    struct subject subject = subject_new(DESCRIPTION("", "'c[i] += 2'"), 0);

    ck_assert_int_eq(ask(&subject, 1).answer, ANSWER_YES);
    ck_assert_int_eq(ask(&subject, 1).n_reduction, 0);
    subject_free(&subject);
    subject = subject_new(DESCRIPTION("", "'c[i] += 2'"), 1);
    ck_assert_int_eq(ask(&subject, 1).answer, ANSWER_YES);
    ck_assert_int_eq(ask(&subject, 1).n_reduction, 1);
    subject_free(&subject);
}
END_TEST

START_TEST(an_overwritten_element_is_carried)
{
    ck_assert_int_eq(answer_of(DESCRIPTION("", "'s = A[i, j]'"), 0, 1), ANSWER_NO);
}
END_TEST

START_TEST(a_temporary_of_one_iteration_is_told)
{
    struct subject subject = subject_new(DESCRIPTION("", "'t = A[i, j]', 'A[i, j] = t * t'"), 1);
    const struct parallel parallel = ask(&subject, 1);

    ck_assert_int_eq(parallel.answer, ANSWER_NO);
    ck_assert_ptr_nonnull(parallel.own);
    ck_assert_str_eq(parallel.own[0]->name, "t");
    subject_free(&subject);
}
END_TEST

START_TEST(a_temporary_read_before_it_is_written_is_not)
{
    struct subject subject = subject_new(DESCRIPTION("", "'A[i, j] = t * 2.0', 't = A[i, j]'"), 1);
    const struct parallel parallel = ask(&subject, 1);

    ck_assert_int_eq(parallel.answer, ANSWER_NO);
    ck_assert_ptr_null(parallel.own);
    subject_free(&subject);
}
END_TEST

/* Three loops over the instances of S, by their times. */
struct tiling {
    const char *time[3];
};

static __isl_give isl_schedule *tiled(isl_ctx *ctx, const struct tiling *tiling)
{
    isl_union_set *domain = isl_union_set_read_from_str(ctx, "{ S[i, j] : 0 <= i < 40 and 0 <= j < 3 }");
    isl_schedule *schedule = isl_schedule_from_domain(domain);

    for (int k = 2; k >= 0; k--)
        schedule =
            isl_schedule_insert_partial_schedule(schedule, isl_multi_union_pw_aff_read_from_str(ctx, tiling->time[k]));
    return schedule;
}

/* The same pairs, by isl's order of the times. */
static __isl_give isl_union_map *ordered_by_isl(__isl_keep isl_schedule *schedule, __isl_take isl_union_map *pairs)
{
    isl_union_map *time = isl_schedule_get_map(schedule);

    return isl_union_map_intersect(pairs, isl_union_map_lex_lt_union_map(isl_union_map_copy(time), time));
}

START_TEST(tiles_of_tiles_are_as_isl_orders_them)
{
    static const struct tiling tiling[] = {
        {{"[{ S[i, j] -> [floor(i / 12)] }]", "[{ S[i, j] -> [floor(i / 4) - 3 * floor(i / 12)] }]",
          "[{ S[i, j] -> [i - 4 * floor(i / 4)] }]"}},
        {{"[{ S[i, j] -> [floor(i / 12)] }]", "[{ S[i, j] -> [floor(i / 8)] }]", "[{ S[i, j] -> [i] }]"}},
        {{"[{ S[i, j] -> [floor(i / 8)] }]", "[{ S[i, j] -> [-floor(i / 4)] }]", "[{ S[i, j] -> [j] }]"}},
        {{"[{ S[i, j] -> [floor((i + j) / 6)] }]", "[{ S[i, j] -> [floor(i / 3)] }]", "[{ S[i, j] -> [-j] }]"}},
        {{"[{ S[i, j] -> [floor((i + 2) / 6)] }]", "[{ S[i, j] -> [floor(i / 3)] }]",
          "[{ S[i, j] -> [floor((i + 2) / 2)] }]"}},
    };
    static const char *const pairs[] = {"{ S[i, j] -> S[i2, j2] : i2 > i }", "{ S[i, j] -> S[i2, j2] : j2 = j }",
                                        "{ S[i, j] -> S[i, j2] : j2 > j; S[i, j] -> S[i2, j2] : i2 = i + 5 }"};
    struct reading_result read = read_text(DESCRIPTION("", "'A[i, j] = 2.0'"));
    isl_ctx *ctx = read.program->ctx;

    for (size_t k = 0; k < sizeof(tiling) / sizeof(*tiling) * 3; k++) {
        isl_schedule *schedule = tiled(ctx, &tiling[k / 3]);
        isl_union_map *all = isl_union_map_read_from_str(ctx, pairs[k % 3]);
        all = isl_union_map_intersect_domain(all, isl_schedule_get_domain(schedule));
        all = isl_union_map_intersect_range(all, isl_schedule_get_domain(schedule));
        isl_union_map *expected = ordered_by_isl(schedule, isl_union_map_copy(all));
        isl_union_map *before = pairs_before(schedule, isl_union_map_copy(all));
        isl_union_map *not_before = pairs_not_before(schedule, isl_union_map_copy(all));
        ck_assert(isl_union_map_is_equal(before, expected) == isl_bool_true);
        all = isl_union_map_subtract(all, expected);
        ck_assert(isl_union_map_is_equal(not_before, all) == isl_bool_true);
        isl_union_map_free(all);
        isl_union_map_free(before);
        isl_union_map_free(not_before);
        isl_schedule_free(schedule);
    }
    reading_free(&read);
}
END_TEST

START_TEST(without_budget_it_is_unknown)
{
    struct subject subject = subject_new(DESCRIPTION("", "'A[i, j] = A[i - 1, j] * 2.0'"), 0);

    isl_ctx_set_max_operations(subject.read.ctx, 1);
    isl_ctx_reset_operations(subject.read.ctx);
    ck_assert_int_eq(ask(&subject, 1).answer, ANSWER_UNKNOWN);
    subject_free(&subject);
}
END_TEST

static void assert_polynomial(const struct polynomial *polynomial, const char *wanted)
{
    struct text text = {0};

    polynomial_print(&text, polynomial);
    ck_assert_str_eq(text_str(&text), wanted);
    text_free(&text);
}

static void assert_too_large(const struct reading_result *read, const char *text)
{
    isl_aff *aff = isl_aff_read_from_str(read->ctx, text);

    ck_assert_ptr_nonnull(aff);
    ck_assert_ptr_null(polynomial_from_aff(read->arena, read->program, aff));
    isl_aff_free(aff);
}

START_TEST(polynomials_are_sorted_and_exact)
{
    struct reading_result read = read_text(DESCRIPTION("", "'s = 0.0'"));
    isl_aff *aff = isl_aff_read_from_str(read.ctx, "[N] -> { [(N - 1)] }");
    const struct polynomial *n = polynomial_from_aff(read.arena, read.program, aff);
    const struct polynomial *huge = polynomial_constant(read.arena, read.program, INT64_MAX);
    int64_t value = 0;

    assert_polynomial(n, "N - 1");
    assert_polynomial(polynomial_product(read.arena, n, n), "N * N - 2 * N + 1");
    assert_polynomial(polynomial_sum(read.arena, n, polynomial_constant(read.arena, read.program, 1)), "N");
    assert_polynomial(polynomial_constant(read.arena, read.program, 0), "0");
    ck_assert_ptr_null(polynomial_product(read.arena, huge, huge));
    ck_assert_ptr_null(polynomial_sum(read.arena, huge, huge));
    ck_assert(polynomial_is_constant(huge, &value) && value == INT64_MAX);
    ck_assert(!polynomial_is_constant(n, &value));
    isl_aff_free(aff);
    aff = isl_aff_read_from_str(read.ctx, "[N] -> { [(3000000000 * N)] }");
    assert_polynomial(polynomial_from_aff(read.arena, read.program, aff), "3000000000 * N");
    isl_aff_free(aff);
    assert_too_large(&read, "[N] -> { [(9223372036854775808 * N)] }");
    assert_too_large(&read, "[N] -> { [(N - 9223372036854775808)] }");
    assert_too_large(&read, "[N] -> { [(floor(N / 3000000000))] }");
    assert_too_large(&read, "[N] -> { [(3000000000 * floor(N / 3))] }");
    reading_free(&read);
}
END_TEST

/* Of two sizes that differ by a constant the smaller one, whichever bound comes first. */
START_TEST(boxes_are_the_smallest)
{
    static const char *const text[] = {"[N] -> { S[l, m] -> A[i] : l <= i < l + N and m <= i < m + N + 2 }",
                                       "[N] -> { S[l, m] -> A[i] : l <= i < l + N + 2 and m <= i < m + N }"};
    struct reading_result read = read_text(DESCRIPTION("", "'s = 0.0'"));

    for (int k = 0; k < 2; k++) {
        isl_map *map = isl_map_read_from_str(read.ctx, text[k]);
        isl_aff *size, *wanted = isl_aff_read_from_str(read.ctx, "[N] -> { S[l, m] -> [(N)] }");
        struct box box = box_measure_symbolic(map, read.program->context, &size);
        ck_assert(isl_aff_plain_is_equal(size, wanted) == isl_bool_true);
        box_release(&box);
        isl_aff_free(size);
        isl_aff_free(wanted);
        isl_map_free(map);
    }
    reading_free(&read);
}
END_TEST

/* One element in each iteration, which no single expression is: the box has room for both. */
START_TEST(boxes_of_pieces)
{
    static const char *const text = "{ S[l] -> A[i] : 0 <= l < 20 and i = l or 20 <= l < 40 and i = l + 1 }";
    struct reading_result read = read_text(DESCRIPTION("", "'s = 0.0'"));
    isl_map *map = isl_map_read_from_str(read.ctx, text);
    struct box box = box_measure(map);

    ck_assert_int_eq(box.size, 2);
    ck_assert_ptr_nonnull(box.offset);
    box_release(&box);
    isl_map_free(map);
    reading_free(&read);
}
END_TEST

/* S1 reads what S0 wrote and writes elsewhere, so that S2 still reads it. */
START_TEST(a_value_flows_past_a_write_of_another_element)
{
    struct subject subject = subject_new("{'polynest': 1, 'name': 'd', 'params': ['N'], 'arrays': ["
                                         "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['N']},"
                                         "{'name': 'y', 'role': 'out', 'type': 'f32', 'shape': ['N']},"
                                         "{'name': 't', 'role': 'temp', 'type': 'f32', 'shape': ['2 * N']}],"
                                         "'nests': [{'loops': ['i < N'], 'body': ['S0: t[i] = x[i]']},"
                                         "{'loops': ['i < N'], 'body': ['S1: t[N + i] = 2 * t[i]']},"
                                         "{'loops': ['i < N'], 'body': ['S2: y[i] = t[i] + t[N + i]']}]}",
                                         0);
    isl_union_map *flow = dependences_value_flow(subject.dependences, &subject.read.program->array[2]);
    isl_union_map *wanted =
        isl_union_map_read_from_str(subject.read.ctx,
                                    "[N] -> { S0[i] -> S1[i] : 0 <= i < N; S0[i] -> S2[i] : 0 <= i < N; "
                                    "S1[i] -> S2[i] : 0 <= i < N }");

    ck_assert(isl_union_map_is_equal(flow, wanted) == isl_bool_true);
    isl_union_map_free(flow);
    isl_union_map_free(wanted);
    subject_free(&subject);
}
END_TEST

struct shape {
    const char *set, *size, *count;
    bool filled;
};

START_TEST(extents_of_sets)
{
    static const struct shape shape[] = {
        {"[N] -> { A[i, j] : 0 <= i < N and 2 <= j < 5 }", "N x 3", "3 * N", true},
        {"[N] -> { A[i, j] : 0 <= i < N and 0 <= j <= i }", "N x N", "?", false},
        {"[N] -> { A[i, j] : 0 <= i < 4 and 0 <= j <= i }", "4 x 4", "10", false},
        {"[N] -> { A[i] : 0 <= i < 10 and i mod 2 = 0 }", "9", "5", false},
        {"[N] -> { A[] }", "1", "1", true},
        {"[N] -> { A[i] : 0 <= i < N and i < 64 }", "64", "?", true},
    };
    struct reading_result read = read_text(DESCRIPTION("'assume': ['N >= 1'],", "'s = 0.0'"));

    for (int k = 0; k < (int)(sizeof(shape) / sizeof(shape[0])); k++) {
        isl_set *set = isl_set_read_from_str(read.ctx, shape[k].set);
        const struct extent extent = extent_of_set(read.arena, read.program, set);
        struct text text = {0};

        extent_print(&text, read.arena, &extent);
        ck_assert_str_eq(text_str(&text), shape[k].size);
        text_free(&text);
        ck_assert_int_eq(extent.filled, shape[k].filled);
        assert_polynomial(extent.count, shape[k].count);
    }
    reading_free(&read);
}
END_TEST

UNIT_MAIN("dep", independent_iterations_are_parallel, only_the_loop_that_carries_is_sequential,
          collapsed_loops_carry_what_the_inner_one_carries, the_smallest_pair_is_given, float_sums_need_permission,
          integer_sums_are_free_and_named_where_carried, an_overwritten_element_is_carried,
          a_temporary_of_one_iteration_is_told, a_temporary_read_before_it_is_written_is_not,
          tiles_of_tiles_are_as_isl_orders_them, without_budget_it_is_unknown, polynomials_are_sorted_and_exact,
          boxes_are_the_smallest, boxes_of_pieces, a_value_flows_past_a_write_of_another_element, extents_of_sets)
