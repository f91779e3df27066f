/* What is known of one number without asking isl: an interval and a grid.
 *
 * A value x lies in low..high and is residue modulo modulus (modulus 0: it is residue). Everything here says yes
 * only where it is sure; what a span does not show may still be true.
 */
#ifndef LOWER_FACTS_SPAN_H
#define LOWER_FACTS_SPAN_H

#include "tree/affine.h"

struct span {
    int64_t low, high;        /* INT64_MIN, INT64_MAX: no such bound is known */
    int64_t modulus, residue; /* 0 <= residue < modulus, or modulus 0 */
};

struct bound_var {
    const struct var *var;
    struct span span;              /* of its values */
    const struct bound_var *outer; /* bound further out; the program's parameters are outermost */
};

struct span span_of_constant(int64_t value);
/* Nothing is known. */
struct span span_any(void);
/* Where a can be, given the spans of its variables. */
struct span span_of(struct arena *arena, const struct bound_var *bound, const struct affine *a);
/* The values of a loop from lower to upper by step, step < 0: down to upper. */
struct span span_of_loop(struct arena *arena, const struct bound_var *bound, const struct affine *lower,
                         const struct affine *upper, int64_t step);

#endif
