/* What is remembered of caches for reports. */
#ifndef PLAN_CACHE_RECORD_H
#define PLAN_CACHE_RECORD_H

#include "plan/cache/region.h"

/* The group has a buffer called name; NULL: needs none, as its elements lie as they would in it. */
void record_cache(const struct region *region, const char *name);

#endif
