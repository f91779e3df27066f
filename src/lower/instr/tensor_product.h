/* Part of pass "tensors": products of tiles as matrix instructions. */
#ifndef LOWER_INSTR_TENSOR_PRODUCT_H
#define LOWER_INSTR_TENSOR_PRODUCT_H

#include "lower/instr/fragments.h"

/* C[i, j] += A[i, k] * B[k, j], the assignment in the loops at hand, becomes such a tensor: its sums, and factors in
 * registers, become fragments. Returns assign; NULL after a refusal. */
const struct node *tensor_product(struct tensors *tensors, const struct node *assign, struct tensor *tensor);

#endif
