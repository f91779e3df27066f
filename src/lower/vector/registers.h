/* The promise of "memory": "register": every subscript is a literal when the loops that are to be unrolled are. */
#ifndef LOWER_VECTOR_REGISTERS_H
#define LOWER_VECTOR_REGISTERS_H

#include "lower/lower.h"

/* tree is what lower_vectors made of loops in vectors. Reports a subscript that is no literal, and the loop to
 * unroll. */
void lower_check_registers(struct lowering *lowering, const struct node *tree);
/* Reports an array in registers that has no constant number of elements. */
bool lower_refuse_size(struct lowering *lowering, const struct array *array);

#endif
