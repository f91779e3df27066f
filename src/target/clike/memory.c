#include "target/clike/memory.h"

#include "base/vec.h"
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

/* Conditions, and loops with bounds that are no numbers, around a node; and around each array's declaration. The same
 * of conditions that have no other branch, and are the same in all iterations of loops that the compiler unrolls. */
struct doubts {
    struct emitter *emitter;
    int around, alone;
    int *declared, *declared_alone;
    VEC(const struct var *) unrolled; /* of loops around */
};

static int number_of(const struct doubts *doubts, const struct array *array)
{
    const struct program *program = doubts->emitter->program;

    for (int k = 0; array && k < program->n_array; k++)
        if (array == &program->array[k])
            return k;
    return -1;
}

/* Is it in a row of its own, which is not the first? */
static bool is_apart(const struct element *element)
{
    int64_t value;

    for (int k = 0; k < element->array->n_dim; k++)
        if (element->index[k] && affine_is_constant(element->index[k], &value) && value > 0)
            return true;
    return false;
}

static void note_assignment(struct doubts *doubts, const struct node *node)
{
    const int k = number_of(doubts, node->target.array);

    if (k >= 0 && node->op == OP_NONE && (doubts->around > doubts->declared[k] || node->guard_value))
        doubts->emitter->array_doubtful[k] = true;
    if (k >= 0 && node->op == OP_NONE && doubts->alone > doubts->declared_alone[k] &&
        node->target.array->in_registers && is_apart(&node->target))
        doubts->emitter->array_sometimes[k] = true;
}

static void note_declaration(struct doubts *doubts, int k)
{
    if (k < 0)
        return;
    doubts->declared[k] = doubts->around;
    doubts->declared_alone[k] = doubts->alone;
}

static bool has_literal_bounds(const struct node *loop)
{
    return affine_is_constant(loop->lower, NULL) && affine_is_constant(loop->upper, NULL);
}

static bool uses_unrolled(const struct doubts *doubts, const struct affine *a)
{
    for (int k = 0; k < doubts->unrolled.n; k++)
        if (affine_uses(a, doubts->unrolled.at[k]))
            return true;
    return false;
}

static bool is_alone(const struct doubts *doubts, const struct node *node)
{
    if (node->kind != NODE_IF || node->n_child > 1)
        return false;
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++)
            if (uses_unrolled(doubts, node->alternative[k].condition[c].affine))
                return false;
    return true;
}

static void walk(struct doubts *doubts, const struct node *node)
{
    const bool unrolled = node->kind == NODE_LOOP && has_literal_bounds(node);
    const int before = doubts->around, alone = doubts->alone;

    if (node->kind == NODE_ASSIGN)
        note_assignment(doubts, node);
    doubts->around += node->kind == NODE_IF || (node->kind == NODE_LOOP && !unrolled);
    doubts->alone += is_alone(doubts, node);
    if (unrolled)
        VEC_PUSH(doubts->emitter->arena, &doubts->unrolled, node->var);
    for (int k = 0; k < node->n_local; k++)
        note_declaration(doubts, number_of(doubts, node->local[k]));
    for (int k = 0; k < node->n_child; k++)
        walk(doubts, node->child[k]);
    doubts->unrolled.n -= unrolled;
    doubts->around = before;
    doubts->alone = alone;
}

void memory_find_doubtful(struct emitter *emitter, const struct node *tree)
{
    const int n = emitter->program->n_array;
    struct doubts doubts = {.emitter = emitter,
                            .declared = ARENA_ARRAY(emitter->arena, n, int),
                            .declared_alone = ARENA_ARRAY(emitter->arena, n, int)};

    emitter->array_doubtful = ARENA_ARRAY(emitter->arena, n, bool);
    emitter->array_sometimes = ARENA_ARRAY(emitter->arena, n, bool);
    walk(&doubts, tree);
}
