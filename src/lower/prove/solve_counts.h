/* The counts of an instance that no loop around a leaf tells: they follow from the subscripts that the leaf runs.
 *
 *     for i = 0 to N - 4 step 4: S(i + 1)        4 * c + d = i + 1 with i = 4 * c: d = 1
 *     i = 2 * floor(M / 2):      S(i)            2 * c + d = i, and 0 <= d <= 1 as d is within a tile
 */
#ifndef LOWER_PROVE_SOLVE_COUNTS_H
#define LOWER_PROVE_SOLVE_COUNTS_H

#include "lower/prove/parts.h"

struct solving_counts {
    const struct counts *counts;
    const struct order *const *loop; /* of each count */
    const bool *entered;             /* its loop is around the leaf */
};

/* Does each number have one count of the outer loop and one of its inner part, where this one is within a tile? */
bool solve_is_tile(const struct loop_info *own, const struct loop_info *outer);
/* Adds that the count with this index is within a tile of the outer loop. */
void solve_add_tile(const struct solving_counts *s, int index, const struct loop_info *outer, struct system *rows);
/* Solves for the counts without loops around: by what is common to all instances, and by the equations. False where one
 * of these is left. */
bool solve_counts(const struct solving_counts *s, struct system equation, struct part_rows *part);

#endif
