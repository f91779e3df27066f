/* Do the iterations around a statement all run different instances? */
#ifndef LOWER_PROVE_INJECTIVE_H
#define LOWER_PROVE_INJECTIVE_H

#include "lower/facts/facts.h"

/* True when every loop variable can be computed from leaf's arguments, one after the other; false says nothing. */
bool injective_by_digits(const struct facts *facts, const struct node *leaf);
/* The same of run, [N, .., v7, ..] -> { S[i,j] : .. } at each iteration of the loops around, as its constraints tell;
 * false also on an isl error. */
bool injective_by_bounds(const struct facts *facts, __isl_keep isl_set *run);

#endif
