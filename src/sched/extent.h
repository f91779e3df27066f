/* The iterations of a loop as a dimension of an array. */
#ifndef SCHED_EXTENT_H
#define SCHED_EXTENT_H

#include "sched/edit.h"

struct loop_extent {
    isl_aff *first;    /* a lower bound of the loop's counts, affine in the parameters; kept by the arena */
    struct expr *size; /* counts from first to an upper bound; never negative */
};

/* Exact where the bounds are affine expressions of the parameters, constant otherwise; false when neither is so. */
bool extent_measure(struct schedule *schedule, const struct loop_ref *ref, struct loop_extent *extent);
/* The same where the bounds may be such expressions of each statement by itself: the size is the largest of theirs. */
bool extent_measure_parts(struct schedule *schedule, const struct loop_ref *ref, struct loop_extent *extent);
/* { S[s] -> [(c(s) - first)] } */
__isl_give isl_pw_aff *extent_count(const struct loop_ref *ref, const struct loop_extent *extent,
                                    const struct statement *statement);
/* The same as an expression of the statement's loops; NULL when it takes several. */
struct expr *extent_count_expr(struct schedule *schedule, const struct loop_ref *ref, const struct loop_extent *extent,
                               const struct statement *statement);

#endif
