/* Pieces of a loop's instances: what cut, peel, join and fission share. */
#ifndef SCHED_STEPS_PIECES_H
#define SCHED_STEPS_PIECES_H

#include "sched/edit.h"

/* The part of order whose instances are in domain; NULL when nothing is left. */
const struct order *pieces_restrict(struct arena *arena, const struct order *order, __isl_keep isl_union_set *domain);

/* Replaces every copy of ref's loop by a sequence of n copies restricted to piece[0..n) under the
 * names of `as` or i_0, i_1, .. Refuses when a piece is empty for all parameters: `outside` says of what. */
enum status pieces_cut(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                       isl_union_set **piece, int n, const char *outside);

#endif
