#include "target/clike/memory.h"

#include "base/vec.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "tree/visit.h"

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

/* Those in registers stay what they are. */
static bool may_move(const struct array *array)
{
    return array->memory == MEMORY_AUTO && !array->in_registers;
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
        if (bytes > most && may_move(&program->array[k])) {
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

/* Conditions, and loops with bounds that are no numbers, around a node. */
struct around {
    int all;
    int alone; /* of conditions only that have no other branch */
    int open;  /* conditions, and loops whose number of iterations is no number */
};

/* What is around each array's declaration, and the node that has it. */
struct declared {
    const struct node *node;
    struct around around;
    int open; /* the most around one of its assignments */
};

struct walking {
    struct emitter *emitter;
    struct around around;
    struct declared *declaration; /* by array */
};

static int number_of(const struct walking *walking, const struct array *array)
{
    const struct program *program = walking->emitter->program;

    for (int k = 0; array && k < program->n_array; k++)
        if (array == &program->array[k])
            return k;
    return -1;
}

struct doubt memory_doubt(const struct emitter *emitter, const struct node *node, const struct array *array)
{
    struct doubt all = {.node = node, .array = array};

    for (int k = 0; k < emitter->doubts.n; k++) {
        const struct doubt *doubt = &emitter->doubts.at[k];
        if (doubt->node != node || doubt->array != array)
            continue;
        all.elements = all.elements || doubt->elements;
        all.rows = all.rows || doubt->rows;
        all.fixed = all.fixed || doubt->fixed;
    }
    return all;
}

/* Adds what is not known yet. */
static void add_doubt(struct emitter *emitter, const struct doubt *doubt)
{
    const struct doubt known = memory_doubt(emitter, doubt->node, doubt->array);

    if ((doubt->elements && !known.elements) || (doubt->rows && !known.rows) || (doubt->fixed && !known.fixed))
        VEC_PUSH(emitter->arena, &emitter->doubts, *doubt);
}

/* Are its subscripts numbers? */
static bool is_fixed(const struct element *element)
{
    for (int k = 0; k < element->array->n_dim; k++)
        if (!element->index[k] || !affine_is_constant(element->index[k], NULL))
            return false;
    return true;
}

/* `t[0]` under fewer conditions than the assignments to t. */
static void note_read(const struct tree_expr *expr, void *user)
{
    struct walking *walking = user;
    const int k = number_of(walking, expr->element.array);
    struct doubt doubt = {.array = expr->element.array, .fixed = true};

    if (k < 0 || expr->kind != TREE_LOAD || walking->around.open >= walking->declaration[k].open ||
        !is_fixed(&expr->element))
        return;
    doubt.node = walking->declaration[k].node;
    add_doubt(walking->emitter, &doubt);
}

static void note_assignment(struct walking *walking, const struct node *node)
{
    const int k = number_of(walking, node->target.array);
    struct doubt doubt = {.array = node->target.array};

    if (k < 0 || node->op != OP_NONE)
        return;
    struct declared *declaration = &walking->declaration[k];
    if (declaration->open < walking->around.open)
        declaration->open = walking->around.open;
    doubt.node = declaration->node;
    doubt.elements = walking->around.all > declaration->around.all || node->guard_value;
    doubt.rows = walking->around.alone > declaration->around.alone && node->target.array->in_registers;
    add_doubt(walking->emitter, &doubt);
}

static void note_declaration(struct walking *walking, const struct node *node, int k)
{
    if (k >= 0)
        walking->declaration[k] = (struct declared){node, walking->around, 0};
}

static bool has_literal_bounds(const struct node *loop)
{
    return affine_is_constant(loop->lower, NULL) && affine_is_constant(loop->upper, NULL);
}

static bool has_literal_count(struct arena *arena, const struct node *loop)
{
    return affine_is_constant(affine_sub(arena, loop->upper, loop->lower), NULL);
}

/* A condition without another branch. */
static bool is_alone(const struct node *node)
{
    return node->kind == NODE_IF && node->n_child == 1;
}

static void walk(struct walking *walking, const struct node *node)
{
    const bool unrolled = node->kind == NODE_LOOP && has_literal_bounds(node);
    const struct around before = walking->around;

    tree_expr_for_each(node->value, note_read, walking);
    tree_expr_for_each(node->guard_value, note_read, walking);
    if (node->kind == NODE_ASSIGN)
        note_assignment(walking, node);
    walking->around.all += node->kind == NODE_IF || (node->kind == NODE_LOOP && !unrolled);
    walking->around.alone += is_alone(node);
    walking->around.open +=
        node->kind == NODE_IF || (node->kind == NODE_LOOP && !has_literal_count(walking->emitter->arena, node));
    for (int k = 0; k < node->n_own; k++)
        note_declaration(walking, node, number_of(walking, node->own[k]));
    for (int k = 0; k < node->n_local; k++)
        note_declaration(walking, node, number_of(walking, node->local[k]));
    for (int k = 0; k < node->n_child; k++)
        walk(walking, node->child[k]);
    walking->around = before;
}

void memory_find_doubts(struct emitter *emitter, const struct node *tree)
{
    struct walking walking = {
        .emitter = emitter,
        .declaration = ARENA_ARRAY(emitter->arena, emitter->program->n_array, struct declared),
    };

    walk(&walking, tree);
}
