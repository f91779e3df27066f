/* Is what a leaf loads stored by others for the same thing? Seen without sets: subscripts of a store, set equal to
 * those of the load, tell its counts one after the other,
 *
 *     Bp[a, b] for B[k + a, j + b]       b = c2, a = c1
 *     Bp[c1, c2] for B[k + c1, j + c2]
 *
 * and with these in their place it must be for the same, and its limits must hold.
 */
#ifndef LOWER_FINISHED_SAME_STORED_H
#define LOWER_FINISHED_SAME_STORED_H

#include "lower/finished/same_lines.h"

/* Arguments are n_index subscripts, and then what the element stands for. Does one of the first n_front stores store
 * all that the one leaf of load is of, and do all store nothing there for anything else? False says nothing. */
bool same_stored(struct arena *arena, const struct side *load, const struct side *stores, int n_front, int n_index);

#endif
