#include "plan/cache/record.h"

void record_cache(const struct region *region, const char *name)
{
    const struct array *named = region->view ? region->view : region->array;
    struct cached cached = {.step = region->step,
                            .array = named->name,
                            .name = name,
                            .loop = region->loop->info->name,
                            .n_outside = region->n_outside};
    const struct order *trigger = region->trigger ? region->trigger : region->loop;

    cached.trigger = trigger->info->name;
    VEC_PUSH(region->schedule->arena, &region->schedule->cached, cached);
}
