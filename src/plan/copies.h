/* Redirecting a region's references to a buffer, with the copies that fill and flush it. */
#ifndef PLAN_COPIES_H
#define PLAN_COPIES_H

#include "plan/region.h"

/* The schedule goes on with a program that has the buffer under this name: the region's references use it, statements
 * NAME_fill before and NAME_flush after the loops copy what region_filled and region_flushed say. Refused when a
 * subscript has no expression. */
enum status copies_insert(struct schedule *schedule, const struct region *region, const struct buffer *buffer,
                          const char *name);

#endif
