/* Temporaries that iterations of a loop have for themselves: dividing the loop keeps those of all iterations at once.
 */
#ifndef AUTO_KEEP_H
#define AUTO_KEEP_H

#include "auto/site.h"

/* Would dividing the loop in front of its part number k spread a temporary over memory? Its values stay in an iteration
 * of the loop, which has nothing to do with other iterations; one iteration uses several of its elements, on both sides
 * of the cut, and all elements together are more than the first cache holds, or nobody knows how many. */
bool keeps_together(const struct scene *scene, const struct nest_part *loop, const part_vec *inside, int k);
/* Is the array larger than the first cache, or may it be? */
bool keep_is_large(const struct scene *scene, const struct array *array);

#endif
