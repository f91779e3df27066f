#include "plan/record.h"

void record_cache(const struct region *region, const char *name)
{
    struct cached cached = {.step = region->step, .array = region->array->name, .name = name,
                            .loop = region->loop->info->name, .n_outside = region->n_outside};
    const struct order *trigger = region->trigger ? region->trigger : region->loop;

    cached.trigger = trigger->info->name;
    VEC_PUSH(region->schedule->arena, &region->schedule->cached, cached);
}
