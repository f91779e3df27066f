/* May the iterations of a loop run in any order, or at once?
 *
 * A loop is a band of an isl schedule tree, or that band and the n - 1 bands directly below it, marks aside, as one
 * collapsed loop. It carries a pair of instances that is at one time in all loops around it, but not in itself.
 */
#ifndef DEP_PARALLEL_H
#define DEP_PARALLEL_H

#include "dep/legal.h"

#include <isl/schedule_node.h>

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN }; /* UNKNOWN: isl failed or its budget ran out */

struct parallel {
    enum answer answer;
    /* YES: reductions of free order that the loop carries. Each needs a clause, or partial results. */
    const struct dependence *const *reduction;
    int n_reduction;
    /* NO: the smallest required pair that the loop carries. */
    struct violation carried;
    /* NO: these temporaries are all that the loop carries, and every value of them that is read in it was written in
     * the same iteration: with copies of them for each iteration the loop is parallel. Or none. */
    const struct array *const *own;
    int n_own;
};

/* Asks about the loop of the n bands from band on, given the required dependences. */
struct parallel parallel_loop(struct arena *arena, const struct dependences *dependences,
                              __isl_keep isl_schedule_node *band, int n);

/* Asks about a doacross loop of the n bands from band on: iterations of the outermost run at once, but iteration (i, j)
 * waits until (i - 1, j) has completed. So a pair (i1, j1) -> (i2, j2) that the outermost loop carries is in order if
 * j1 <= j2, lexicographically, and counts only otherwise (R. Cytron, "Doacross: beyond vectorization for
 * multiprocessors", 1986). */
struct parallel parallel_doacross(struct arena *arena, const struct dependences *dependences,
                                  __isl_keep isl_schedule_node *band, int n);

/* The pairs { a -> b } of pairs that the loop carries, whichever of the two comes first in it. */
__isl_give isl_union_map *parallel_carried(__isl_keep isl_schedule_node *band, int n, __isl_take isl_union_map *pairs);
/* Of required pairs those that keep iterations of the loop from being interchanged as wholes: not those about
 * temporaries that each iteration could have for itself (see dep/live_range.h). */
__isl_give isl_union_map *parallel_shared(const struct dependences *dependences, __isl_keep isl_schedule_node *band,
                                          int n, __isl_take isl_union_map *pairs);
/* The pairs that are at one time in the loop and in all loops around it. */
__isl_give isl_union_map *parallel_within(__isl_keep isl_schedule_node *band, int n, __isl_take isl_union_map *pairs);

#endif
