/* Declarations of temporaries, at the top of a function or inside of its loops. */
#ifndef TARGET_CLIKE_DECLARE_H
#define TARGET_CLIKE_DECLARE_H

#include "target/clike/emitter.h"

/* "wmma::fragment<wmma::accumulator, 16, 16, 16, float>" */
const char *declare_fragment(struct emitter *emitter, const struct fragment *fragment, enum type type);
/* `_Alignas(64) float acc[4][8] = {0}`, without the semicolon; a variable gets a value. Not for arrays on the heap.
 * node: that declares it, NULL: the function. */
const char *declare_text(struct emitter *emitter, const struct node *node, const struct array *array);
/* `float (&tile)[8][132] = *(float (*)[8][132])place`, without the semicolon: an array that is in memory at place. */
const char *declare_reference(struct emitter *emitter, const struct array *array, const char *place);
/* Does it start with zeros? Compilers follow the elements of a small array as variables, and do not see that they are
 * written first; doubt is what memory_doubt says of it. */
bool declare_with_zeros(struct emitter *emitter, const struct array *array, const struct doubt *doubt);
/* `(*Ap)[256]`, a pointer to rows of an array with two dimensions or more. */
const char *declare_rows(struct emitter *emitter, const struct array *array, const char *name);
/* `(*Ap)[256]` for a pointer to the array's rows, `*Ap` for one to its elements, under the given name. */
const char *declare_pointer(struct emitter *emitter, const struct array *array, const char *name);
/* `float (*)[256]`, `float *`: the type of that pointer. */
const char *declare_pointer_type(struct emitter *emitter, const struct array *array);
/* "const float " in front of an assignment that declares its target, "" in front of others. */
const char *declare_target(struct emitter *emitter, const struct node *assign);
/* The name of what holds the copies of all threads. */
const char *declare_all_name(struct emitter *emitter, const struct array *array);

/* Has node, a loop, value, block, region or call, arrays to be declared in front of its body? */
bool declare_has_locals(struct emitter *emitter, const struct node *node);
/* Prints their declarations. */
void declare_locals(struct emitter *emitter, const struct node *node);

#endif
