/* Elements that are 2, 3 or 4 apart, with their neighbours.
 *
 * Loads of z[2 * i] and z[2 * i + 1], the parts of complex numbers, become loads of all of both and shuffles that take
 * them apart; assignments to all members of groups, one after the other, become one that puts them together. What is
 * loaded besides is read or stored by the same lanes anyway, or is proved to be inside of an array that nobody writes;
 * nothing else is stored.
 */
#ifndef LOWER_VECTOR_INTERLEAVE_H
#define LOWER_VECTOR_INTERLEAVE_H

#include "lower/lower.h"

/* tree, whose loops are in vectors; NULL: an overflow. */
const struct node *lower_interleave(struct lowering *lowering, const struct node *tree);

#endif
