/* Do leaves of two trees run the same instances along one line, each once? Seen without sets, for what most differences
 * are: a loop, and its vectors with their rest. Each leaf must run all instances between two ends,
 *
 *     8 * c1 + c2, c1 >= 0, 8 * c1 <= N - 8, 0 <= c2 <= 7         0 .. 8 * floor(N / 8) - 1
 *     8 * floor(N / 8) + c2, 0 <= c2 <= 7, that <= N - 1          8 * floor(N / 8) .. N - 1
 *
 * its counts being the digits of one number, and start where the one before it ends.
 */
#ifndef LOWER_FINISHED_SAME_LINES_H
#define LOWER_FINISHED_SAME_LINES_H

#include "lower/ways/way.h"

/* Sides of a comparison: what runs inside of a way. */
struct side {
    const struct way *from;
    leaf_vec leaves;
    const struct way *const *also; /* n_also COUNTs further out that are counts of the leaves, too (same_stored) */
    int n_also;
};

/* False says nothing. */
bool same_lines(struct arena *arena, const int64_t *param_least, const struct side *proved,
                const struct side *finished);
/* Are there as many leaves on both sides, the arguments and limits of each the same but for the names of counts? */
bool same_renamed(struct arena *arena, const struct side *proved, const struct side *finished);

#endif
