#include "target/clike/memory.h"

#include "target/clike/storage.h"
#include "target/clike/types.h"

/* The bytes that a temporary takes on the stack, 0: none. */
static int64_t stack_bytes(struct emitter *emitter, const struct array *array)
{
    const enum storage storage = storage_of(emitter, array);
    int64_t size;

    if (array->role != ROLE_TEMP || array->memory == MEMORY_STATIC || array->memory == MEMORY_SHARED ||
        (storage != STORAGE_LOCAL && storage != STORAGE_LOCAL_FLAT) || !constant_size(emitter, array, &size))
        return 0;
    return size * c_type_bytes(array->type);
}

/* The largest array that may be moved, or -1; *sum is what all take. */
static int largest(struct emitter *emitter, const bool *used, int64_t *sum)
{
    const struct program *program = emitter->program;
    int64_t most = 0;
    int found = -1;

    *sum = 0;
    for (int k = 0; k < program->n_array; k++) {
        const int64_t bytes = used[k] ? stack_bytes(emitter, &program->array[k]) : 0;
        *sum += bytes;
        if (bytes > most && program->array[k].memory == MEMORY_AUTO) {
            most = bytes;
            found = k;
        }
    }
    return found;
}

void memory_limit_stack(struct emitter *emitter, const bool *used)
{
    int64_t sum;

    emitter->array_moved = ARENA_ARRAY(emitter->arena, emitter->program->n_array, bool);
    for (int k = largest(emitter, used, &sum); sum > STACK_LIMIT && k >= 0; k = largest(emitter, used, &sum))
        emitter->array_moved[k] = true;
}

/* Conditions, and loops with bounds that are no numbers, around a node; and around each array's declaration. */
struct doubts {
    struct emitter *emitter;
    int around;
    int *declared;
};

static int number_of(const struct doubts *doubts, const struct array *array)
{
    const struct program *program = doubts->emitter->program;

    for (int k = 0; array && k < program->n_array; k++)
        if (array == &program->array[k])
            return k;
    return -1;
}

static void note_assignment(struct doubts *doubts, const struct node *node)
{
    const int k = number_of(doubts, node->target.array);

    if (k >= 0 && node->op == OP_NONE && (doubts->around > doubts->declared[k] || node->guard_value))
        doubts->emitter->array_doubtful[k] = true;
}

static void walk(struct doubts *doubts, const struct node *node)
{
    const int before = doubts->around;

    if (node->kind == NODE_ASSIGN)
        note_assignment(doubts, node);
    doubts->around +=
        node->kind == NODE_IF ||
        (node->kind == NODE_LOOP && (!affine_is_constant(node->lower, NULL) || !affine_is_constant(node->upper, NULL)));
    for (int k = 0; k < node->n_local; k++)
        if (number_of(doubts, node->local[k]) >= 0)
            doubts->declared[number_of(doubts, node->local[k])] = doubts->around;
    for (int k = 0; k < node->n_child; k++)
        walk(doubts, node->child[k]);
    doubts->around = before;
}

void memory_find_doubtful(struct emitter *emitter, const struct node *tree)
{
    struct doubts doubts = {emitter, 0, ARENA_ARRAY(emitter->arena, emitter->program->n_array, int)};

    emitter->array_doubtful = ARENA_ARRAY(emitter->arena, emitter->program->n_array, bool);
    walk(&doubts, tree);
}
