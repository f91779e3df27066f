/* Loops of a few iterations in each of which something else is done.
 *
 *     for (i_1 = i; i_1 <= i + 1; i_1++) {
 *         if (i_1 == i)                            first(i);
 *             first(i_1);              becomes     second(i + 1);
 *         if (i_1 == i + 1)
 *             second(i_1);
 *     }
 */
#include "lower/tiles/spread.h"

#include "lower/tiles/refine.h"
#include "program/program.h"
#include "sched/order.h"
#include "tree/visit.h"

/* Iterations of a loop that is spread. */
enum { MOST_ITERATIONS = 4 };

/* Is all that the node does done under conditions on the variable? */
static bool is_conditional(const struct node *node, const struct var *var)
{
    bool all = node->n_child > 0;

    if (node->kind == NODE_IF) {
        for (int a = 0; a < node->n_alternative; a++)
            for (int k = 0; k < node->alternative[a].n; k++)
                if (affine_uses(node->alternative[a].condition[k].affine, var))
                    return true;
        return false;
    }
    if (node->kind != NODE_BLOCK)
        return false;
    for (int k = 0; k < node->n_child && all; k++)
        all = is_conditional(node->child[k], var);
    return all;
}

/* Has each iteration an array for itself? */
static bool has_arrays(const struct program *program, const struct node *loop)
{
    for (int k = 0; k < program->n_array; k++)
        if (array_is_within(&program->array[k], loop->info->id))
            return true;
    return false;
}

/* How many iterations the loop has, if these are a few that can stand one after the other; else 0. */
static int iterations_of(struct arena *arena, const struct node *loop)
{
    const struct affine *left = affine_sub(arena, loop->upper, loop->lower);
    int64_t distance;

    if (!loop->info || loop->info->plan || loop->rest || loop->piece || loop->comment || !left ||
        !affine_is_constant(left, &distance))
        return 0;
    distance /= loop->step;
    return distance >= 1 && distance < MOST_ITERATIONS ? (int)distance + 1 : 0;
}

const struct node *spread_loop(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const int n = iterations_of(arena, loop);
    const struct node *child[MOST_ITERATIONS], *body;
    int statements = 0;

    if (n == 0 || has_arrays(facts->lowering->program, loop) || !is_conditional(loop->child[0], loop->var))
        return loop;
    for (int k = 0; k < n; k++) {
        const struct affine *value = affine_add_constant(arena, loop->lower, k * loop->step);
        body = value ? node_substitute(arena, loop->child[0], loop->var, value) : NULL;
        child[k] = body ? refine_inside(facts, body) : NULL;
        if (!child[k])
            return NULL;
        statements += node_count_statements(child[k]);
    }
    return statements <= node_count_statements(loop) ? node_block(arena, child, n) : loop;
}
