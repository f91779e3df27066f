/* What is live at a time of an array that iterations hand on.
 *
 * Values of such an array leave the iteration that computes them, but not for long: of g[i, j], where iteration i
 * computes row i + 2 and reads rows i, i + 1, i + 2, three rows are live at a time, and these are at g[i mod 3, j].
 */
#ifndef PLAN_STORAGE_WINDOW_H
#define PLAN_STORAGE_WINDOW_H

#include "plan/storage/footprint.h"

/* Sets window[] and size[] of the dimensions in which no more than a constant number of elements is live at a time, of
 * an array that is to be stored so; true when there are some. */
bool window_find(struct footprint *footprint, const struct program *program, const struct order *order);
/* Do blocks or threads share an iteration of the footprint's loops? Then there is none. */
bool window_is_bound(const struct footprint *footprint, const struct order *order);

#endif
