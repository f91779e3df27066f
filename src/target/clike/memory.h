/* Where temporaries go, as far as that depends on all of a function: decided before anything is printed. */
#ifndef TARGET_CLIKE_MEMORY_H
#define TARGET_CLIKE_MEMORY_H

#include "target/clike/emitter.h"

/* Sets array_moved: where the stack arrays among the used ones take more than STACK_LIMIT together, the largest of
 * those that nobody asked for there are allocated, of equally large ones the first. */
void memory_limit_stack(struct emitter *emitter, const bool *used);
/* Sets doubts: which arrays have elements that are set by what a compiler may think not to run, in tree? And which in
 * registers have rows, which compilers follow as variables, that are set under conditions of their own? */
void memory_find_doubts(struct emitter *emitter, const struct node *tree);
/* Those of the array where node, NULL: the function, declares it. */
struct doubt memory_doubt(const struct emitter *emitter, const struct node *node, const struct array *array);

#endif
