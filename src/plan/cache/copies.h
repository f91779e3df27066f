/* Redirecting a region's references to a buffer, with the copies that fill and flush it. */
#ifndef PLAN_CACHE_COPIES_H
#define PLAN_CACHE_COPIES_H

#include "plan/cache/region.h"

/* The schedule goes on with a program that has the buffer under this name: the region's references use it, statements
 * NAME_fill before and NAME_flush after the loops copy what region_filled and region_flushed say. Refused when a
 * subscript has no expression. */
enum status copies_insert(struct schedule *schedule, const struct region *region, const struct buffer *buffer,
                          const char *name);

/* The same for a region that is whole nests, in the schedule: the copies are nests of their own, before the first and
 * after the last of the statements of the region, in the order of the schedule and in that of the description. */
enum status copies_insert_nests(struct schedule *schedule, const struct region *region, const struct buffer *buffer,
                                const char *name);

#endif
