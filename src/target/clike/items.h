/* An affine value as the terms a reader sees: factor * variable, factor * (e / d), factor * (e % d),
 * v - v % d. */
#ifndef TARGET_CLIKE_ITEMS_H
#define TARGET_CLIKE_ITEMS_H

#include "tree/affine.h"

struct summand {
    int64_t factor;               /* not 0 */
    const struct atom *atom;      /* NULL: a remainder */
    bool multiple;                /* the atom is floor(v / d) and d * it reads better as v - v % d */
    const struct affine *operand; /* of a remainder: operand % divisor */
    int64_t divisor;
    bool plain; /* the remainder's operand is proved >= 0 */
};

struct items {
    struct summand *item; /* positive factors first; among these loops from the outermost, then parameters */
    int n, n_positive;
    int64_t constant;
};

struct items items_of(struct arena *arena, const struct affine *affine);
/* How far inside the innermost loop variable of the item is; 0: parameters only. */
int summand_rank(const struct summand *item);

#endif
