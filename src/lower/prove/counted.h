/* Are the counts of a leaf what its order says? They are solved for, and loops read off them; isl, which knows nothing
 * of how, compares the result with the instances and their times. */
#ifndef LOWER_PROVE_COUNTED_H
#define LOWER_PROVE_COUNTED_H

#include "lower/loops/counts.h"

/* Is there for each instance of the leaf exactly one point of counts->known, that of its times, which
 * counts->argument takes back to it? False also on an isl error. */
bool counts_are_those(struct lowering *lowering, const struct counts *counts, const struct order *const *loop);

#endif
