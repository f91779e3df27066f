/* How many points a set has, as a polynomial of the parameters. */
#ifndef REPORT_COUNT_H
#define REPORT_COUNT_H

#include "dep/polynomial.h"

/* NULL where it is not known. Dimensions that follow from others do not count, and parts of a split loop count as the
 * loop that they were: what is then a box has as many points as the product of its sides. */
const struct polynomial *count_points(struct arena *arena, const struct program *program, __isl_take isl_set *set);

#endif
