/* Sums along a loop whose vectors are the compiler's business (the set "omp"): part of pass "vectors".
 *
 *     for (k = 0; k < K; k++)                float y_sum = y[i];
 *         y[i] += a[k];          becomes     #pragma omp simd reduction(+ : y_sum)
 *                                            for (k = 0; k < K; k++)
 *                                                y_sum += a[k];
 *                                            y[i] = y_sum;
 *
 * The plan's check has proved that the order of the updates is free. Sums and products of integers are computed in the
 * unsigned type, since parts of them may be larger than the whole.
 */
#ifndef LOWER_VECTOR_SIMD_SUMS_H
#define LOWER_VECTOR_SIMD_SUMS_H

#include "lower/facts/facts.h"

/* A SIMD loop and what else becomes of it. */
struct simd_sums {
    const struct node *loop; /* with clauses for the elements that all of its iterations update, */
    const struct node *node; /* and the same with what brings these up to date around it */
    const char *refusal;     /* why there are no clauses, or NULL */
    const char *hint;        /* or NULL */
};

/* loop: one that the compiler is to run in vectors, where outside says what is known around it, and that it has
 * iterations; called: inside of a function of its own. */
struct simd_sums simd_sums_of(const struct facts *outside, const struct node *loop, bool called);

#endif
