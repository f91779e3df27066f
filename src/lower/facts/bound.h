/* Bounds of loops: affine expressions, or the minimum or maximum of some.
 *
 * affine_add and affine_scale keep a minimum as one atom; here the operation goes into its arguments, so
 * that min(63, N - i - 1) + 1 is min(64, N - i).
 */
#ifndef LOWER_FACTS_BOUND_H
#define LOWER_FACTS_BOUND_H

#include "tree/affine.h"

/* The arguments of a bound that is one minimum or maximum (with what is added to it; -max(a, b) is min(-a, -b)): their
 * number, or 1 with the bound itself. *kind is ATOM_MIN, ATOM_MAX or ATOM_VAR (neither). */
int bound_args(struct arena *arena, const struct affine *bound, const struct affine *const **arg, enum atom_kind *kind);
const struct affine *bound_add(struct arena *arena, const struct affine *bound, const struct affine *offset);
/* factor * bound; a negative factor turns a minimum into a maximum. */
const struct affine *bound_scale(struct arena *arena, const struct affine *bound, int64_t factor);
/* The same with another way to scale each argument. */
const struct affine *bound_scale_by(struct arena *arena, const struct affine *bound, int64_t factor,
                                    const struct affine *(*scale)(struct arena *, const struct affine *, int64_t));

/* The bound if it is a constant, or the constant among the arguments of a minimum or maximum, as `wanted` says:
 * nothing of a loop is beyond that of a last value's minimum, or of a first value's maximum. NULL: none. */
const struct affine *bound_constant(struct arena *arena, const struct affine *bound, enum atom_kind wanted);
/* Is a = b + *distance? Minima and maxima are when all their arguments are. */
bool bound_apart(struct arena *arena, const struct affine *a, const struct affine *b, int64_t *distance);

#endif
