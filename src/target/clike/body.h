/* Loops, conditions, values and assignments of a loop tree as lines of C. */
#ifndef TARGET_CLIKE_BODY_H
#define TARGET_CLIKE_BODY_H

#include "target/clike/emitter.h"

/* The tree as the body of a function, without its braces, at the writer's indentation. */
void body_print(struct emitter *emitter, const struct node *tree);
/* What the function of a call has between its braces. */
void body_print_function(struct emitter *emitter, const struct node *call);

#endif
