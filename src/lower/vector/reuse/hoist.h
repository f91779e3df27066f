/* Conditions that pass "vectors" left inside of loops which do not change them go around these loops.
 *
 *     for (i = 0; i < M; i++)             if (K >= 1)
 *         if (K >= 1) {        becomes        for (i = 0; i < M; i++) {
 *
 * so do those that a loop and the loops which go on from its end have in common.
 */
#ifndef LOWER_VECTOR_REUSE_HOIST_H
#define LOWER_VECTOR_REUSE_HOIST_H

#include "lower/lower.h"

const struct node *lower_hoist(struct arena *arena, const struct node *tree);

#endif
