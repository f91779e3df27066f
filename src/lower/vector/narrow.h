/* Arithmetic of small integers in lanes as small as they are: C computes it in int and converts the result, which is
 * the same modulo 2^n.
 *
 *     (u8)((int)a + (int)b)     is the sum of lanes of u8;     (int)a < (int)b     of two u8 compares lanes of u8
 *
 * What is shifted to the right, or compared, must be the number itself: it is where that fits, for all that types say
 * of operands, as 77 * (int)a + 29 * (int)b does 16 bits without a sign.
 */
#ifndef LOWER_VECTOR_NARROW_H
#define LOWER_VECTOR_NARROW_H

#include "caps/simd.h"
#include "tree/tree.h"

/* expr, a conversion or comparison whose arguments are done, in a narrower type where the set's widest vectors of it
 * have the instructions; else expr itself. */
const struct tree_expr *narrow_expr(struct arena *arena, const struct simd *simd, const struct tree_expr *expr);
/* The value of the type, an integer of fewer than 64 bits, that is the same modulo 2^n. */
int64_t narrow_wrapped(enum type type, int64_t value);

#endif
