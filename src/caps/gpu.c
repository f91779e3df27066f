#include "caps/gpu.h"

#include "caps/language.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[AXIS_COUNT] = {"none",     "block.x",  "block.y",  "block.z",
                                              "thread.x", "thread.y", "thread.z", "thread"};

const struct gpu *gpu_by_language(const char *language)
{
    return language ? language_by_name(language)->gpu : NULL;
}

const struct gpu_arch *gpu_arch_by_name(const struct gpu *gpu, const char *name)
{
    for (const struct gpu_arch *arch = gpu ? gpu->archs : NULL; arch && arch->name; arch++)
        if (strcmp(arch->name, name ? name : gpu->usual_arch) == 0)
            return arch;
    return NULL;
}

const char *const *gpu_arch_names(struct arena *arena, const struct gpu *gpu)
{
    const char **name;
    int n = 0;

    while (gpu->archs[n].name)
        n++;
    name = ARENA_ARRAY(arena, n + 1, const char *);
    for (int k = 0; k < n; k++)
        name[k] = gpu->archs[k].name;
    return name;
}

const struct gpu_arch *gpu_matrix_since(const struct gpu *gpu, enum type factor, enum type sum, const int64_t size[3])
{
    for (int k = 0; k < gpu->n_matrix; k++)
        if (gpu->matrix[k].factor == factor && gpu->matrix[k].sum == sum &&
            memcmp(gpu->matrix[k].size, size, sizeof(gpu->matrix[k].size)) == 0)
            return gpu_arch_by_name(gpu, gpu->matrix[k].since);
    return NULL;
}

const char *gpu_matrix_sizes(const struct gpu *gpu, struct arena *arena, enum type factor, enum type sum)
{
    const char *text = NULL;

    for (int k = 0; k < gpu->n_matrix; k++)
        if (gpu->matrix[k].factor == factor && gpu->matrix[k].sum == sum)
            text = arena_printf(arena, "%s%s%" PRId64 " x %" PRId64 " x %" PRId64, text ? text : "", text ? ", " : "",
                                gpu->matrix[k].size[0], gpu->matrix[k].size[1], gpu->matrix[k].size[2]);
    return text;
}

const char *gpu_atomics(const struct gpu *gpu, enum type type)
{
    if (type_is_float(type))
        return gpu->atomics_of_floats;
    if (type == TYPE_I64)
        return gpu->atomics_of_longs;
    return type_bits(type) < 32 ? "" : gpu->atomics_of_integers;
}

const char *gpu_exchanges(const struct gpu *gpu, enum type type)
{
    if (type_bits(type) < gpu->exchanged_bits)
        return "";
    if (type_is_float(type))
        return "*<>";
    return type_bits(type) == 16 ? "+-&|^<>" : "+-*&|^<>";
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
