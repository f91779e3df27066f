/* Elements that the processor is asked for. */
#ifndef TARGET_CLIKE_NODES_PREFETCH_H
#define TARGET_CLIKE_NODES_PREFETCH_H

#include "target/clike/emitter.h"

/* The line of a PREFETCH node. */
void prefetch_print(struct emitter *emitter, const struct node *node);

#endif
