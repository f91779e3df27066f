/* The rest of a loop that was cut: one partial tile. */
#ifndef LOWER_TILES_REST_H
#define LOWER_TILES_REST_H

#include "lower/facts/facts.h"

/* The body of loop, a piece with one iteration, with its inner part as a loop over values under the outer loop's
 * name where that reads better: `for (j = 10; j < 12; j++)`. It may still use loop's variable. */
const struct node *rest_over_values(struct lowering *lowering, const struct node *loop);

/* Does node do nothing here (its loops have no iterations, its conditions do not hold)? */
bool idle(const struct facts *facts, const struct node *node);
/* Does node do nothing when the condition does not hold? */
bool idle_otherwise(const struct facts *facts, const struct condition *condition, const struct node *node);

#endif
