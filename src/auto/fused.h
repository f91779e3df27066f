/* Nests after each other that go along the same rows: one loop over the rows for all, so that a row which one of them
 * makes or reads is in a cache when the next one comes to it, and a temporary of rows has one row. Where several rows
 * go at a time, as those that sum up in order do, it is a loop over blocks of rows.
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

/* What the loop that is fused is over. */
enum fused_rows { FUSED_NOT, FUSED_BLOCK, FUSED_ROW };

/* Is the nest one loop over rows that need nothing of each other, and do the steps for it by itself leave that loop as
 * it is, or take several of its rows at a time? */
enum fused_rows fused_rows_of(const struct scene *scene, const struct trial *trial);
/* May the nest after n others have one loop over rows with all of them, needs it something of theirs, and does it use
 * rows that they use? */
bool fused_follows(const struct scene *scene, const struct nest *first, int n);
/* The steps that make one loop of n nests, in which parts are that are returned. With blocks these are loops over their
 * rows. scene->used gets the names of loops. */
part_vec fused_propose(const struct scene *scene, const struct trial *trial, int n, enum fused_rows kind,
                       struct choice *choice);
/* Adds the names of loops in all choices from that number on to scene->used. */
void fused_note_names(const struct scene *scene, int first);

#endif
