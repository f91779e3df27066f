/* Pass "needless": what the threads of a device test although it changes nothing.
 *
 *     float sum_of = 0.0f;                           float sum_of = 0.0f;
 *     if (t < N)                                     for (i = 0; i < N - t; ..)
 *         for (i = 0; i < N - t; ..)    becomes          sum_of += ..
 *             sum_of += ..
 *     .. warp_sum(t < N ? sum_of : 0.0f)             .. warp_sum(sum_of)
 *
 * The loop has no iterations where the condition does not hold, and the variable still has the neutral element there.
 */
#include "lower/lower.h"
#include "tree/tree.h"
#include "tree/visit.h"

#include <string.h>

/* Does the condition say that the loop has iterations, and nothing else? */
static bool says_iterations(struct arena *arena, const struct condition *condition, const struct node *loop)
{
    const struct affine *rest;

    if (condition->equal || loop->kind != NODE_LOOP || loop->step < 1)
        return false;
    rest = affine_sub(arena, loop->upper, loop->lower);
    return rest && affine_equal(rest, condition->affine);
}

/* Does child k of node run only where the condition holds? */
static bool tests(struct arena *arena, const struct node *node, int k, const struct condition *condition)
{
    if (node->kind == NODE_IF && k == 0 && node->n_alternative == 1)
        return guard_has(&node->alternative[0], condition);
    return says_iterations(arena, condition, node);
}

static bool is_neutral(enum expr_op op, const struct tree_expr *value)
{
    if (value->kind == TREE_INT)
        return value->integer == op_neutral_integer(op, value->type);
    return value->kind == TREE_REAL && strcmp(value->spelling, op_neutral_spelling(op)) == 0;
}

/* A variable that a warp sums up. */
struct summed {
    struct arena *arena;
    const struct node *update; /* of the warp, where one condition holds */
    bool declared;             /* with the neutral element */
};

/* Is the variable the neutral element wherever the condition does not hold? under: node runs where it holds only. */
static bool stays_neutral(struct summed *summed, const struct node *node, bool under)
{
    const struct condition *condition = &summed->update->alternative[0].condition[0];
    const bool stores = node->kind == NODE_ASSIGN && node->target.array == summed->update->value->element.array;

    if (stores && node->declares != DECLARE_NOTHING) {
        if (summed->declared || !is_neutral(summed->update->op, node->value))
            return false;
        summed->declared = true;
    } else if (stores && !under) {
        return false;
    }
    for (int k = 0; k < node->n_child; k++)
        if (!stays_neutral(summed, node->child[k], under || tests(summed->arena, node, k, condition)))
            return false;
    return true;
}

struct needless {
    struct arena *arena;
    const struct node *kernel; /* around */
};

/* The update by a warp in which all threads take part, where that is the same. Where any of them may be the first to
 * take part the condition also says whether there is an update at all. */
static const struct node *with_all(const struct needless *needless, const struct node *update)
{
    const struct tree_expr *value = update->value;
    struct summed summed = {needless->arena, update, false};
    struct node *copy;

    if (update->warp_sum->scattered || update->n_alternative != 1 || update->alternative[0].n != 1 ||
        value->kind != TREE_LOAD || value->integer > 0 || value->element.array->n_dim > 0 ||
        !stays_neutral(&summed, needless->kernel, false) || !summed.declared)
        return update;
    copy = ARENA_NEW(needless->arena, struct node);
    *copy = *node_counted(needless->arena, update, &update->alternative[0]);
    copy->alternative = NULL;
    copy->n_alternative = 0;
    return copy;
}

static const struct node *walk(const struct needless *needless, const struct node *node)
{
    struct needless inside = *needless;
    const struct node **child = ARENA_ARRAY(needless->arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_KERNEL)
        inside.kernel = node;
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(&inside, node->child[k]);
    if (node->kind == NODE_ASSIGN && node->warp_sum && needless->kernel)
        return with_all(needless, node);
    if (node->kind == NODE_IF && node->n_child == 1 && node->n_alternative == 1 && node->alternative[0].n == 1 &&
        !node->comment && says_iterations(needless->arena, &node->alternative[0].condition[0], child[0]))
        return child[0];
    return node->n_child ? node_with_children(needless->arena, node, child) : node;
}

const struct node *lower_needless(struct lowering *lowering, const struct node *tree)
{
    const struct needless needless = {lowering->arena, NULL};

    return walk(&needless, tree);
}
