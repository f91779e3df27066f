/* Variables that each lane has for itself and that no statement declares yet: those whose first value comes under a
 * condition, and elements of arrays that an iteration has for itself, with subscripts that the loop does not change.
 *
 *     for (x, local t) { if (go) t = e; .. }     becomes   for (x) { t = 0, which declares it; if (go) t = e; .. }
 *     for (x, local t) { t[0] = e; t[1] = f; .. }   becomes   for (x) { t[0] = e and t[1] = f, which declare them; .. }
 */
#ifndef LOWER_VECTOR_LANE_LOCALS_H
#define LOWER_VECTOR_LANE_LOCALS_H

#include "lower/facts/facts.h"

/* The loop, which is to run in lanes, and loops inside of it without such local variables and arrays. */
const struct node *lane_locals_declared(struct arena *arena, const struct node *loop);

#endif
