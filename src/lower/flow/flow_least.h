/* How many steps the nests take at least, counted without running what does not change: a look that would end for lack
 * of steps is not begun. What stands under a condition counts as nothing. */
#ifndef LOWER_FLOW_FLOW_LEAST_H
#define LOWER_FLOW_FLOW_LEAST_H

#include "program/program.h"

/* Do the nests of program, as flow_described.h runs them, take more than that at these parameters for certain? */
bool flow_takes_more(const struct program *program, const int64_t *param, int64_t most);

#endif
