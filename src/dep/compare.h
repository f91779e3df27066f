/* Comparing instances by an order given as an isl schedule tree. */
#ifndef DEP_COMPARE_H
#define DEP_COMPARE_H

#include <isl/schedule.h>
#include <isl/union_map.h>

/* The pairs { a -> b } of pairs with a strictly before b. */
__isl_give isl_union_map *pairs_before(__isl_keep isl_schedule *schedule, __isl_take isl_union_map *pairs);
/* The pairs { a -> b } of pairs with b before a, or both at one time. */
__isl_give isl_union_map *pairs_not_before(__isl_keep isl_schedule *schedule, __isl_take isl_union_map *pairs);

#endif
