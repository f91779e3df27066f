/* The coordinates of nested loops that are one loop. */
#ifndef TARGET_CLIKE_NODES_TUPLE_H
#define TARGET_CLIKE_NODES_TUPLE_H

#include "target/clike/index.h"

/* The product of the extents of parts from..n - 1. */
struct index_text tuple_size(struct emitter *emitter, const struct node *tuple, int from);
/* `ij / (N * K) % M + i0`: coordinate k of a tuple. */
const char *tuple_coordinate(struct emitter *emitter, const struct node *tuple, int k);

#endif
