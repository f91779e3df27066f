/* What iterations of a loop in lanes sum up, or choose, in loops inside of it, element by element of an array: it stays
 * in registers meanwhile.
 *
 *     for (i ..) { a[i] = 0; for (j ..) a[i] += ..; }
 */
#ifndef AUTO_SUMS_H
#define AUTO_SUMS_H

#include "auto/site.h"

typedef VEC(const struct array *) sum_vec;

/* The arrays of which each iteration of the site's loop has one element, next to those of its neighbours, which loops
 * inside update; none where they are more than registers. Statements are all in the loop. */
sum_vec sums_inside(const struct site *site, int loop);
/* The steps that keep them, for parts of the loop that are an iteration of the loop of this name. */
void sums_keep(const struct site *site, struct option *option, const sum_vec *sums, const char *loop);
/* The number of iterations of the loop for a thread, at least `vectors` registers' and at most `most`: the more
 * iterations the loops inside have, the fewer. */
int64_t sums_chunk(const struct site *site, int loop, int64_t most, int64_t vectors);

#endif
