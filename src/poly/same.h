/* Are two sets equal that have most of their pieces in common?
 *
 * isl's comparison cuts each piece of one set along all pieces of the other, which takes time exponential in their
 * number where many overlap. Here pieces that both have are found first, without any solving. What is left is compared
 * piece by piece: a piece mostly is what became of those that lie in it. The answer is isl's in all cases.
 */
#ifndef POLY_SAME_H
#define POLY_SAME_H

#include <isl/set.h>

/* Best with the coarser of the two sets first. */
isl_bool poly_same(__isl_keep isl_set *coarse, __isl_keep isl_set *fine);

#endif
