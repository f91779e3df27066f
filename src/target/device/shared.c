/* The arrays of a block. Where they are more than a kernel may declare, they are parts of the memory that its launch
 * asks for:
 *     extern __shared__ __align__(16) unsigned char shared[];
 *     float (&A_tile)[2][8][132] = *(float (*)[2][8][132])shared;
 *     float (&B_tile)[2][8][128] = *(float (*)[2][8][128])(shared + 8448);
 * Those whose size only the launch knows always are, behind these:
 *     float *row = (float *)(shared + 16640);
 *     double (*pairs)[2] = (double (*)[2])(row + (K + 3) / 4 * 4);
 */
#include "target/device/shared.h"

#include "caps/gpu.h"
#include "target/clike/declare.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <inttypes.h>
#include <string.h>

static bool is_here(const struct array *array, const char *body)
{
    return array->role == ROLE_TEMP && array->memory == MEMORY_SHARED && c_mentions(body, array->name);
}

static int64_t align_of(const struct array *array)
{
    return array->align > SHARED_PART ? array->align : SHARED_PART;
}

/* bytes, and what is free before the next multiple of align */
static int64_t rounded_up(int64_t bytes, int64_t align)
{
    return (bytes + align - 1) / align * align;
}

/* 0: only the launch knows them. */
static int64_t bytes_of(struct device_file *file, const struct array *array)
{
    int64_t size = 1;

    return constant_size(&file->c.emitter, array, &size) ? size * c_type_bytes(array->type) : 0;
}

/* The arrays that the body mentions, in the program's order: those of known size, and the others. */
struct arrays {
    const struct array **list;
    int n;
    int64_t bytes; /* of all, where their sizes are known */
};

static struct arrays arrays_of(struct device_file *file, const char *body, bool symbolic)
{
    const struct program *program = file->c.unit->program;
    struct arrays arrays = {ARENA_ARRAY(file->c.emitter.arena, program->n_array + 1, const struct array *), 0, 0};

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        if (!is_here(array, body) || (bytes_of(file, array) == 0) != symbolic)
            continue;
        arrays.list[arrays.n++] = array;
        arrays.bytes = rounded_up(arrays.bytes, align_of(array)) + bytes_of(file, array);
    }
    return arrays;
}

/* The parts of the launch's memory that stand behind each other. */
static struct shared_part *parts_of(struct device_file *file, const struct arrays *symbolic)
{
    struct shared_part *part = ARENA_ARRAY(file->c.emitter.arena, symbolic->n + 1, struct shared_part);

    for (int k = 0; k < symbolic->n; k++)
        part[k] = shared_part_of(file, symbolic->list[k], k + 1 < symbolic->n ? align_of(symbolic->list[k + 1]) : 0);
    return part;
}

/* Where the first symbolic array stands. */
static int64_t first_symbolic(const struct device_shared *shared, const struct arrays *symbolic)
{
    return symbolic->n ? rounded_up(shared->constant, align_of(symbolic->list[0])) : 0;
}

struct device_shared device_shared_of(struct device_file *file, const char *body)
{
    const struct target_options *target = &file->c.unit->program->target;
    const struct arrays constant = arrays_of(file, body, false), symbolic = arrays_of(file, body, true);
    const struct gpu *gpu = gpu_by_language(target->language);
    const bool declares = constant.bytes <= gpu->shared_bytes;
    struct device_shared shared = {.declared = declares ? rounded_up(constant.bytes, SHARED_PART) : 0,
                                   .constant = declares ? 0 : constant.bytes};

    if (symbolic.n) {
        shared.most = gpu_arch_by_name(gpu, target->arch)->shared_bytes - shared.declared;
        shared.bytes = shared_bytes(file, parts_of(file, &symbolic), symbolic.n, first_symbolic(&shared, &symbolic),
                                    &shared.known);
    }
    return shared;
}

bool device_shared_is_dynamic(const struct device_shared *shared)
{
    return shared->constant > 0 || shared->bytes;
}

bool device_shared_needs_permission(const struct device_file *file, const struct device_shared *shared)
{
    const struct gpu *gpu = gpu_by_language(file->c.unit->program->target.language);

    return file->words->permit_shared &&
           (shared->bytes ? shared->known : shared->constant) > gpu->shared_bytes - shared->declared;
}

static void declare_constant(struct device_file *file, const struct arrays *constant, struct writer *writer)
{
    int64_t first = 0;

    for (int k = 0; k < constant->n; k++) {
        const struct array *array = constant->list[k];
        first = rounded_up(first, align_of(array));
        write_linef(writer, "%s;",
                    declare_reference(&file->c.emitter, array,
                                      first ? arena_printf(file->c.emitter.arena, "(%s + %" PRId64 ")", file->shared,
                                                           first)
                                            : file->shared));
        first += bytes_of(file, array);
    }
}

/* The place behind a part. */
static const char *behind(struct device_file *file, const struct shared_part *part)
{
    enum precedence precedence;
    const char *units = shared_units(file, part, &precedence);

    return arena_printf(file->c.emitter.arena, "%s + %s", part->array->name,
                        parenthesised(&file->c.emitter, units, precedence, PREC_SUM));
}

/* Each starts behind the one before, the first so many bytes behind the start. */
static void declare_symbolic(struct device_file *file, const struct arrays *symbolic, int64_t first,
                             struct writer *writer)
{
    struct emitter *emitter = &file->c.emitter;
    const struct shared_part *part = parts_of(file, symbolic);
    const char *type = "unsigned char *", *place = file->shared;

    if (first)
        place = arena_printf(emitter->arena, "%s + %" PRId64, place, first);
    for (int k = 0; k < symbolic->n; k++) {
        const char *own = declare_pointer_type(emitter, part[k].array);
        if (strcmp(own, type) != 0)
            place = arena_printf(emitter->arena, strchr(place, ' ') ? "(%s)(%s)" : "(%s)%s", own, place);
        write_linef(writer, "%s %s = %s;", emitter_type(emitter, part[k].array->type),
                    declare_pointer(emitter, part[k].array, part[k].array->name), place);
        place = behind(file, &part[k]);
        type = own;
    }
}

/* All kernels of a file declare the memory in the same way. */
static int64_t largest_align(const struct device_file *file)
{
    const struct program *program = file->c.unit->program;
    int64_t align = SHARED_PART;

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].role == ROLE_TEMP && program->array[k].memory == MEMORY_SHARED &&
            align_of(&program->array[k]) > align)
            align = align_of(&program->array[k]);
    return align;
}

void device_declare_shared(struct device_file *file, const char *body, struct writer *writer)
{
    const struct arrays constant = arrays_of(file, body, false), symbolic = arrays_of(file, body, true);
    const struct device_shared shared = device_shared_of(file, body);

    for (int k = 0; k < constant.n && !shared.constant; k++)
        write_linef(writer, "%s;", declare_text(&file->c.emitter, NULL, constant.list[k]));
    if (!device_shared_is_dynamic(&shared))
        return;
    write_linef(writer, "extern __shared__ __align__(%" PRId64 ") unsigned char %s[];", largest_align(file),
                file->shared);
    if (shared.constant)
        declare_constant(file, &constant, writer);
    declare_symbolic(file, &symbolic, first_symbolic(&shared, &symbolic), writer);
}
