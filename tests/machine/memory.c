/* The memory of arrays and the positions of elements in it. */
#include "machine.h"

#include "program/program.h"
#include "tree/layout.h"

#include <inttypes.h>
#include <string.h>

/* An extent, stride or offset: of parameters only. */
static int64_t of_parameters(struct machine *machine, const struct expr *expr)
{
    const struct scope scope = {.program = machine->program, .param_var = machine->param_var};
    struct thread thread = {.machine = machine};
    const struct affine *affine;

    if (!affine_from_expr(machine->arena, &scope, expr, &affine) || !affine)
        machine_fault(machine, "an extent is not affine");
    return affine_value(&thread, affine);
}

static int64_t dense_strides(struct space *memory)
{
    const struct fragment *fragment = memory->array->fragment;
    int64_t stride = 1;

    if (fragment)
        stride = (int64_t)(fragment->use == FRAGMENT_COLUMNS ? fragment->k : fragment->m) *
                 (fragment->use == FRAGMENT_ROWS ? fragment->k : fragment->n);
    for (int k = memory->array->n_dim - 1; k >= 0; k--) {
        const int dim = array_dense_dimension(memory->array, k);
        memory->stride[dim] = stride;
        stride *= memory->extent[dim];
    }
    return stride;
}

static int64_t given_strides(struct machine *machine, struct space *memory)
{
    int64_t last = memory->offset;
    bool empty = false;

    for (int k = 0; k < memory->array->n_dim; k++) {
        memory->stride[k] = of_parameters(machine, memory->array->stride[k]);
        last += memory->stride[k] > 0 ? (memory->extent[k] - 1) * memory->stride[k] : 0;
        empty = empty || memory->extent[k] == 0;
    }
    return empty ? 0 : last + 1;
}

void space_shape(struct machine *machine, struct space *memory, const struct array *array)
{
    *memory = (struct space){.array = array};
    memory->extent = ARENA_ARRAY(machine->arena, array->n_dim + 1, int64_t);
    memory->stride = ARENA_ARRAY(machine->arena, array->n_dim + 1, int64_t);
    memory->offset = array->offset ? of_parameters(machine, array->offset) : 0;
    for (int k = 0; k < array->n_dim; k++) {
        memory->extent[k] = of_parameters(machine, array->shape[k]);
        if (array->memory == MEMORY_SHARED && memory->extent[k] < 0) /* as the launch asks for it */
            memory->extent[k] = 0;
    }
    memory->n = array->stride ? given_strides(machine, memory) : dense_strides(memory);
    if (memory->n < 0 || memory->n > (int64_t)1 << 24)
        machine_fault(machine, "%s has %" PRId64 " elements", array->name, memory->n);
}

void space_clear(struct space *memory)
{
    const struct array *array = memory->array;
    const size_t size = (size_t)word_size(array->type);
    const struct word poison = word_poison(array->type);

    memset(memory->byte, 0, (size_t)memory->n * size);
    for (int64_t k = 0; k < memory->n && !array->init_zero; k++)
        word_store(poison, memory->byte + (size_t)k * size);
}

/* The memory that all threads know by the array's name; node's arrays may be copies of the program's. */
static struct space *space_named(struct thread *thread, const struct array *array)
{
    const struct program *program = thread->machine->program;

    if (array >= program->array && array < program->array + program->n_array)
        return &thread->machine->memory[array - program->array];
    for (int k = 0; k < program->n_array; k++)
        if (strcmp(program->array[k].name, array->name) == 0)
            return &thread->machine->memory[k];
    machine_fault(thread->machine, "%s is no array here", array->name);
}

const struct space *space_of(struct thread *thread, const struct array *array)
{
    const struct space *everywhere = space_named(thread, array);

    for (const struct binding *at = thread->scope; at; at = at->outer)
        if (at->memory && at->memory->array == everywhere->array)
            return at->memory;
    return everywhere;
}

void space_declare(struct thread *thread, const struct array *array)
{
    struct space *memory = thread_alloc(thread, sizeof(*memory));

    *memory = *space_named(thread, array);
    memory->byte = thread_alloc(thread, (size_t)(memory->n * word_size(array->type)));
    space_clear(memory);
    bind(thread, NULL)->memory = memory;
}

/* Does each lane have its own subscripts? */
static bool is_listed(const struct element *element)
{
    return element->lane_step == LANES_APART && !element->distance && element->n_lane_index > 0;
}

/* The subscript of dimension k in this lane. */
static int64_t subscript(struct thread *thread, const struct element *element, int k, int lane)
{
    const int n = element->array->n_dim;

    if (!element->index || !element->index[k])
        return value_of(thread, element->indirect[k], lane).integer;
    if (lane >= 0 && is_listed(element))
        return affine_value(thread, element->lane_index[lane * n + k]);
    return affine_value(thread, element->index[k]);
}

/* The position that the subscripts tell in this lane. */
static int64_t subscripts_position(struct thread *thread, const struct element *element, int lane,
                                   const struct space **memory)
{
    const struct binding *base = element->base ? binding_of(thread, element->base) : NULL;
    int64_t position;

    *memory = base ? base->base : space_of(thread, element->array);
    position = base ? base->integer : (*memory)->offset;
    for (int k = 0; k < element->array->n_dim; k++)
        position += subscript(thread, element, k, lane) * (*memory)->stride[k];
    return position;
}

/* The same where all lanes have the same subscripts. */
static int64_t common_position(struct thread *thread, const struct element *element, int lane,
                               const struct space **memory)
{
    bool found;

    if (lane < 0 || element->indirect || is_listed(element))
        return subscripts_position(thread, element, lane, memory);
    struct remembered *at = remember(thread, element->index, &found);
    if (!found || at->array != element->array || at->base != element->base) {
        at->array = element->array;
        at->base = element->base;
        at->integer = subscripts_position(thread, element, lane, &at->memory);
    }
    *memory = at->memory;
    return at->integer;
}

static int64_t distance_of_lane(struct thread *thread, const struct element *element, const struct space *memory,
                                int lane, int group)
{
    int64_t distance = 0;

    if (element->lane_step != LANES_APART)
        return lane * element->lane_step * (group > 0 ? group : 1);
    if (element->distance)
        return value_of(thread, element->distance, lane).integer;
    for (int k = 0; element->lane_factor && !element->n_lane_index && k < element->array->n_dim; k++)
        distance += lane * element->lane_factor[k] * memory->stride[k];
    return distance;
}

int64_t element_position(struct thread *thread, const struct element *element, int lane, int group,
                         const struct space **memory)
{
    int64_t position = common_position(thread, element, lane, memory);

    if (element->array->fragment)
        position += thread->place_in_tile;
    if (lane >= 0)
        position += distance_of_lane(thread, element, *memory, lane, group) + (element->parts ? element->part : 0);
    return position;
}

unsigned char *space_bytes(struct thread *thread, const struct space *memory, int64_t position, int64_t n)
{
    const int size = word_size(memory->array->type);

    if (position < 0 || position * size + n > memory->n * size)
        machine_fault(thread->machine, "%s has no element at position %" PRId64 " of %" PRId64, memory->array->name,
                      position, memory->n);
    return memory->byte + position * size;
}

struct word space_read(struct thread *thread, const struct space *memory, int64_t position)
{
    return word_load(memory->array->type, space_bytes(thread, memory, position, word_size(memory->array->type)));
}

void space_write(struct thread *thread, const struct space *memory, int64_t position, struct word value)
{
    if (memory->array->role == ROLE_IN || memory->array->role == ROLE_CONST)
        machine_fault(thread->machine, "%s is written", memory->array->name);
    word_store(word_convert(value, memory->array->type),
               space_bytes(thread, memory, position, word_size(memory->array->type)));
}
