#include "plan/cache/buffer.h"

#include "caps/gpu.h"
#include "program/expr/index_expr.h"

/* Is what assumptions bound so large that shared memory is to have what there really is? */
static bool is_loose(const struct buffer *buffer, int dim)
{
    const struct gpu *gpu = gpu_by_language(buffer->schedule->program->target.language);
    const int64_t bytes = type_bits(buffer->options.type) / 8;

    return gpu && buffer->options.memory == MEMORY_SHARED && buffer->array->shape[dim]->kind != EXPR_INT &&
           buffer->box[dim].size > gpu->shared_bytes / (bytes ? bytes : 1);
}

void buffer_measure_part(struct buffer *buffer, int dim, __isl_keep isl_map *elements)
{
    const struct program *program = buffer->schedule->program;
    struct box box;
    isl_aff *size;

    if (buffer->options.memory != MEMORY_SHARED || buffer->array->auto_layout ||
        (buffer->box[dim].offset && !is_loose(buffer, dim)))
        return;
    box = box_measure_symbolic(elements, program->context, &size);
    if (!size)
        return;
    box_release(&buffer->box[dim]);
    buffer->box[dim] = box;
    buffer->box_extent[dim] = index_expr_of(buffer->schedule->arena, program, isl_pw_aff_from_aff(size));
    if (!buffer->box_extent[dim])
        box_release(&buffer->box[dim]);
}
