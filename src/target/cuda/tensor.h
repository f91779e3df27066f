/* The instructions of a tile. */
#ifndef TARGET_CUDA_TENSOR_H
#define TARGET_CUDA_TENSOR_H

#include "target/device/file.h"

/* last: what it declares may stay visible */
void cuda_print_tensor(struct emitter *emitter, const struct node *node, bool last);

#endif
