#include "plan/record.h"

void record_cache(const struct region *region, const char *name)
{
    struct cached cached = {.step = region->step, .array = region->array->name, .name = name,
                            .loop = region->loop->info->name};

    VEC_PUSH(region->schedule->arena, &region->schedule->cached, cached);
}
