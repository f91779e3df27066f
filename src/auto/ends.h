/* Loops that end where elements of an array say, as those over a row of a sparse matrix do. */
#ifndef AUTO_ENDS_H
#define AUTO_ENDS_H

#include "auto/site.h"

/* Do elements that loop dim of the statement chooses say where a loop inside of it starts or ends? Outside of dim, that
 * one would run for all that any element may say. */
bool says_ends(const struct statement *statement, int dim);
/* The same of a loop of the site, and of any of them. */
bool site_says_ends(const struct site *site, int loop);
bool site_has_ends(const struct site *site);
/* Do elements say where the loop of the site itself starts or ends? How many iterations it has is different each time,
 * and hardly ever a multiple of what would run at once. */
bool site_is_ended(const struct site *site, int loop);

#endif
