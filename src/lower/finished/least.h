/* Is an expression of parameters and counts never negative where a way goes? Seen from the ranges of remainders and of
 * counts, the least values of parameters, and one limit on the way at a time, without sets:
 *
 *     7 - E + 8 * floor(E / 8) >= 0      floor(E / 8) * 8 is E less a remainder from 0 to 7
 *     512 - min(512, N - j) >= 0         a minimum is at most each of its arguments
 */
#ifndef LOWER_FINISHED_LEAST_H
#define LOWER_FINISHED_LEAST_H

#include "lower/ways/way.h"

/* What is known at the end of the way. */
struct least {
    struct arena *arena;
    const int64_t *param; /* their least values, by identity; INT64_MIN: not known */
    const struct way *way;
};

/* False says nothing. */
bool least_is_shown(const struct least *least, const struct affine *affine);

#endif
