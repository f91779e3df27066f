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
    int open;                           /* the most around one of its assignments */
    bool spare;                         /* it has elements where one of them does not run, as far as compilers know */
    VEC(const struct node *) condition; /* right around its assignments, but for those of neighbours as one value */
};

struct walking {
    struct emitter *emitter;
    const struct node *node; /* the one whose value is looked at */
    struct around around;
    VEC(const struct node *) open; /* those that around.open counts */
    struct declared *declaration;  /* by array */
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
        all.spare = all.spare || doubt->spare;
        all.lanes = all.lanes || doubt->lanes;
    }
    return all;
}

/* Adds what is not known yet. */
static void add_doubt(struct emitter *emitter, const struct doubt *doubt)
{
    const struct doubt known = memory_doubt(emitter, doubt->node, doubt->array);

    if ((doubt->elements && !known.elements) || (doubt->rows && !known.rows) || (doubt->fixed && !known.fixed) ||
        (doubt->spare && !known.spare) || (doubt->lanes && !known.lanes))
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

/* Are some lanes of registers set, and what others have kept, which may be nothing yet? */
static bool keeps_other_lanes(const struct node *node)
{
    const struct vector *vector = node->vector;

    return vector && ((vector->count && !vector->loose) || vector->active);
}

/* The condition right around the place; NULL: there is none. */
static const struct node *condition_around(const struct walking *walking)
{
    for (int k = walking->open.n - 1; k >= 0; k--)
        if (walking->open.at[k]->kind == NODE_IF)
            return walking->open.at[k];
    return NULL;
}

/* Is the place under a condition, and outside of one under which the array is set? Compilers do not see that both are
 * the same. */
static bool is_under_another(const struct walking *walking, const struct declared *declaration)
{
    for (int c = 0; c < declaration->condition.n && condition_around(walking); c++) {
        bool open = false;

        for (int k = 0; k < walking->open.n && !open; k++)
            open = walking->open.at[k] == declaration->condition.at[c];
        if (!open)
            return true;
    }
    return false;
}

/* Does a function load lanes one by one, of a buffer as many as a number says? It tests each for being active, and
 * compilers take the others for read, too. */
static bool is_loaded_by_lanes(const struct walking *walking, const struct tree_expr *load)
{
    const struct vector *vector = walking->node->vector;
    const struct simd_type *simd;

    if (!vector || !vector->count || load->element.lane_step != 1)
        return false;
    if (load->element.array->is_buffer && !affine_is_constant(vector->count, NULL))
        return false;
    simd = simd_type_of(walking->emitter->simd, load->type, vector->lanes);
    return simd && !simd->row[VECTOR_LOAD_MASK];
}

/* `t[0]` under fewer conditions than the assignments to t, and single lanes. */
static void note_read(const struct tree_expr *expr, void *user)
{
    struct walking *walking = user;
    const int k = number_of(walking, expr->element.array);
    struct doubt doubt = {.array = expr->element.array};

    if (k < 0 || expr->kind != TREE_LOAD)
        return;
    doubt.fixed = is_fixed(&expr->element) && (walking->around.open < walking->declaration[k].open ||
                                               is_under_another(walking, &walking->declaration[k]));
    doubt.lanes = is_loaded_by_lanes(walking, expr);
    doubt.node = walking->declaration[k].node;
    doubt.spare = doubt.fixed && walking->declaration[k].spare;
    add_doubt(walking->emitter, &doubt);
}

/* Has the array no elements where the loop has no iterations? */
static bool is_empty_without(struct emitter *emitter, const struct array *array, const struct node *loop)
{
    struct arena *arena = emitter->arena;
    const bool up = loop->kind == NODE_LOOP && loop->step > 0;
    const struct affine *last = up ? affine_sub(arena, loop->upper, loop->lower) : NULL;
    bool empty = false;
    int64_t more;

    for (int d = 0; d < array->n_dim && last && !empty; d++) {
        const struct affine *extent = param_affine(emitter, array->shape[d]);
        empty = extent && affine_is_constant(affine_sub(arena, extent, last), &more) && more <= 1;
    }
    return empty;
}

/* Has a temporary elements where something open around the place does not run? */
static bool has_spare(const struct walking *walking, const struct array *array)
{
    for (int k = 0; k < walking->open.n && array->role == ROLE_TEMP; k++)
        if (!is_empty_without(walking->emitter, array, walking->open.at[k]))
            return true;
    return false;
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
    declaration->spare = declaration->spare || has_spare(walking, node->target.array);
    if (condition_around(walking) && node->neighbours <= 1)
        VEC_PUSH(walking->emitter->arena, &declaration->condition, condition_around(walking));
    doubt.node = declaration->node;
    doubt.elements = walking->around.all > declaration->around.all || node->guard_value;
    doubt.rows = node->target.array->in_registers &&
                 (walking->around.alone > declaration->around.alone || keeps_other_lanes(node));
    add_doubt(walking->emitter, &doubt);
}

static void note_declaration(struct walking *walking, const struct node *node, int k)
{
    if (k >= 0)
        walking->declaration[k] = (struct declared){.node = node, .around = walking->around};
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
    const bool open =
        node->kind == NODE_IF || (node->kind == NODE_LOOP && !has_literal_count(walking->emitter->arena, node));
    const struct around before = walking->around;

    walking->node = node;
    tree_expr_for_each(node->value, note_read, walking);
    tree_expr_for_each(node->guard_value, note_read, walking);
    if (node->kind == NODE_ASSIGN)
        note_assignment(walking, node);
    walking->around.all += node->kind == NODE_IF || (node->kind == NODE_LOOP && !unrolled);
    walking->around.alone += is_alone(node);
    walking->around.open += open;
    if (open)
        VEC_PUSH(walking->emitter->arena, &walking->open, node);
    for (int k = 0; k < node->n_own; k++)
        note_declaration(walking, node, number_of(walking, node->own[k]));
    for (int k = 0; k < node->n_local; k++)
        note_declaration(walking, node, number_of(walking, node->local[k]));
    for (int k = 0; k < node->n_child; k++)
        walk(walking, node->child[k]);
    walking->around = before;
    walking->open.n -= open;
}

void memory_find_doubts(struct emitter *emitter, const struct node *tree)
{
    struct walking walking = {
        .emitter = emitter,
        .declaration = ARENA_ARRAY(emitter->arena, emitter->program->n_array, struct declared),
    };

    walk(&walking, tree);
}
