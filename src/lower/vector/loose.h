/* Lanes of register tiles that are not active may get anything where nothing looks at them.
 *
 *     acc[jj / 8] = blend(active, old, load(..))     becomes     acc[jj / 8] = load(..)
 *
 * where whatever loads an element of acc has no more active lanes than the assignment, whichever loops both are in: the
 * number of lanes is one function of the register. An update of acc itself hands on what other lanes have in the same
 * lanes. Two pieces of a tile, each with lanes of its own, keep what the other one has.
 */
#ifndef LOWER_VECTOR_LOOSE_H
#define LOWER_VECTOR_LOOSE_H

#include "lower/lower.h"

/* Sets `loose` in the vectors of such assignments; tree is what pass "vectors" made. */
const struct node *lower_loose(struct lowering *lowering, const struct node *tree);

#endif
