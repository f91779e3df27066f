/* Assignments of all lanes of a vector as C with the target's instructions (caps/simd.h). */
#ifndef TARGET_CLIKE_VECTOR_VECTOR_H
#define TARGET_CLIKE_VECTOR_VECTOR_H

#include "target/clike/emitter.h"

/* `const __m512 a = ..;` for a LET node. */
const char *vector_let_text(struct emitter *emitter, const struct node *let);
/* `_mm512_storeu_ps(&C[i * N + j], ..);` What the target has no instruction for is told in emitter->lacks. */
const char *vector_assignment_text(struct emitter *emitter, const struct node *assign);
/* `_mm512_reduce_add_ps(sum)` */
const char *vector_total_text(struct emitter *emitter, const struct tree_expr *total);
/* `_mm256_movemask_epi8(mask) != 0` */
const char *vector_any_text(struct emitter *emitter, const struct tree_expr *any);
/* Is the array one of vectors, its fastest dimension being the lanes? */
bool vector_array(const struct emitter *emitter, const struct array *array);
/* Notes which arrays assignments below node use as arrays of vectors. */
void vector_note(struct emitter *emitter, const struct node *node);
/* "[4]" where its fastest dimension is so many vectors, "" where it is one. */
const char *vector_array_row(struct emitter *emitter, const struct array *array);
/* The C type of such an array's elements. */
const char *vector_array_type(struct emitter *emitter, const struct array *array);
/* Gives the types and functions of the target's table names that nothing else has, in a copy of the table;
 * emitter->names are those of the description and of the loops. */
void vector_name_helpers(struct emitter *emitter);
/* The types and functions of the target's table that the text printed so far uses. */
void vector_print_helpers(struct emitter *emitter, struct text *out);

#endif
