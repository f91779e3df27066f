#include "auto/divide.h"
#include "auto/propose.h"
#include "auto/stride.h"
#include "reading.h"
#include "sched/order.h"
#include "unit.h"

/* A description with its dependences. */
struct subject {
    struct reading_result read;
    const struct dependences *dependences;
    struct distances *distances;
    bool *all; /* its statements */
};

#define DESCRIPTION(nests)                                                                                             \
    "{'polynest': 1, 'name': 'd', 'params': ['N'],"                                                                    \
    "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f64', 'shape': ['N', 'N']},"                                   \
    "{'name': 'B', 'role': 'inout', 'type': 'f64', 'shape': ['N', 'N']},"                                              \
    "{'name': 'x', 'role': 'inout', 'type': 'f64', 'shape': ['2 * N']}],"                                              \
    "'nests': [" nests "], 'target': {'simd': 'avx512', 'openmp': true}}"

static struct subject subject_new(const char *text)
{
    struct subject subject = {.read = read_text(text)};
    isl_schedule *schedule;

    ck_assert_str_eq(first_error(&subject.read), "accepted");
    schedule = order_to_schedule(order_original(subject.read.arena, subject.read.program));
    subject.dependences = dependences_compute(subject.read.arena, subject.read.program, schedule, (struct interest){0});
    isl_schedule_free(schedule);
    subject.distances = distances_new(subject.read.arena, subject.dependences);
    subject.all = ARENA_ARRAY(subject.read.arena, subject.read.program->n_statement, bool);
    for (int k = 0; k < subject.read.program->n_statement; k++)
        subject.all[k] = true;
    return subject;
}

/* "-1..2", "none" */
static const char *reach(struct subject *subject, int outer, int dim)
{
    const struct reach one = distance_in(subject->distances, subject->all, outer, dim);

    return one.any ? arena_printf(subject->read.arena, "%d..%d", one.least, one.most) : "none";
}

START_TEST(distances_are_counted_in_iterations)
{
    struct subject subject =
        subject_new(DESCRIPTION("{'loops': ['1 <= i < N', '1 <= j < N - 1'], 'body': ['A[i, j] += A[i - 1, j + 1]']}"));

    ck_assert_str_eq(reach(&subject, 0, 0), "1..1");
    ck_assert_str_eq(reach(&subject, 0, 1), "-1..-1");
    ck_assert_str_eq(reach(&subject, 1, 1), "none");
    reading_free(&subject.read);
}
END_TEST

START_TEST(a_descending_loop_goes_forward)
{
    struct subject subject =
        subject_new(DESCRIPTION("{'loops': ['0 <= i < N - 1 step -1'], 'body': ['x[i] = x[i + 1]']}"));

    ck_assert_str_eq(reach(&subject, 0, 0), "1..1");
    reading_free(&subject.read);
}
END_TEST

START_TEST(sums_go_as_far_as_there_are_terms)
{
    struct subject subject = subject_new(DESCRIPTION("{'loops': ['i < N', 'j < N'], 'body': ['x[i] += A[i, j]']}"));

    ck_assert_str_eq(reach(&subject, 0, 0), "0..0");
    ck_assert_int_eq(distance_in(subject.distances, subject.all, 0, 1).least, 1);
    ck_assert_int_eq(distance_in(subject.distances, subject.all, 0, 1).most, FAR);
    reading_free(&subject.read);
}
END_TEST

START_TEST(strides_of_references)
{
    struct subject subject = subject_new(DESCRIPTION(
        "{'loops': ['i < N', 'j < N'], 'body': ['A[i, j] = x[2 * j] + x[j + N - 1] + B[j, i] + x[i / 2]']}"));
    const struct access *access = subject.read.program->statement[0]->access;
    static const enum stride wanted[5][2] = {{STRIDE_FAR, STRIDE_NEXT},
                                             {STRIDE_NONE, STRIDE_FAR},
                                             {STRIDE_NONE, STRIDE_NEXT},
                                             {STRIDE_NEXT, STRIDE_FAR},
                                             {STRIDE_FAR, STRIDE_NONE}};

    for (int k = 0; k < 5; k++)
        for (int dim = 0; dim < 2; dim++)
            ck_assert_int_eq(stride_of(&access[k], dim), wanted[k][dim]);
    reading_free(&subject.read);
}
END_TEST

/* The steps that divide the first nest, a line each. */
static const char *divisions(struct subject *subject)
{
    struct arena *arena = subject->read.arena;
    struct proposal proposal = {.arena = arena};
    struct scene scene = {.arena = arena,
                          .program = subject->read.program,
                          .distances = subject->distances,
                          .proposal = &proposal,
                          .vectors = true,
                          .machine = machine_of("avx512")};
    const part_vec parts = part_of_nest(arena, subject->read.program->nest);
    const char *all = "";
    const line_vec *steps;

    divide_nest(&scene, &parts);
    steps = &proposal.choice.at[0]->option.at[0]->schedule;
    for (int k = 0; k < steps->n; k++)
        all = arena_printf(arena, "%s%s\n", all, steps->at[k]);
    return all;
}

START_TEST(loops_are_divided_where_nothing_goes_back)
{
    struct subject subject = subject_new(DESCRIPTION(
        "{'loops': ['1 <= i < N'], 'body': ['S: x[i] = A[i, i]', 'T: x[i + N - 1] = x[i]', 'U: A[i, 0] = 1']}"));

    /* T writes what S reads in a later iteration where i + N - 1 is again i; U writes nothing that S reads. */
    ck_assert_str_eq(divisions(&subject), "{\"fission\": \"S.i\", \"after\": \"S\"}\n"
                                          "{\"fission\": \"T.i\", \"after\": \"T\"}\n");
    reading_free(&subject.read);
}
END_TEST

START_TEST(loops_stay_whole_where_something_goes_back)
{
    struct subject subject =
        subject_new(DESCRIPTION("{'loops': ['1 <= i < N'], 'body': ['S: A[i, 0] = x[i - 1]', 'T: x[i] = A[i, 0]']}"));

    ck_assert_str_eq(divisions(&subject), "");
    reading_free(&subject.read);
}
END_TEST

/* The line of text, from 1, in which word stands. */
static int line_of(const char *text, const char *word)
{
    const char *end = strstr(text, word);
    int line = 1;

    ck_assert_ptr_nonnull(end);
    for (const char *at = text; at < end; at++)
        line += *at == '\n';
    return line;
}

START_TEST(what_is_refused_is_taken_back)
{
    struct arena *arena = arena_new();
    struct proposal proposal = {.arena = arena, .target = "{}"};
    struct choice a = {.what = "S"}, b = {.what = "T"};
    struct text text = {0};

    VEC_PUSH(arena, &proposal.choice, &a);
    VEC_PUSH(arena, &proposal.choice, &b);
    line_add(arena, &proposal_option(&proposal, &a, "first")->schedule, "{\"one\": 1}");
    line_add(arena, &proposal_option(&proposal, &a, "second")->schedule, "{\"two\": 2}");
    line_add(arena, &proposal_option(&proposal, &b, "third")->plan, "{\"three\": 3}");
    proposal_print(&proposal, &text);
    ck_assert(proposal_step_back(&proposal, line_of(text_str(&text), "one")));
    ck_assert_int_eq(a.taken, 1);
    text_truncate(&text, 0);
    proposal_print(&proposal, &text);
    ck_assert(proposal_step_back(&proposal, line_of(text_str(&text), "three")));
    ck_assert_int_eq(a.taken, 1);
    ck_assert_int_eq(b.taken, 1);
    ck_assert(proposal_step_back(&proposal, 0));
    ck_assert_int_eq(a.taken, 2);
    ck_assert(proposal_step_back(&proposal, 0));
    ck_assert(!proposal_step_back(&proposal, 0));
    text_free(&text);
    arena_free(arena);
}
END_TEST

UNIT_MAIN("auto", distances_are_counted_in_iterations, a_descending_loop_goes_forward,
          sums_go_as_far_as_there_are_terms, strides_of_references, loops_are_divided_where_nothing_goes_back,
          loops_stay_whole_where_something_goes_back, what_is_refused_is_taken_back)
