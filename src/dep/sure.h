/* Writes under conditions on data that are sure where their readers run: in
 *
 *     if (go) { t = x; y = t; }
 *
 * whatever reads t runs only where t has been written. */
#ifndef DEP_SURE_H
#define DEP_SURE_H

#include "dep/dependence.h"

/* { w -> r }: the pairs of the dependence, whose first instance writes, in which it writes for sure when the second
 * one runs: it always does, or all conditions on data around it stand around the other one, too, and nothing changes
 * what they read in between. */
__isl_give isl_map *dependence_sure(const struct dependences *dependences, const struct dependence *dependence);
/* Is what keeps it from being sure that arithmetic in the one condition of both, which may be rounded in several ways,
 * need not come to the same in both? */
bool condition_may_differ(const struct statement *writer, const struct statement *reader);

#endif
