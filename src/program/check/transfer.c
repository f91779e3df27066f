#include "program/check/transfer.h"

#include "program/check/written.h"

static int transfers(const struct program *program, const struct array *array)
{
    bool reads = false, writes = false, whole;

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            reads |= access->array == array && !access->write;
            writes |= access->array == array && access->write;
        }
    whole = !array->stride && !array->digit && array_is_all_written(program, array);
    if (whole && array->role == ROLE_OUT)
        reads = false;
    if (writes && !whole)
        reads = true;
    return (reads ? TRANSFER_IN : 0) | (writes ? TRANSFER_OUT : 0);
}

const int *program_transfers(struct arena *arena, const struct program *program)
{
    int *list = ARENA_ARRAY(arena, program->n_array + 1, int);

    for (int k = 0; k < program->n_array; k++)
        list[k] = transfers(program, &program->array[k]);
    return list;
}
