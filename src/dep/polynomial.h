/* Counts as polynomials of the program's parameters: 2 * M * N * K.
 *
 * Immutable, in an arena. NULL stands for "not known" (a coefficient beyond 64 bits included) and passes through.
 */
#ifndef DEP_POLYNOMIAL_H
#define DEP_POLYNOMIAL_H

#include "program/program.h"

struct polynomial;

const struct polynomial *polynomial_constant(struct arena *arena, const struct program *program, int64_t value);
/* Of an affine expression of the parameters without fractions; NULL of another one. */
const struct polynomial *polynomial_from_aff(struct arena *arena, const struct program *program,
                                             __isl_keep isl_aff *aff);
const struct polynomial *polynomial_sum(struct arena *arena, const struct polynomial *a, const struct polynomial *b);
const struct polynomial *polynomial_product(struct arena *arena, const struct polynomial *a,
                                            const struct polynomial *b);
bool polynomial_is_constant(const struct polynomial *polynomial, int64_t *value);
/* Terms of higher degree first, then in the order of the parameters: "M * N + 2 * M - 1". */
void polynomial_print(struct text *out, const struct polynomial *polynomial);

#endif
