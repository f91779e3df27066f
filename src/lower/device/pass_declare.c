/* Pass "declare": the variables of a thread are declared where they get their first value, once pass "grid" has put the
 * conditions of threads where they stay.
 *
 *     float s = 0.0f;
 *     if (i < N) {                              float s = -INFINITY;
 *         s = -INFINITY;           becomes      if (i < N)
 *         for (..) s = max(s, ..);                  for (..) s = max(s, ..);
 *     }                                         warps_max(i < N ? s : ..);
 *     warps_max(i < N ? s : ..);
 */
#include "lower/body/declarations.h"
#include "lower/lower.h"
#include "program/program.h"
#include "sched/order.h"
#include "tree/visit.h"

struct declaring {
    struct arena *arena;
    const struct array *array;
};

static const struct array **less(struct arena *arena, const struct node *node, const struct array *array, int *n)
{
    const struct array **list = ARENA_ARRAY(arena, node->n_local + 1, const struct array *);

    *n = 0;
    for (int k = 0; k < node->n_local; k++)
        if (node->local[k] != array)
            list[(*n)++] = node->local[k];
    return list;
}

/* node without declarations of the array. */
static const struct node *undeclared(const struct declaring *declaring, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(declaring->arena, node->n_child + 1, const struct node *);
    struct node *copy;

    for (int k = 0; k < node->n_child; k++)
        child[k] = undeclared(declaring, node->child[k]);
    node = node_with_children(declaring->arena, node, child);
    copy = ARENA_NEW(declaring->arena, struct node);
    *copy = *node;
    copy->local = less(declaring->arena, node, declaring->array, &copy->n_local);
    if (node->kind == NODE_ASSIGN && node->target.array == declaring->array)
        copy->declares = DECLARE_NOTHING;
    return copy;
}

/* Can the assignment be the declaration? */
static bool starts(const struct node *node, const struct array *array)
{
    return declaration_fits(node, array) && !node->warp_sum && !node->tensor && !node->asynchronous;
}

/* The first child that uses the array. */
static int first_use(const struct declaring *declaring, const struct node *node)
{
    int k = 0;

    while (!array_is_used(node->child[k], declaring->array))
        k++;
    return k;
}

/* Is it an assignment of a number that the array may as well have before? */
static bool is_number(const struct declaring *declaring, const struct node *node)
{
    return starts(node, declaring->array) && (node->value->kind == TREE_INT || node->value->kind == TREE_REAL);
}

/* The first use below conditions, when it is such a number; else NULL. */
static const struct node *first_value(const struct declaring *declaring, const struct node *node)
{
    if (node->kind == NODE_BLOCK || (node->kind == NODE_IF && node->n_child == 1))
        return first_value(declaring, node->child[first_use(declaring, node)]);
    return is_number(declaring, node) ? node : NULL;
}

/* The value in front of an alternative around it: where none holds, it is no instance's. */
static const struct node *in_front_of(struct arena *arena, const struct guard *alternative, int n,
                                      const struct node *value)
{
    return n == 1 ? node_counted(arena, value, alternative) : node_untold(arena, value);
}

/* That first value, which is in node, in front of it. */
static const struct node *moved_value(const struct declaring *declaring, const struct node *node)
{
    const struct node *value;

    if (node->kind != NODE_BLOCK && node->kind != NODE_IF)
        return node;
    value = moved_value(declaring, node->child[first_use(declaring, node)]);
    if (node->kind == NODE_BLOCK)
        return value;
    return in_front_of(declaring->arena, node->alternative, node->n_alternative, value);
}

/* node, which is more than that, less the assignment. */
static const struct node *without(const struct declaring *declaring, const struct node *node, const struct node *assign)
{
    const struct node **child = ARENA_ARRAY(declaring->arena, node->n_child + 1, const struct node *);
    int n = 0;

    for (int k = 0; k < node->n_child; k++)
        if (node->child[k] != assign)
            child[n++] = without(declaring, node->child[k], assign);
    if (node->kind == NODE_BLOCK && n < node->n_child)
        return node_with_comment(declaring->arena, node_block(declaring->arena, child, n), node->comment);
    return node_with_children(declaring->arena, node, child);
}

/* Alternatives of which one holds when the node's condition does not; NULL: there are none. */
static const struct guard *opposites(struct arena *arena, const struct node *node)
{
    const struct guard *guard = node->alternative;

    if (node->n_alternative != 1)
        return NULL;
    for (int k = 0; k < guard->n; k++)
        if (guard->condition[k].equal)
            return NULL;
    return guard_opposites(arena, guard);
}

/* The IF node less a branch that is a number that the array may as well have before, *value in front of it; NULL: it
 * has none. */
static const struct node *less_branch(const struct declaring *declaring, const struct node *node,
                                      const struct node **value)
{
    struct arena *arena = declaring->arena;
    const struct guard *otherwise;

    if (node->kind != NODE_IF || node->n_child != 2)
        return NULL;
    otherwise = opposites(arena, node);
    if (is_number(declaring, node->child[1])) {
        *value = in_front_of(arena, otherwise, otherwise ? node->alternative->n : 0, node->child[1]);
        return node_if(arena, node->alternative, node->n_alternative, node->child[0]);
    }
    if (!otherwise || !is_number(declaring, node->child[0]))
        return NULL;
    *value = in_front_of(arena, node->alternative, node->n_alternative, node->child[0]);
    return node_if(arena, otherwise, node->alternative->n, node->child[1]);
}

/* A block in several of whose children the array is used. */
static const struct node *declare_in_block(const struct declaring *declaring, const struct node *block)
{
    struct arena *arena = declaring->arena;
    const struct array *array = declaring->array;
    const int first = first_use(declaring, block);
    const struct node **child = ARENA_ARRAY(arena, block->n_child + 1, const struct node *);
    const struct node *value = first_value(declaring, block->child[first]), *rest = NULL;
    const int writes = array_uses(block, array).writes;
    int n = 0;

    if (starts(block->child[first], array))
        return node_with_child(arena, block, first, declaration_of(arena, block->child[first], writes == 1));
    if (value && array_uses(block->child[first], array).uses > 1)
        rest = without(declaring, block->child[first], value);
    if (rest)
        value = moved_value(declaring, block->child[first]);
    else
        rest = less_branch(declaring, block->child[first], &value);
    if (!rest)
        return NULL;
    for (int k = 0; k < block->n_child; k++) {
        if (k == first)
            child[n++] = declaration_of(arena, node_with_comment(arena, value, NULL), writes == 1);
        child[n++] = k == first ? rest : block->child[k];
    }
    return node_with_comment(arena, node_block(arena, child, n), block->comment);
}

/* node, with the declaration in front of all uses; NULL: there is no place for it. */
static const struct node *declare(const struct declaring *declaring, const struct node *node)
{
    const struct node *inner;
    int using = 0, first;

    if (node->n_child == 0 || (node->kind == NODE_LOOP && !array_stays_in(node, declaring->array)))
        return NULL;
    for (int k = 0; k < node->n_child; k++)
        using += array_is_used(node->child[k], declaring->array);
    if (using > 1)
        return node->kind == NODE_BLOCK ? declare_in_block(declaring, node) : NULL;
    first = first_use(declaring, node);
    inner = declare(declaring, node->child[first]);
    return inner ? node_with_child(declaring->arena, node, first, inner) : NULL;
}

/* Is one of its assignments the declaration? Not all uses may be where that is seen. */
static bool is_declared(const struct node *node, const struct array *array)
{
    bool declared = node->kind == NODE_ASSIGN && node->target.array == array && node->declares;

    for (int k = 0; k < node->n_child && !declared; k++)
        declared = is_declared(node->child[k], array);
    return declared;
}

/* What nothing reads is declared where that can be told. */
static bool is_read(const struct declaring *declaring, const struct node *kernel)
{
    const struct array_uses found = array_uses(kernel, declaring->array);

    return found.uses > found.writes;
}

static const struct node *walk(const struct declaring *declaring, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(declaring->arena, node->n_child + 1, const struct node *), *declared;

    if (!array_is_used(node, declaring->array) || (node->kind == NODE_KERNEL && !is_read(declaring, node)))
        return node;
    if (node->kind == NODE_KERNEL) {
        declared = declare(declaring, undeclared(declaring, node));
        if (declared)
            return declared;
        return is_declared(node, declaring->array) ? undeclared(declaring, node) : node;
    }
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(declaring, node->child[k]);
    return node_with_children(declaring->arena, node, child);
}

const struct node *lower_declarations(struct arena *arena, const struct program *program, const struct node *tree)
{
    for (int k = 0; k < program->n_array && tree; k++) {
        const struct declaring declaring = {arena, &program->array[k]};
        if (declaring.array->memory == MEMORY_LOCAL && declaring.array->n_dim == 0 && !declaring.array->fragment)
            tree = walk(&declaring, tree);
    }
    return tree;
}
