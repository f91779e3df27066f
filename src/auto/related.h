/* Sets, of instances or of pairs of them, in which two dimensions are so far apart, and accesses that are level. */
#ifndef AUTO_RELATED_H
#define AUTO_RELATED_H

#include "program/program.h"

/* { [..] : a - b >= by }, of what is in the set. */
__isl_give isl_set *set_ahead(__isl_take isl_set *set, int a, int b, int by);
/* { [..] : a = b } */
__isl_give isl_set *set_level(__isl_take isl_set *set, int a, int b);
/* Is it known to have nothing in it? */
bool set_is_none(__isl_take isl_set *set);
/* Do instances of two loops that use one element agree in dim_a of the one's and dim_b of the other's, and in the loops
 * that are left? */
bool accesses_are_level(const struct access *a, int dim_a, const struct access *b, int dim_b);

#endif
