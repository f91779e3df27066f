/* One loop under test: what the checks of vectors, threads and bound loops share. */
#ifndef PLAN_CHECK_CHECK_TEST_H
#define PLAN_CHECK_CHECK_TEST_H

#include "dep/legal.h"
#include "dep/parallel.h"
#include "plan/check/check.h"
#include "sched/schedule.h"

#include <isl/schedule_node.h>

struct test {
    const struct schedule *schedule;
    const struct loop_info *info;
    const struct loop_info *innermost;     /* of the loops that run as one with it */
    const struct dependences *dependences; /* between statements in the loop: the order of others does not change */
    const struct step *step;
    missing_vec *missing;   /* gets what would help the loop that is refused; or NULL */
    isl_union_map **broken; /* where the pairs go that the loop breaks; NULL: they are reported */
    enum status status;
};

/* Takes note of what the loop breaks, instead of reporting it? */
bool test_note_broken(struct test *test, __isl_keep isl_union_map *pairs);
/* What an `unsafe` step broke does not count. */
__isl_give isl_union_map *test_unless_waived(const struct test *test, __isl_take isl_union_map *pairs);
/* "S[0] writes A[0], which ..": the two instances, as an error at the step. */
void test_report(struct test *test, const struct violation *violation, const char *what, const char *hint);
void test_undecided(struct test *test);

typedef void visit_band(struct test *test, __isl_keep isl_schedule_node *band);
/* Calls visit on the bands below marks of the loop in the order isl. */
void test_visit(struct test *test, __isl_keep isl_schedule *isl, visit_band *visit);
/* The same in the final order. */
void test_visit_final(struct test *test, visit_band *visit);

/* Takes note of temporaries of the loop that is refused, if they are all that it carries, and each iteration could have
 * them for itself. */
void test_note_missing(struct test *test, const struct parallel *parallel);

/* The pairs that one vector of the loop may hold: vectors of so many lanes run one after the other. */
__isl_give isl_union_map *test_of_one_vector(const struct test *test, __isl_take isl_union_map *pairs);
/* The lanes of a vectorised loop, or of one whose lanes are promised to be independent. */
void test_vectors(struct test *test);

#endif
