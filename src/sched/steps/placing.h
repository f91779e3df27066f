/* What `compute_at` moves, and which instances of it each iteration of the loop around its readers runs. */
#ifndef SCHED_STEPS_PLACING_H
#define SCHED_STEPS_PLACING_H

#include "sched/path.h"
#include "sched/steps/moving.h"

/* A statement P that moves. */
struct placed {
    const struct statement *producer;
    isl_set *region;         /* { P[c, p] } */
    const char **loop_name;  /* what its loops are called where it moves to */
    struct statement *moved; /* P in the copy under change */
};

struct placing {
    struct schedule *schedule;
    const struct step *step;
    struct moving moving;
    struct path path; /* the loops from the root to the one that they move under */
    int stored; /* of these, outermost first: those in each iteration of which the array has elements of its own */
    struct placed *part;
    int n;                   /* of them, in textual order */
    struct program *program; /* the copy under change */
    struct array *array;     /* the array in it */
};

/* The loop that the statements move under. */
const struct order *placing_target(const struct placing *placing);
/* Does the statement move? */
bool placing_moves(const struct placing *placing, const struct statement *statement);
/* Sets the region of each part:
 *     { P[c, p] : some reader S[s] in iteration c reads what P[p] writes }
 * or the box around these, where it has few instances more; and, where the array is stored for more than one
 * iteration, no earlier one of these needs it. Refused when a read is outside of the loop, or its element is not known
 * or has no value. */
enum status placing_find_region(struct placing *placing);

#endif
