/* Conditions that pass "vectors" left inside of loops which do not change them go around these loops.
 *
 *     for (i = 0; i < M; i++)             if (K >= 1)
 *         if (K >= 1) {        becomes        for (i = 0; i < M; i++) {
 *
 * A condition that a loop has in common with the loops that go on from its end goes around all of them.
 */
#ifndef LOWER_VECTOR_REUSE_HOIST_H
#define LOWER_VECTOR_REUSE_HOIST_H

#include "lower/lower.h"

const struct node *lower_hoist(struct arena *arena, const struct node *tree);

#endif
