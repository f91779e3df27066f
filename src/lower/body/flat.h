/* Subscripts of arrays with a flat index, where divisions cancel in the address. */
#ifndef LOWER_BODY_FLAT_H
#define LOWER_BODY_FLAT_H

#include "lower/facts/surroundings.h"

/* An ASSIGN node in which a subscript that divides does not where it is known to be affine in the loops, and
 * neighbouring ones, A[ij / 7][ij % 7], are one, A[0][ij], where their sum is. That gives the same address but may
 * leave the dimension's extent; arrays that may have rows keep one subscript for each. */
const struct node *flat_subscripts(const struct surroundings *around, const struct node *assign);

#endif
