/* Counts as polynomials of the program's parameters and their rounded quotients: 2 * M * N * K, 8 * ceil(N/32).
 *
 * Immutable, in an arena. NULL stands for "not known" (a coefficient beyond 64 bits included) and passes through.
 */
#ifndef DEP_POLYNOMIAL_H
#define DEP_POLYNOMIAL_H

#include "program/program.h"

struct polynomial;

const struct polynomial *polynomial_constant(struct arena *arena, const struct program *program, int64_t value);
/* Of a quasi-affine expression of the parameters; NULL of one with quotients of quotients. */
const struct polynomial *polynomial_from_aff(struct arena *arena, const struct program *program,
                                             __isl_keep isl_aff *aff);
const struct polynomial *polynomial_sum(struct arena *arena, const struct polynomial *a, const struct polynomial *b);
const struct polynomial *polynomial_product(struct arena *arena, const struct polynomial *a,
                                            const struct polynomial *b);
bool polynomial_is_constant(const struct polynomial *polynomial, int64_t *value);
/* No, too, when one is not known. */
bool polynomial_is_equal(const struct polynomial *a, const struct polynomial *b);
/* Terms of higher degree first, then in the order of the parameters: "M * N + 2 * M - 1". */
void polynomial_print(struct text *out, const struct polynomial *polynomial);

#endif
