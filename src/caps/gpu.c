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

bool gpu_has_matrix(const struct gpu *gpu, enum type factor, enum type sum, const int64_t size[3])
{
    static const struct {
        enum type factor, sum;
        int64_t size[3];
    } rows[] = {
        {TYPE_F16, TYPE_F32, {16, 16, 16}},  {TYPE_F16, TYPE_F32, {32, 8, 16}},  {TYPE_F16, TYPE_F32, {8, 32, 16}},
        {TYPE_BF16, TYPE_F32, {16, 16, 16}}, {TYPE_BF16, TYPE_F32, {32, 8, 16}}, {TYPE_BF16, TYPE_F32, {8, 32, 16}},
        {TYPE_I8, TYPE_I32, {16, 16, 16}},   {TYPE_I8, TYPE_I32, {32, 8, 16}},   {TYPE_I8, TYPE_I32, {8, 32, 16}},
        {TYPE_U8, TYPE_I32, {16, 16, 16}},   {TYPE_U8, TYPE_I32, {32, 8, 16}},   {TYPE_U8, TYPE_I32, {8, 32, 16}},
        {TYPE_F64, TYPE_F64, {8, 8, 4}},
    };

    for (size_t k = 0; gpu && k < sizeof(rows) / sizeof(rows[0]); k++)
        if (rows[k].factor == factor && rows[k].sum == sum && rows[k].size[0] == size[0] &&
            rows[k].size[1] == size[1] && rows[k].size[2] == size[2])
            return true;
    return false;
}

int64_t gpu_matrix_depth(const int64_t size[2])
{
    return size[0] * size[1] == 64 ? 4 : 16;
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
