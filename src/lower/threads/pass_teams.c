/* Pass "teams": what the threads of a region run is a function.
 *
 *     #pragma omp parallel for                      static void f_threads(int64_t N, float *y)
 *     for (int64_t i = 0; i < N; i++)               {
 *         y[i] *= 2;                      becomes       #pragma omp for nowait
 *                                                       for (int64_t i = 0; i < N; i++)
 *                                                           y[i] *= 2;
 *                                                   }
 *
 *                                                   #pragma omp parallel
 *                                                   f_threads(N, y);
 *
 * This is for functions that are compiled for more instructions than the file is: what clang 14 makes of a region has
 * none of the attributes of the function around it.
 */
#include "lower/lower.h"

#include "program/program.h"
#include "tree/visit.h"

static const struct node *called(struct arena *arena, const struct node *body)
{
    static const struct routine threads = {.name = "threads", .comment = "what each thread runs"};

    return node_call(arena, &threads, body);
}

/* A region for a loop that starts threads: they wait where the region ends. */
static const struct node *region_of(struct arena *arena, const struct node *loop)
{
    struct node *inner = node_shared_loop(arena, loop);

    inner->nowait = true;
    return node_region(arena, loop, called(arena, inner));
}

static const struct node *walk(struct arena *arena, const struct node *node)
{
    const struct node **child;

    if (node_is_parallel(node))
        return node->threads->shared ? node : region_of(arena, node);
    if (!node->n_child)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = node->kind == NODE_REGION ? called(arena, node->child[k]) : walk(arena, node->child[k]);
    return node_with_children(arena, node, child);
}

const struct node *lower_teams(struct lowering *lowering, const struct node *tree)
{
    const struct program *program = lowering->program;

    return program->target.openmp && program->when_supported ? walk(lowering->arena, tree) : tree;
}
