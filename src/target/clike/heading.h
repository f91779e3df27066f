/* What stands in front of a loop's body: its variable, condition and step. */
#ifndef TARGET_CLIKE_HEADING_H
#define TARGET_CLIKE_HEADING_H

#include "target/clike/emitter.h"

/* "int64_t i_S = 32 * t + 4": a variable that is affine at first. */
const char *heading_declaration(struct emitter *emitter, const struct var *var, const struct affine *affine);
/* "for (int i = 0; i < n; i++)"; declared: of a variable that exists already "for (; i < n; i++)", or "if (i < n)" of a
 * loop that runs once. */
const char *heading_loop(struct emitter *emitter, const struct node *node, bool declared);
/* "if (more_i == 0)", in front of a `break`: what ends a loop early where its heading does not say so, since compilers
 * unroll loops with a count only; NULL: the heading says it. */
const char *heading_break(struct emitter *emitter, const struct node *node);
/* "for (int64_t ij = 0; ij < M * N; ij++)": all positions of a tuple, or those through which a block walks. */
const char *heading_tuple(struct emitter *emitter, const struct node *node);

#endif
