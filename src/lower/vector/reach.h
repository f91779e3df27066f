/* Strips of masked lanes none of which may be active stay inside of their arrays: no address is formed that lies behind
 * one, although no memory would be touched there.
 *
 *     store(&y[j + 16], lanes(N - j - 16), ..)     becomes     if (j + 16 < N)
 *                                                                  store(&y[j + 16], lanes(N - j - 16), ..)
 *
 * What is computed in registers, which later steps take from there, reads where the last active lane would:
 *
 *     acc[1] = load(&C[j + 16], ..)                becomes     acc[1] = load(&C[min(j + 16, N - 1)], ..)
 */
#ifndef LOWER_VECTOR_REACH_H
#define LOWER_VECTOR_REACH_H

#include "lower/facts/facts.h"

/* tree is what pass "vectors" made. */
const struct node *lower_reach(struct lowering *lowering, const struct node *tree);

/* Is element, the same in all lanes, in its array wherever the facts hold? Buffers have room for all of a tile. No
 * where its subscripts are told by memory. */
bool reach_is_there(const struct facts *facts, const struct element *element);

#endif
