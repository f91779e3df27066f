/* Parts that division took from one another although their steps are the same: together again. */
#ifndef AUTO_JOIN_H
#define AUTO_JOIN_H

#include "auto/site.h"

/* Neighbouring parts that were loops over the same iterations, and would get the same steps, one by one and as one, are
 * one part again: what they share is loaded once, and what one leaves to the other need not go through memory. Takes
 * their cuts from the list. */
part_vec join_parts(const struct scene *scene, const part_vec *parts, cut_vec *cuts);

#endif
