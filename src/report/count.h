/* How many points a set has, as a polynomial of the parameters. */
#ifndef REPORT_COUNT_H
#define REPORT_COUNT_H

#include "dep/polynomial.h"

/* NULL where it is not known. With at_most, the points of a box around the set stand for a number that is not known,
 * and *at_most says so. Dimensions that follow from others do not count, and parts of a split loop count as the loop
 * that they were: what is then a box has as many points as the product of its sides. */
const struct polynomial *count_points(struct arena *arena, const struct program *program, __isl_take isl_set *set,
                                      bool *at_most);

#endif
