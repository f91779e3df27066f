/* Subscripts of a statement as sums of its loops and the parameters, each times a number, or digits of such a sum: what
 * most are, and what is evaluated at each instance that is looked at. */
#ifndef LOWER_PROVE_LINEAR_H
#define LOWER_PROVE_LINEAR_H

#include "program/program.h"

struct linear {
    int64_t constant;
    int64_t *loop, *param; /* a factor for each */
    int n_loop, n_param;
    int64_t divisor, modulus; /* floor(sum / divisor) mod modulus; 0: the sum itself, and no remainder */
};

/* NULL: the expression is none, or has large numbers. */
const struct linear *linear_of(struct arena *arena, const struct program *program, int n_loop, const struct expr *expr);
int64_t linear_value(const struct linear *linear, const int64_t *loop, const int64_t *param);

#endif
