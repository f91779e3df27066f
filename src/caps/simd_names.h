/* Sets of instructions whose types and functions give way to names that a file has already. */
#ifndef CAPS_SIMD_NAMES_H
#define CAPS_SIMD_NAMES_H

#include "base/words.h"
#include "caps/simd.h"

/* The set with other words in its rows and for its helpers; the set itself where n is 0. The helpers' definitions, and
 * the dots and products, which loop trees refer to, have their words replaced where they are printed. */
const struct simd *simd_renamed(struct arena *arena, const struct simd *simd, const struct word *word, int n);

#endif
