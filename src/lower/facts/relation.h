/* Equations between affine expressions of the loop tree at one place. */
#ifndef LOWER_FACTS_RELATION_H
#define LOWER_FACTS_RELATION_H

#include "lower/facts/facts.h"

/* sum of coefficient[k] * a[k] = rest, a constant plus multiples of variables. */
struct relation {
    const int64_t *coefficient;
    const struct affine *rest;
};

/* The independent equations among a[0..n), wherever facts holds; their number, in *relation. */
int relations_find(const struct facts *facts, const struct affine *const *a, int n, const struct relation **relation);

/* divisor * value = sum, a constant plus multiples of variables. */
struct quotient {
    const struct affine *sum;
    int64_t divisor;
};

/* Is a such a quotient because what it divides is always on the grid of the divisor, as what each variable can be
 * shows? Most divisions are by the step of a loop around. */
bool relation_is_told(const struct facts *facts, const struct affine *a, struct quotient *quotient);

/* a as a constant plus multiples of variables, where it is that; NULL elsewhere. */
const struct affine *relation_linear(const struct facts *facts, const struct affine *a);
/* a as such a sum divided by a number that divides it; NULL elsewhere. */
const struct affine *relation_quotient(const struct facts *facts, const struct affine *a);

#endif
