/* The arrays of a block. Where they are more than a kernel may declare, they are parts of the memory that its launch
 * asks for:
 *     extern __shared__ __align__(16) unsigned char shared[];
 *     float (&A_tile)[2][8][132] = *(float (*)[2][8][132])shared;
 *     float (&B_tile)[2][8][128] = *(float (*)[2][8][128])(shared + 8448);
 */
#include "target/cuda/file.h"

#include "caps/gpu.h"
#include "target/clike/declare.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <inttypes.h>

enum { PART = 16 }; /* each array starts at a multiple of it, so that 16 bytes can be copied at once */

static bool is_here(const struct array *array, const char *body)
{
    return array->role == ROLE_TEMP && array->memory == MEMORY_SHARED && c_mentions(body, array->name);
}

static int64_t align_of(const struct array *array)
{
    return array->align > PART ? array->align : PART;
}

/* bytes, and what is free before the next multiple of align */
static int64_t rounded_up(int64_t bytes, int64_t align)
{
    return (bytes + align - 1) / align * align;
}

static int64_t bytes_of(struct cuda_file *file, const struct array *array)
{
    int64_t size = 1;

    file->c.emitter.failed |= !constant_size(&file->c.emitter, array, &size);
    return size * c_type_bytes(array->type);
}

int64_t cuda_dynamic_bytes(struct cuda_file *file, const char *body)
{
    const struct program *program = file->c.unit->program;
    int64_t bytes = 0;

    for (int k = 0; k < program->n_array; k++)
        if (is_here(&program->array[k], body))
            bytes = rounded_up(bytes, align_of(&program->array[k])) + bytes_of(file, &program->array[k]);
    return bytes > gpu_by_language(program->target.language)->shared_bytes ? bytes : 0;
}

static void declare_parts(struct cuda_file *file, const char *body, struct writer *writer)
{
    const struct program *program = file->c.unit->program;
    struct arena *arena = file->c.emitter.arena;
    const char *name = file->shared;
    int64_t align = PART, first = 0;

    for (int k = 0; k < program->n_array; k++)
        if (is_here(&program->array[k], body) && align_of(&program->array[k]) > align)
            align = align_of(&program->array[k]);
    write_linef(writer, "extern __shared__ __align__(%" PRId64 ") unsigned char %s[];", align, name);
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        if (!is_here(array, body))
            continue;
        first = rounded_up(first, align_of(array));
        write_linef(writer, "%s;",
                    declare_reference(&file->c.emitter, array,
                                      first ? arena_printf(arena, "(%s + %" PRId64 ")", name, first) : name));
        first += bytes_of(file, array);
    }
}

void cuda_declare_shared(struct cuda_file *file, const char *body, struct writer *writer)
{
    const struct program *program = file->c.unit->program;

    if (cuda_dynamic_bytes(file, body)) {
        declare_parts(file, body, writer);
        return;
    }
    for (int k = 0; k < program->n_array; k++)
        if (is_here(&program->array[k], body))
            write_linef(writer, "%s;", declare_text(&file->c.emitter, NULL, &program->array[k]));
}
