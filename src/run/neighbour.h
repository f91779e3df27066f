/* Steps that differ a little from others. */
#ifndef RUN_NEIGHBOUR_H
#define RUN_NEIGHBOUR_H

#include "run/json.h"
#include "run/random.h"

/* A schedule file like steps in which one thing is another: a factor, the order of two loops, a policy, a step that is
 * left out, a loop that is unrolled. It may be illegal. */
const struct json *neighbour_of(struct arena *arena, const struct json *steps, struct random *random);

#endif
