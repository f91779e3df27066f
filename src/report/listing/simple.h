/* Values of the loop tree without the quotients and remainders that the loops around decide. */
#ifndef REPORT_LISTING_SIMPLE_H
#define REPORT_LISTING_SIMPLE_H

#include "lower/facts/facts.h"

/* A place in the loop tree. */
struct around {
    struct arena *arena;
    const struct facts *facts; /* what holds there */
};

/* jj / 16 for (j + jj + v) / 16 - 4 * (j / 64), where j is a multiple of 64, jj of 16, and v less than that; a itself
 * where nothing is simpler. */
const struct affine *simplest(const struct around *around, const struct affine *a);

#endif
