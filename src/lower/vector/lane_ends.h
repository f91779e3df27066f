/* Loops that end early, in lanes: part of pass "vectors".
 *
 *     for (k = 0; k < N && more; k++)        goes on while `more` holds in any of the active lanes
 */
#ifndef LOWER_VECTOR_LANE_ENDS_H
#define LOWER_VECTOR_LANE_ENDS_H

#include "lower/vector/lanes.h"

/* The loop, whose body is made for all lanes, with its condition made so, too. Where that might leave out what has an
 * effect, or the set cannot tell it, the loop has all of its iterations. */
const struct node *lanes_ended(struct lanes *lanes, const struct node *loop);
/* A loop around others that are in vectors now: the same where what they do might be left out, such as adding up lanes
 * without a condition. */
const struct node *lanes_ended_around(struct arena *arena, const struct node *loop);

#endif
