/* Values that are read before they exist, and values that nobody reads. */
#ifndef DEP_INITIALISE_H
#define DEP_INITIALISE_H

#include "dep/dependence.h"

/* Proves that every element of a `temp` or `out` array is written before it is read, in the original
 * order; reports the smallest read that is not. May-writes do not count. */
enum status check_initialised(struct arena *arena, const struct dependences *dependences, struct diags *diags);

/* Warns of writes whose value nothing reads: of a temporary, or overwritten before any read. */
void warn_dead_writes(struct arena *arena, const struct dependences *dependences, struct diags *diags);

#endif
