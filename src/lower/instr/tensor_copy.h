/* Part of pass "tensors": tiles that are copied between memory and registers, or computed element by element. */
#ifndef LOWER_INSTR_TENSOR_COPY_H
#define LOWER_INSTR_TENSOR_COPY_H

#include "lower/instr/fragments.h"

/* The assignment in the loops at hand becomes such a tensor: a load, a store, or a value for each element of a
 * fragment. Returns assign; NULL after a refusal. */
const struct node *tensor_copy_or_map(struct tensors *tensors, const struct node *assign, struct tensor *tensor);

#endif
