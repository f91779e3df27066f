/* Variables are declared where they live.
 *
 *     float t = 0.0f;                               for (int64_t i = 0; i < N; i++) {
 *     for (int64_t i = 0; i < N; i++) {                 const float t = x[i] * x[i];
 *         t = x[i] * x[i];              becomes         y[i] = t + 1.0f;
 *         y[i] = t + 1.0f;                          }
 *     }
 * A temporary whose values stay in one iteration of a loop (array->within) is declared inside of the innermost such
 * loop that has all its uses; where pieces of that loop stand side by side, in each of them. Loops in threads list
 * those of which each thread needs its own: larger ones are not declared in loops.
 */
#include "lower/body/declarations.h"
#include "lower/lower.h"
#include "program/program.h"
#include "sched/order.h"
#include "tree/visit.h"

struct scoping {
    struct arena *arena;
    const struct array *array;
};

/* Is it a loop, or several that are one, and no position of a launch? */
static bool is_loop(const struct node *node)
{
    return node->kind == NODE_LOOP || (node->kind == NODE_TUPLE && node->axis == AXIS_NONE);
}

/* Is every use below node inside of a loop that holds the array's values? */
static bool can_enter(const struct node *node, const struct array *array)
{
    switch (node->kind) {
    case NODE_LOOP:
    case NODE_TUPLE:
        return is_loop(node) && array_stays_in(node, array);
    case NODE_VALUE:
    case NODE_LET:
        return can_enter(node->child[0], array);
    case NODE_IF:
    case NODE_SWITCH:
    case NODE_CALL:
    case NODE_BLOCK:
    case NODE_KERNEL:
        for (int k = 0; k < node->n_child; k++)
            if (array_is_used(node->child[k], array) && !can_enter(node->child[k], array))
                return false;
        return true;
    default:
        return false;
    }
}

static const struct node *enter(const struct scoping *scoping, const struct node *node);

/* Does the node name a value, which reads no temporary, for its body? */
static bool is_name(const struct node *node)
{
    return node->kind == NODE_VALUE || node->kind == NODE_LET;
}

/* body with the first use as the declaration; NULL when that is no plain assignment in front of the others. */
static const struct node *declare_first(const struct scoping *scoping, const struct node *body)
{
    const struct array *array = scoping->array;
    const struct node *inner;
    int first = 0;

    if (body->kind != NODE_BLOCK && body->kind != NODE_IF && !is_name(body))
        return NULL;
    while (!array_is_used(body->child[first], array))
        first++;
    if (body->kind == NODE_BLOCK && declaration_fits(body->child[first], array))
        return node_with_child(scoping->arena, body, first,
                               declaration_of(scoping->arena, body->child[first], array_uses(body, array).writes == 1));
    for (int k = first + 1; k < body->n_child; k++)
        if (array_is_used(body->child[k], array))
            return NULL;
    inner = declare_first(scoping, body->child[first]);
    return inner ? node_with_child(scoping->arena, body, first, inner) : NULL;
}

static const struct array *const *with_array(const struct scoping *scoping, const struct array *const *list, int n)
{
    const struct array **longer = ARENA_ARRAY(scoping->arena, n + 1, const struct array *);

    for (int k = 0; k < n; k++)
        longer[k] = list[k];
    longer[n] = scoping->array;
    return longer;
}

/* The array at the start of a loop's body, or of a function. */
static const struct node *declare_at(const struct scoping *scoping, const struct node *node)
{
    const struct array_uses found = array_uses(node, scoping->array);
    const bool is_variable = scoping->array->n_dim == 0 && found.uses > found.writes;
    const struct node *body = is_variable ? declare_first(scoping, node->child[0]) : NULL;
    struct node *copy;

    if (body)
        return node_with_child(scoping->arena, node, 0, body);
    copy = ARENA_NEW(scoping->arena, struct node);
    *copy = *node;
    copy->local = with_array(scoping, node->local, node->n_local);
    copy->n_local++;
    return copy;
}

/* node, an iteration that holds the array's values: a call that is all there is of a branch has the array for itself.
 * *outside: are there other uses? */
static const struct node *declare_in_calls(const struct scoping *scoping, const struct node *node, bool *outside)
{
    const struct node **child;

    if (!array_is_used(node, scoping->array))
        return node;
    if (node->kind == NODE_CALL)
        return declare_at(scoping, node);
    if (node->kind != NODE_IF && node->kind != NODE_SWITCH && !is_name(node)) {
        *outside = true;
        return node;
    }
    child = ARENA_ARRAY(scoping->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = declare_in_calls(scoping, node->child[k], outside);
    return node_with_children(scoping->arena, node, child);
}

static const struct node *declare_in(const struct scoping *scoping, const struct node *loop)
{
    bool outside = false;

    loop = node_with_child(scoping->arena, loop, 0, declare_in_calls(scoping, loop->child[0], &outside));
    return outside ? declare_at(scoping, loop) : loop;
}

static bool launches(const struct node *node)
{
    bool found = node->kind == NODE_KERNEL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = launches(node->child[k]);
    return found;
}

/* What kernels use in each iteration of a loop of the host is theirs, not the loop's. */
static const struct node *enter(const struct scoping *scoping, const struct node *node)
{
    const struct node **child;

    if (!array_is_used(node, scoping->array))
        return node;
    if (is_loop(node) && !can_enter(node->child[0], scoping->array))
        return launches(node) ? node : declare_in(scoping, node);
    child = ARENA_ARRAY(scoping->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = enter(scoping, node->child[k]);
    return node_with_children(scoping->arena, node, child);
}

/* Is it used in a loop in threads that holds its values? */
static bool owned(const struct node *node, const struct array *array)
{
    if (!array_is_used(node, array))
        return false;
    if (node_is_parallel(node) && array_stays_in(node, array))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (owned(node->child[k], array))
            return true;
    return false;
}

/* Is a loop that `enter` would declare the array in around one in threads, all of which would share it? */
static bool enters_around_threads(const struct node *node, const struct array *array)
{
    if (!array_is_used(node, array) || (node_is_parallel(node) && array_stays_in(node, array)))
        return false;
    if (is_loop(node) && !can_enter(node->child[0], array))
        return owned(node->child[0], array);
    for (int k = 0; k < node->n_child; k++)
        if (enters_around_threads(node->child[k], array))
            return true;
    return false;
}

static const struct node *with_own(const struct scoping *scoping, const struct node *node)
{
    struct node *copy = ARENA_NEW(scoping->arena, struct node);

    *copy = *node;
    copy->own = with_array(scoping, node->own, node->n_own);
    copy->n_own++;
    return copy;
}

/* The n nodes as a block with its own array, under the comment of the first. */
static const struct node *own_block(const struct scoping *scoping, const struct node *const *child, int n)
{
    const struct node **list = ARENA_ARRAY(scoping->arena, n, const struct node *);
    struct node *block = ARENA_NEW(scoping->arena, struct node);

    if (n == 1 && child[0]->kind == NODE_BLOCK && child[0]->n_own > 0)
        return with_own(scoping, child[0]);
    for (int k = 0; k < n; k++)
        list[k] = k == 0 ? node_with_comment(scoping->arena, child[0], NULL) : child[k];
    *block = (struct node){.kind = NODE_BLOCK, .child = list, .n_child = n, .comment = child[0]->comment};
    return with_own(scoping, block);
}

static const struct node *own(const struct scoping *scoping, const struct node *node);

/* Children from k on up to the last that uses the array before one that has loops in threads for it. */
static int run_length(const struct scoping *scoping, const struct node *block, int k)
{
    int last = k;

    for (int next = k; next < block->n_child && !owned(block->child[next], scoping->array); next++)
        last = array_is_used(block->child[next], scoping->array) ? next : last;
    return last - k + 1;
}

static const struct node *own_in_block(const struct scoping *scoping, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(scoping->arena, block->n_child, const struct node *);
    int n = 0;

    for (int k = 0, length; k < block->n_child; k += length) {
        const bool inside = !array_is_used(block->child[k], scoping->array) || owned(block->child[k], scoping->array);
        length = inside || block->child[k]->continues ? 1 : run_length(scoping, block, k);
        if (inside)
            child[n++] = own(scoping, block->child[k]);
        else if (block->child[k]->continues)
            child[n++] =
                node_with_child(scoping->arena, block->child[k], 0, own_block(scoping, block->child[k]->child, 1));
        else
            child[n++] = own_block(scoping, &block->child[k], length);
    }
    struct node *copy = ARENA_NEW(scoping->arena, struct node);
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return copy;
}

/* loop in threads with its own array: of loops that are one, the innermost knows of it. */
static const struct node *with_own_of_threads(const struct scoping *scoping, const struct node *loop, int collapse)
{
    if (collapse <= 1)
        return with_own(scoping, loop);
    return node_with_child(scoping->arena, loop, 0, with_own_of_threads(scoping, loop->child[0], collapse - 1));
}

/* The outermost loops in threads that hold the array's values know of it; what uses it beside them, the only iteration
 * of such a loop, is a block of its own. */
static const struct node *own(const struct scoping *scoping, const struct node *node)
{
    const struct node **child;

    if (!array_is_used(node, scoping->array))
        return node;
    if (node_is_parallel(node) && array_stays_in(node, scoping->array))
        return with_own_of_threads(scoping, node, node->threads->collapse);
    if (!owned(node, scoping->array))
        return own_block(scoping, &node, 1);
    if (node->kind == NODE_BLOCK)
        return own_in_block(scoping, node);
    child = ARENA_ARRAY(scoping->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = own(scoping, node->child[k]);
    return node_with_children(scoping->arena, node, child);
}

/* A variable of the function, which is declared where it gets its first value if that is no part of a loop. */
static const struct node *declare_in_function(const struct scoping *scoping, const struct node *tree)
{
    const struct array_uses found = array_uses(tree, scoping->array);
    const bool is_variable =
        scoping->array->role == ROLE_TEMP && scoping->array->n_dim == 0 && found.uses > found.writes;
    const struct node *declared = is_variable && !launches(tree) ? declare_first(scoping, tree) : NULL;

    return declared ? declared : tree;
}

const struct node *lower_scopes(struct lowering *lowering, const struct node *tree)
{
    const struct program *program = lowering->program;

    for (int k = 0; k < program->n_array; k++) {
        const struct scoping scoping = {lowering->arena, &program->array[k]};
        if (scoping.array->memory == MEMORY_SHARED || scoping.array->memory == MEMORY_GLOBAL)
            continue;
        const struct array_uses found = array_uses(tree, scoping.array);
        const bool threads = scoping.array->n_within > 0 && owned(tree, scoping.array);
        if (scoping.array->n_within > 0 && (found.uses > found.writes || threads) && can_enter(tree, scoping.array) &&
            !enters_around_threads(tree, scoping.array))
            tree = enter(&scoping, tree);
        if (threads)
            tree = own(&scoping, tree);
        if (scoping.array->n_within == 0)
            tree = declare_in_function(&scoping, tree);
    }
    return tree;
}
