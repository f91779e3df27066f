/* Buffers and arrays in blocks: a layout that a cache chooses for an array, and blocks that are a buffer already. */
#ifndef PLAN_CACHE_BLOCKS_H
#define PLAN_CACHE_BLOCKS_H

#include "plan/cache/buffer.h"

/* The layout "auto" of the buffer's array becomes the buffer's: block after block where its boxes are blocks on a grid,
 * else the same order of dimensions. False: it is not "auto", or was chosen before. */
bool blocks_choose(struct schedule *schedule, const struct buffer *buffer);
/* Is each of the buffer's boxes one block of its array, in the buffer's order? */
bool blocks_are_buffer(const struct buffer *buffer);

#endif
