/* Variables that each lane has for itself and that no statement declares, as their first value comes under a condition:
 *
 *     for (x, local t) { if (go) t = e; .. }   becomes   for (x) { t = 0, which declares it; if (go) t = e; .. }
 */
#ifndef LOWER_VECTOR_LANE_LOCALS_H
#define LOWER_VECTOR_LANE_LOCALS_H

#include "lower/facts/facts.h"

/* The loop, which is to run in lanes, and loops inside of it without local variables of one element that are read. */
const struct node *lane_locals_declared(struct arena *arena, const struct node *loop);

#endif
