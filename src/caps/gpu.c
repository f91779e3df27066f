#include "caps/gpu.h"

#include <inttypes.h>
#include <string.h>

enum { KB = 1024 };

static const struct gpu cuda = {
    .threads = 1024,
    .limit = {[AXIS_BLOCK_X] = 2147483647,
              [AXIS_BLOCK_Y] = 65535,
              [AXIS_BLOCK_Z] = 65535,
              [AXIS_THREAD_X] = 1024,
              [AXIS_THREAD_Y] = 1024,
              [AXIS_THREAD_Z] = 64,
              [AXIS_THREAD] = 1024},
    .shared_bytes = 48 * KB,
    .atomics_of_integers = "+-&|^<>",
    .atomics_of_floats = "+-",
    .resident = 2048,
    .registers = 255,
    .local_bytes = 4096,
};

static const char *const names[AXIS_COUNT] = {"none",     "block.x",  "block.y",  "block.z",
                                              "thread.x", "thread.y", "thread.z", "thread"};

const struct gpu *gpu_by_language(const char *language)
{
    return language && strcmp(language, "cuda") == 0 ? &cuda : NULL;
}

/* Source: "GPU Feature List" of the CUDA compiler driver's manual; an arch that it added later is one row more. The
 * bytes: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static const struct gpu_arch archs[] = {
    {"sm_70", 70, 96 * KB},    {"sm_72", 72, 96 * KB},    {"sm_75", 75, 64 * KB},    {"sm_80", 80, 163 * KB},
    {"sm_86", 86, 99 * KB},    {"sm_87", 87, 163 * KB},   {"sm_89", 89, 99 * KB},    {"sm_90", 90, 227 * KB},
    {"sm_100", 100, 227 * KB}, {"sm_103", 103, 227 * KB}, {"sm_110", 110, 227 * KB}, {"sm_120", 120, 99 * KB},
    {"sm_121", 121, 99 * KB},
};

const struct gpu_arch *gpu_arch_by_name(const char *name)
{
    for (size_t k = 0; k < sizeof(archs) / sizeof(archs[0]); k++)
        if (strcmp(archs[k].name, name ? name : "sm_80") == 0)
            return &archs[k];
    return NULL;
}

/* Source: CUDA C++ Programming Guide, "Warp Matrix Functions", "Element Types and Matrix Sizes". Factors of f32 are
 * rounded to tf32. */
static const struct matrix {
    enum type factor, sum;
    int64_t size[3];
    const char *since;
} matrices[] = {
    {TYPE_F16, TYPE_F32, {16, 16, 16}, "sm_70"},  {TYPE_F16, TYPE_F32, {32, 8, 16}, "sm_70"},
    {TYPE_F16, TYPE_F32, {8, 32, 16}, "sm_70"},   {TYPE_F16, TYPE_F16, {16, 16, 16}, "sm_70"},
    {TYPE_F16, TYPE_F16, {32, 8, 16}, "sm_70"},   {TYPE_F16, TYPE_F16, {8, 32, 16}, "sm_70"},
    {TYPE_I8, TYPE_I32, {16, 16, 16}, "sm_72"},   {TYPE_I8, TYPE_I32, {32, 8, 16}, "sm_72"},
    {TYPE_I8, TYPE_I32, {8, 32, 16}, "sm_72"},    {TYPE_U8, TYPE_I32, {16, 16, 16}, "sm_72"},
    {TYPE_U8, TYPE_I32, {32, 8, 16}, "sm_72"},    {TYPE_U8, TYPE_I32, {8, 32, 16}, "sm_72"},
    {TYPE_BF16, TYPE_F32, {16, 16, 16}, "sm_80"}, {TYPE_BF16, TYPE_F32, {32, 8, 16}, "sm_80"},
    {TYPE_BF16, TYPE_F32, {8, 32, 16}, "sm_80"},  {TYPE_F32, TYPE_F32, {16, 16, 8}, "sm_80"},
    {TYPE_F64, TYPE_F64, {8, 8, 4}, "sm_80"},
};

enum { N_MATRIX = (int)(sizeof(matrices) / sizeof(matrices[0])) };

const struct gpu_arch *gpu_matrix_since(enum type factor, enum type sum, const int64_t size[3])
{
    for (int k = 0; k < N_MATRIX; k++)
        if (matrices[k].factor == factor && matrices[k].sum == sum &&
            memcmp(matrices[k].size, size, sizeof(matrices[k].size)) == 0)
            return gpu_arch_by_name(matrices[k].since);
    return NULL;
}

const char *gpu_matrix_sizes(struct arena *arena, enum type factor, enum type sum)
{
    const char *text = NULL;

    for (int k = 0; k < N_MATRIX; k++)
        if (matrices[k].factor == factor && matrices[k].sum == sum)
            text = arena_printf(arena, "%s%s%" PRId64 " x %" PRId64 " x %" PRId64, text ? text : "", text ? ", " : "",
                                matrices[k].size[0], matrices[k].size[1], matrices[k].size[2]);
    return text;
}

const char *gpu_atomics(const struct gpu *gpu, enum type type)
{
    if (type_is_float(type))
        return gpu->atomics_of_floats;
    return type_bits(type) < 32 ? "" : gpu->atomics_of_integers;
}

const char *gpu_exchanges(enum type type)
{
    if (type_is_float(type))
        return "*<>";
    return type_bits(type) < 16 ? "" : type_bits(type) == 16 ? "+-&|^<>" : "*";
}

bool gpu_computes(const struct gpu_arch *arch, enum type type)
{
    return type != TYPE_BF16 || arch->version >= 80;
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
    return names[axis_whole(axis)];
}
