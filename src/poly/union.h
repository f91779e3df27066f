/* A set made of pieces. isl's union of two sets brings both into a normal form to see whether they are equal; this
 * costs more than what the pieces were made by, and is avoided where it can be. */
#ifndef POLY_UNION_H
#define POLY_UNION_H

#include <isl/set.h>

/* The union of one or more basic sets. */
__isl_give isl_set *poly_union(__isl_take isl_basic_set_list *pieces);

#endif
