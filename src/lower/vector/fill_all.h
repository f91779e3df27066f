/* Pass "fill all": an array in registers gets its first values, where these are constants, in all of its rows.
 *
 *     for (int ii = 0; ii < 4; ii++)              for (int ii = 0; ii < 4; ii++)
 *         if (i + ii < M)                             acc[ii] = 0;
 *             acc[ii] = 0;             becomes
 *
 * Nothing reads the superfluous rows, and there is no branch. Compilers do not always see that the rows which other
 * conditions go on with are among those that this one has set, and would warn.
 */
#ifndef LOWER_VECTOR_FILL_ALL_H
#define LOWER_VECTOR_FILL_ALL_H

#include "lower/facts/facts.h"

/* node, a part of the tree outside of which array has no value in it, with facts known there. */
const struct node *fill_all(const struct facts *facts, const struct node *node, const struct array *array);

#endif
