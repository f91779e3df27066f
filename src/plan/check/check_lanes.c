/* Lanes of vectors against the dependences. */
#include "plan/check/check_test.h"

#include "caps/simd.h"
#include "dep/parallel.h"
#include "plan/check/lockstep.h"
#include "plan/check/lockstep_parts.h"
#include "plan/loop_plan.h"

/* Do vectors collect sums? */
static bool collects_sums(const struct test *test)
{
    const char *simd = test->schedule->program->target.simd;

    return test->step == test->info->plan->vector_step && (simd_by_name(simd) || simd_asks_compiler(simd));
}

/* Is it among updates of a sum whose order is free, and of a type that OpenMP sums up if it is to? */
static bool is_collected(const struct test *test, const struct dependence *dependence)
{
    const bool asks_compiler = simd_asks_compiler(test->schedule->program->target.simd);
    const enum type type = dependence->from->array->type;

    return collects_sums(test) && dependence->reduction &&
           (!asks_compiler || (type != TYPE_F16 && type != TYPE_BF16 && type != TYPE_BOOL));
}

/* The pairs whose later instance reads or overwrites what the earlier one writes: no two lanes may have such, unless
 * they are updates of one sum whose order is free. */
static __isl_give isl_union_map *pairs_after_writes(const struct test *test)
{
    const struct dependences *dependences = test->dependences;
    isl_union_map *pairs = isl_union_map_empty(isl_set_get_space(dependences->program->context));

    for (int k = 0; k < dependences->n; k++)
        if (dependences->list[k].from->writes && !is_collected(test, &dependences->list[k]))
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(dependences->list[k].map)));
    return pairs;
}

/* "cannot be vectorised", or what else the step asks for */
static const char *refusal(const struct test *test, const char *reason)
{
    const bool vector = test->step == test->info->plan->vector_step;

    return arena_printf(test->schedule->arena, "%s: %s",
                        vector ? "cannot be vectorised" : "cannot promise independent lanes", reason);
}

/* Do compilers make the vectors, or are told that lanes do not depend on each other? They move accesses beyond those of
 * other statements. */
static bool asks_compiler(const struct test *test)
{
    return test->step != test->info->plan->vector_step || simd_asks_compiler(test->schedule->program->target.simd);
}

/* What helps where the compiler's lanes meet in two statements, or where lanes update one sum, by no index array, whose
 * sums are not collected. */
static const char *lanes_hint(const struct test *test, const struct violation *violation)
{
    const bool sums = collects_sums(test);

    if (asks_compiler(test) && violation->dependence->from->statement != violation->dependence->to->statement)
        return "separate the statements by `fission`";
    if (!dependence_within_reduction(violation->dependence) || violation_index_advice(test->schedule->arena, violation))
        return NULL;
    return sums && !violation->dependence->reduction
               ? "\"permit\": [\"reassociate\"] lets the lanes sum up in another order"
               : "give the lanes partial results of their own by `rfactor`";
}

/* The temporaries that would help the loop that is refused, of the first of its bands that has such. */
static void note_missing(struct test *test, __isl_keep isl_schedule_node *band)
{
    const missing_vec *missing = test->missing;
    struct parallel parallel;

    if (!missing || (missing->n > 0 && missing->at[missing->n - 1].step == test->step))
        return;
    parallel = parallel_loop(test->schedule->arena, test->dependences, band, 1);
    test_note_missing(test, &parallel);
}

static void report_lanes(struct test *test, __isl_take isl_union_map *carried)
{
    const struct schedule *schedule = test->schedule;
    struct violation violation;

    carried = isl_union_map_intersect_params(carried, isl_set_copy(schedule->program->context));
    if (test_note_broken(test, carried))
        ;
    else if (legal_smallest_pair(schedule->arena, test->dependences, carried, &violation)) {
        test_visit_final(test, note_missing);
        test_report(test, &violation, refusal(test, "its lanes depend on each other"), lanes_hint(test, &violation));
    } else if (isl_union_map_is_empty(carried) != isl_bool_true)
        test_undecided(test);
    isl_union_map_free(carried);
}

static void check_lanes(struct test *test, __isl_keep isl_schedule_node *band)
{
    isl_union_map *carried = parallel_carried(band, 1, pairs_after_writes(test));

    report_lanes(test, test_of_one_vector(test, test_unless_waived(test, carried)));
}

/* Of a collapsed loop of symbolic size: nothing that two iterations use may be written by one of them. */
static void check_collapsed_lanes(struct test *test, __isl_keep isl_schedule_node *band)
{
    isl_union_map *pairs = isl_union_map_copy(test->dependences->required);

    for (int k = 0; k < test->dependences->n; k++)
        if (test->dependences->list[k].reduction)
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(test->dependences->list[k].map)));
    report_lanes(test, test_unless_waived(test, parallel_carried(band, test->info->tuple, pairs)));
}

/* The pairs that the order swaps, which runs some of the instances. */
static __isl_give isl_union_map *swapped_in(const struct test *test, const struct order *order,
                                            __isl_keep isl_schedule *isl)
{
    isl_union_map *swapped = legal_violated(test->dependences, isl);

    swapped = isl_union_map_intersect_domain(swapped, order_domain(order));
    swapped = isl_union_map_intersect_range(swapped, order_domain(order));
    return test_of_one_vector(test, swapped);
}

/* What runs in order, which is (a part of) the schedule's, for all lanes at a time. */
static void check_vector(struct test *test, const struct order *part)
{
    const struct schedule *schedule = test->schedule;
    const struct order *order = lockstep_order(schedule, part, test->info);
    isl_schedule *isl = order_to_schedule(order);
    isl_union_map *swapped = order != schedule->original ? swapped_in(test, order, isl) : NULL;
    struct violation violation;

    if (swapped && !test_note_broken(test, swapped) &&
        legal_find_among(schedule->arena, test->dependences, swapped, &violation)) {
        test_visit_final(test, note_missing);
        test_report(test, &violation, refusal(test, "each statement would run for all lanes before the next one"),
                    "vectorize an inner loop, or separate the statements by `fission`");
    } else if (asks_compiler(test))
        test_visit_final(test, check_lanes);
    else
        test_visit(test, isl, check_lanes);
    isl_union_map_free(swapped);
    isl_schedule_free(isl);
}

static void check_parts(struct test *test, const struct order *order)
{
    const struct lockstep_parts parts = lockstep_parts(test->schedule, order, test->info);

    check_vector(test, order);
    for (int k = 0; k < parts.order.n && test->status == STATUS_OK; k++)
        check_parts(test, parts.order.at[k]);
}

void test_vectors(struct test *test)
{
    if (test->info->tuple > 1)
        test_visit_final(test, check_collapsed_lanes);
    else
        check_parts(test, test->schedule->order);
}
