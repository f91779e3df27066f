/* Sets, of instances or of pairs of them, in which two dimensions are so far apart. */
#ifndef AUTO_RELATED_H
#define AUTO_RELATED_H

#include <isl/set.h>

#include <stdbool.h>

/* { [..] : a - b >= by }, of what is in the set. */
__isl_give isl_set *set_ahead(__isl_take isl_set *set, int a, int b, int by);
/* { [..] : a = b } */
__isl_give isl_set *set_level(__isl_take isl_set *set, int a, int b);
/* Is it known to have nothing in it? */
bool set_is_none(__isl_take isl_set *set);

#endif
