/* Small systems of equations: how does a number of lanes depend on the subscripts of a register? */
#ifndef LOWER_VECTOR_WEIGHTS_H
#define LOWER_VECTOR_WEIGHTS_H

#include "tree/affine.h"

enum { WEIGHTS_MOST = 8 };

/* sum of coefficient[d] * w[d] + coefficient[WEIGHTS_MOST] = 0 */
struct equation {
    double coefficient[WEIGHTS_MOST + 1];
};

/* What is known of w: lanes = E - sum of w[d] * subscript[d], for an E that no loop in the scope changes. All 0:
 * nothing. */
struct weights {
    struct equation solved[WEIGHTS_MOST]; /* with 1 at place d, where has[d] */
    bool has[WEIGHTS_MOST];
};

/* Adds what else holds; false where that contradicts what is known. */
bool weights_add(struct weights *weights, struct equation equation);

/* The factor of a variable, minimum or maximum in affine; quotients, of what registers are counted by, divide without a
 * rest. atom is NULL: the constant. */
double affine_share(const struct affine *affine, const struct atom *atom);

#endif
