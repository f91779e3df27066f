#include "caps/gpu.h"

#include <string.h>

static const struct gpu cuda = {
    .threads = 1024,
    .limit = {[AXIS_BLOCK_X] = 2147483647, [AXIS_BLOCK_Y] = 65535, [AXIS_BLOCK_Z] = 65535,
              [AXIS_THREAD_X] = 1024, [AXIS_THREAD_Y] = 1024, [AXIS_THREAD_Z] = 64, [AXIS_THREAD] = 1024},
    .shared_bytes = 49152,
    .atomics_of_integers = "+-&|^<>",
    .atomics_of_floats = "+-",
    .local_bytes = 4096,
};

static const char *const names[AXIS_COUNT] = {"none",     "block.x",  "block.y",  "block.z",
                                              "thread.x", "thread.y", "thread.z", "thread"};

const struct gpu *gpu_by_language(const char *language)
{
    return language && strcmp(language, "cuda") == 0 ? &cuda : NULL;
}

const char *gpu_atomics(const struct gpu *gpu, enum type type)
{
    if (type_bits(type) < 32)
        return "";
    return type_is_float(type) ? gpu->atomics_of_floats : gpu->atomics_of_integers;
}

enum axis axis_by_name(const char *name)
{
    for (int k = AXIS_BLOCK_X; k <= AXIS_THREAD_Z; k++)
        if (strcmp(names[k], name) == 0)
            return (enum axis)k;
    return AXIS_NONE;
}

const char *axis_name(enum axis axis)
{
    return names[axis];
}
