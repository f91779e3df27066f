/* Which types the values of a loop's lanes have, and so how many lanes its vectors have: part of pass "vectors". */
#ifndef LOWER_VECTOR_LANE_TYPES_H
#define LOWER_VECTOR_LANE_TYPES_H

#include "caps/simd.h"
#include "lower/facts/facts.h"

struct lane_types {
    enum type type[TYPE_F64 + 1]; /* n different ones; bool: of variables and registers, which no set has */
    int n;
};

/* loop's body with integers that are affine in loops as one index expression, in 32 bits where facts, known inside of
 * the loop, say that they fit and they become floats; arithmetic of small integers in lanes that small, as far as the
 * instructions of simd (NULL: none) do it; values that depend on the lane are put in their places. */
const struct node *lane_types_fold(const struct facts *facts, const struct simd *simd, const struct node *loop);
/* The types of what depends on var in body, which was folded. */
struct lane_types lane_types_of(struct arena *arena, const struct node *body, const struct var *var);

#endif
