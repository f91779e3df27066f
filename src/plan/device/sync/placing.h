/* Part of plan/device/sync/sync.h: barriers between the pairs of a kernel's conflicts, as few as can be.
 *
 * A barrier stands in front of the first thing that has to wait. Iterations of a loop are kept apart by one at their
 * end; or, where that saves one, by one at their start, which serves what stands before the loop, too:
 *
 *     fill A[0]; barrier;                     fill A[0];
 *     for (k) {                               for (k) {
 *         fill A[1 - k % 2]; use A[k % 2];        barrier;
 *         barrier;                                fill A[1 - k % 2]; use A[k % 2];
 *     }                                       }
 */
#ifndef PLAN_DEVICE_SYNC_PLACING_H
#define PLAN_DEVICE_SYNC_PLACING_H

#include "plan/device/sync/barrier.h"
#include "plan/device/sync/pairs.h"

struct gpu;

/* Answers that do not depend on the barriers: pairs by the iterations of a loop, */
struct divided {
    conflict_pairs pairs;
    const isl_union_pw_aff *time; /* the loop's; copies of the loop have the same */
    conflict_pairs earlier, at_once;
};

/* and those between two parts of an order. */
struct parted {
    conflict_pairs pairs;
    const struct order *a, *b;
    conflict_pairs between;
};

struct placing {
    struct arena *arena;
    const struct gpu *gpu;
    const struct conflicts *conflict;
    struct program *program;          /* gets the barriers */
    struct barriers barriers;         /* those that are there, and the loops around the kernel */
    VEC(const struct order *) starts; /* loops whose iterations are kept apart by a barrier at their start, */
    VEC(const struct order *) ends;   /* and by one at their end */
    VEC(struct divided) divided;
    VEC(struct parted) parted;
    const struct order *at_once; /* out: a loop over threads with pairs of different iterations, and these */
    conflict_pairs carried;
};

/* The kernel with barriers; NULL where there is a loop `at_once`. */
const struct order *placing_fewest(struct placing *placing, const struct order *kernel, conflict_pairs pairs);
/* The pairs by the iterations of the loop. Each attempt asks the same again, and so does the note on a barrier. */
struct divided placing_divided(struct placing *placing, conflict_pairs pairs, const struct order *loop);
/* "A_tile, B_tile written; C read, before the next write": the marked conflicts. */
const char *placing_note(const struct placing *placing, const bool *marked);
/* Do asynchronous copies take part in a conflict? */
bool placing_has_asynchronous(const struct placing *placing);

#endif
