/* Consecutive nests over the same rows are fused into one loop over the rows: what one of them writes or reads of a row
 * is in a cache when the next one reads it, and a temporary needs one row only. Where nests compute several rows at a
 * time, as sums in order do, the loop is over blocks of rows.
 *
 *     for r: { for i: e[i] = ..x[r, i]..; for i: y[r, i] = ..e[i]..; }
 */
#ifndef AUTO_FUSED_H
#define AUTO_FUSED_H

#include "auto/part.h"
#include "auto/proposal.h"
#include "auto/site.h"

/* What would be proposed for a nest by itself. */
struct trial {
    const struct nest *nest;
    struct proposal *proposal;
    part_vec parts; /* that it is divided into */
};

/* What the fused loop is over. */
enum fused_rows { FUSED_NOT, FUSED_BLOCK, FUSED_ROW };

/* Is the nest one loop over independent rows, and do its own steps leave that loop as it is (FUSED_ROW), or compute
 * several rows at a time (FUSED_BLOCK)? */
enum fused_rows fused_rows_of(const struct scene *scene, const struct trial *trial);
/* Can nest first[n] be fused with the n nests before it: does it depend on them, within a row only, and use rows that
 * they use? */
bool fused_follows(const struct scene *scene, const struct nest *first, int n);
/* Adds the option that fuses n nests to choice. Returns the parts inside of the fused loop; with blocks they are loops
 * over the rows of a block. Appends the loop's name to scene->used. */
part_vec fused_propose(const struct scene *scene, const struct trial *trial, int n, enum fused_rows kind,
                       struct choice *choice);
/* Appends the names that steps of all choices from number `first` on give to loops to scene->used. */
void fused_note_names(const struct scene *scene, int first);

#endif
