/* The proposal for a program: what `polynest auto` prints. */
#ifndef AUTO_PROPOSE_H
#define AUTO_PROPOSE_H

#include "auto/proposal.h"
#include "dep/dependence.h"

/* Steps for the program that has these dependences in its own order, for its target; asks: as its step `auto` wants
 * them. They are kept by arena, and nothing is proved about them but what they were chosen by: the stages of a
 * compilation judge them. */
struct proposal *propose(struct arena *arena, const struct dependences *dependences, bool asks);
/* The same for the sizes of that number, from 0 on, of those that the proposal tells. */
struct proposal *propose_for(struct arena *arena, const struct dependences *dependences, bool asks, int size);

#endif
