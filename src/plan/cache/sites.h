/* Where a cache is made: the loops that a step means by `at`, `inside`, `level` or `max_elements`. */
#ifndef PLAN_CACHE_SITES_H
#define PLAN_CACHE_SITES_H

#include "plan/cache/region.h"

/* A copy of a loop; stays the same while copies of elements are put around loops. */
struct site {
    int id, copy; /* the loop's identity; which of its copies, from 0 */
};

struct sites {
    VEC(struct site) list;
    int trigger; /* identity of that loop; 0: none was asked for */
};

/* For the references to array, or only those by a view of it (NULL: none). Refused when the loops cannot be found, or
 * no block is small enough. */
enum status sites_find(struct schedule *schedule, const struct step *step, const struct array *array,
                       const struct array *view, struct sites *sites);
/* The region at number k, with its references. Refused when the trigger is not around it. */
enum status sites_region(const struct sites *sites, int k, struct region *region);
/* The copy of the loop with this identity that is number *copy in the order of the text, which counts down; or NULL. */
const struct order *sites_copy(const struct order *order, int id, int *copy);

#endif
