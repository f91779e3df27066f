/* Subscripts of a statement as sums of its loops, the parameters and digits of such sums, each times a number: what
 * most are, and what is evaluated at each instance that is looked at. */
#ifndef LOWER_PROVE_LINEAR_H
#define LOWER_PROVE_LINEAR_H

#include "program/program.h"

struct linear_term {
    int loop, param; /* of which it is a multiple, the other one being -1 */
    int64_t factor;
};

struct linear {
    int64_t constant;
    VEC(struct linear_term) term;
    struct linear_digit *digit; /* more to add, or NULL */
    int64_t divisor, modulus;   /* floor(sum / divisor) mod modulus; 0: the sum itself, and no remainder */
};

struct linear_digit {
    const struct linear *of;
    int64_t factor;
    struct linear_digit *next;
};

/* NULL: the expression is none, or has large numbers. */
const struct linear *linear_of(struct arena *arena, const struct program *program, int n_loop, const struct expr *expr);
int64_t linear_value(const struct linear *linear, const int64_t *loop, const int64_t *param);

#endif
