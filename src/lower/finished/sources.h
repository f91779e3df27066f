/* The proof for all sizes that what the finished tree loads of temporaries and buffers is what was stored there for it:
 * the last assignment to that element before it, of the loops around both, is one of the element that it stands for
 * (prove/meaning.h).
 *
 *     for j = 0 to N - 1 step 16          stop 0 stores Bp[k, jj] for B[k, j + jj]
 *         for k, jj: Bp[k, jj] = B[..]    stop 1 loads Bp[k, jj] for B[k, j + jj]:
 *         for i, k, jj: S0 of Bp[k, jj]   it is one of those, and stop 0 and 1 store none for anything else
 *
 * Two things are shown where loads and stores stand in the same block, for all values of what is around: each load's
 * element is stored further in front, for the same; and no element is stored for two. So are loads within the last of
 * what stores. In a loop what stands further in front may be in an iteration before (sources_before.c).
 *
 * Zeros serve what starts as zero (sources_zeros.c). Updates of one element by lanes are such of the element
 * itself where the vector that collects them comes to it (lane_totals.h), and those by threads where the first one
 * of a warp stores what all have; parts of a block's sum are all loaded, once (sources_warps.c).
 */
#ifndef LOWER_FINISHED_SOURCES_H
#define LOWER_FINISHED_SOURCES_H

#include "lower/finished/same_sets.h"

/* Of a statement. */
struct source_result {
    int n, shown;    /* loads of temporaries and buffers in the tree's text, and those of which it is proved */
    const char *why; /* the first other one is none because of this; NULL: of sets that are not decided */
};

/* By index of the statement of sets->program. scheduled: the program before it was planned; first_id: of new
 * variables. */
const struct source_result *sources(struct same_sets *sets, const struct program *scheduled, int first_id,
                                    const struct node *finished);

#endif
