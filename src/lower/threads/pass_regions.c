/* Pass "regions": parallel loops that follow each other, or that a loop repeats, share one parallel region.
 *
 *     for (int64_t t = 0; t < T; t++) {             #pragma omp parallel
 *         #pragma omp parallel for                  for (int64_t t = 0; t < T; t++) {
 *         for (int64_t i = 1; i < N - 1; i++)           #pragma omp for
 *             B[i] = A[i - 1] + A[i + 1];     becomes   for (int64_t i = 1; i < N - 1; i++)
 *         A[0] = B[1];                                      B[i] = A[i - 1] + A[i + 1];
 *     }                                                 #pragma omp single
 *                                                       A[0] = B[1];
 *                                                   }
 * All threads go through the loops and conditions around; as these depend on parameters and on each other only, they
 * all come to the same places in the same order. What is not a parallel loop is done by one of them. They wait behind
 * each of these parts, except where waits.h knows that nothing depends on it. Arrays that an iteration of a loop
 * around has for itself are declared in front of the region: all threads share them.
 */
#include "base/vec.h"
#include "lower/facts/descend.h"
#include "lower/instr/tile_registers.h"
#include "lower/threads/waits.h"
#include "program/program.h"
#include "tree/visit.h"

/* A region that is being tried. */
struct team {
    const struct threads *threads; /* those of its first loop; NULL before that */
};

static bool has_parallel(const struct node *node)
{
    bool has = node_is_parallel(node);

    for (int k = 0; k < node->n_child && !has; k++)
        has = has_parallel(node->child[k]);
    return has;
}

/* Does node assign a variable of the function, which one thread would do by way of its address? */
static bool assigns_variable(const struct node *node)
{
    bool assigns = node->kind == NODE_ASSIGN && !node->declares && node->target.array->n_dim == 0 &&
                   node->target.array->role == ROLE_TEMP;

    for (int k = 0; k < node->n_child && !assigns; k++)
        assigns = assigns_variable(node->child[k]);
    return assigns;
}

/* May one thread run node alone? What it declares must end with it; tiles are in registers of each thread. */
static bool may_be_single(const struct node *node)
{
    if (node->declares != DECLARE_NOTHING || assigns_variable(node) || tile_shape_of(node).n > 0)
        return false;
    for (int k = 0; node->kind == NODE_BLOCK && k < node->n_child; k++)
        if (!may_be_single(node->child[k]))
            return false;
    return true;
}

/* Can what each iteration of a loop has for itself be declared in front of a region? */
static bool may_share(const struct node *loop)
{
    for (int k = 0; k < loop->n_local; k++)
        if (loop->local[k]->n_dim == 0 || loop->local[k]->in_registers || loop->local[k]->init_zero)
            return false;
    return true;
}

static bool joins(struct team *team, const struct threads *threads)
{
    if (!team->threads)
        team->threads = threads;
    return !threads->alone && threads_are_alike(team->threads, threads);
}

/* How many children from k on share a variable, and with it a place. */
static int unit_length(const struct node *block, int k)
{
    return k + 1 < block->n_child && block->child[k + 1]->continues ? 2 : 1;
}

static bool may_run(struct team *team, const struct node *node);

/* Children k.. of a block that are one unit: either all have parallel loops or none. */
static bool unit_may_run(struct team *team, const struct node *block, int k)
{
    const int n = unit_length(block, k);

    for (int m = k; m < k + n; m++)
        if (!may_run(team, block->child[m]) || has_parallel(block->child[m]) != has_parallel(block->child[k]))
            return false;
    return true;
}

static bool block_may_run(struct team *team, const struct node *block)
{
    if (block->n_own > 0)
        return false;
    for (int k = 0; k < block->n_child; k += unit_length(block, k))
        if (!unit_may_run(team, block, k))
            return false;
    return true;
}

/* May all threads of the team run node, its parallel loops together and the rest by one of them? */
static bool may_run(struct team *team, const struct node *node)
{
    if (node_is_parallel(node))
        return joins(team, node->threads);
    if (!has_parallel(node))
        return may_be_single(node);
    if (node->kind == NODE_BLOCK)
        return block_may_run(team, node);
    if (node->kind == NODE_LOOP ? !may_share(node)
                                : node->kind != NODE_IF && node->kind != NODE_SWITCH && node->kind != NODE_VALUE)
        return false;
    for (int k = 0; k < node->n_child; k++)
        if (!may_run(team, node->child[k]))
            return false;
    return true;
}

static const struct node *single(struct arena *arena, const struct node *const *part, int n)
{
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *node = ARENA_NEW(arena, struct node);

    child[0] = node_block(arena, part, n);
    *node = (struct node){.kind = NODE_SINGLE, .child = child, .n_child = 1, .comment = child[0]->comment};
    child[0] = node_with_comment(arena, child[0], NULL);
    return node;
}

static const struct node *shared(struct arena *arena, const struct node *node);

/* Neighbours without parallel loops are one part. */
static const struct node *shared_block(struct arena *arena, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *);
    struct node *copy = ARENA_NEW(arena, struct node);
    int n = 0;

    for (int k = 0, end; k < block->n_child; k = end) {
        for (end = k; end < block->n_child && !has_parallel(block->child[end]);)
            end++;
        child[n++] = end > k ? single(arena, &block->child[k], end - k) : shared(arena, block->child[k]);
        end += end == k;
    }
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return copy;
}

/* node as all threads of a region run it. */
static const struct node *shared(struct arena *arena, const struct node *node)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *node;
    if (node_is_parallel(node)) {
        struct threads *threads = ARENA_NEW(arena, struct threads);
        *threads = *node->threads;
        threads->shared = true;
        copy->threads = threads;
        return copy;
    }
    if (!has_parallel(node))
        return single(arena, &node, 1);
    if (node->kind == NODE_BLOCK)
        return shared_block(arena, node);
    const struct node **child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = shared(arena, node->child[k]);
    copy->child = child;
    copy->n_local = 0;
    return copy;
}

/* The arrays of the loops around parallel ones. */
struct locals {
    VEC(const struct array *) list;
};

static void take_locals(struct arena *arena, struct locals *locals, const struct node *node)
{
    if (node_is_parallel(node) || !has_parallel(node))
        return;
    for (int k = 0; k < node->n_local; k++) {
        bool known = false;
        for (int m = 0; m < locals->list.n; m++)
            known = known || locals->list.at[m] == node->local[k];
        if (!known)
            VEC_PUSH(arena, &locals->list, node->local[k]);
    }
    for (int k = 0; k < node->n_child; k++)
        take_locals(arena, locals, node->child[k]);
}

static const struct node *region(const struct facts *facts, const struct node *body, const struct threads *threads)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *node = ARENA_NEW(arena, struct node);
    struct locals locals = {0};

    take_locals(arena, &locals, body);
    child[0] = shared(arena, body);
    child[0] = waits_mark(facts, node_with_comment(arena, child[0], NULL));
    *node = (struct node){.kind = NODE_REGION, .child = child, .n_child = 1, .comment = body->comment};
    node->threads = threads;
    node->local = locals.list.at;
    node->n_local = locals.list.n;
    return node;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user);

/* Is one region better for the children first..last - 1 of a block: are there several with parallel loops? */
static bool is_worth(const struct node *block, int first, int last)
{
    int n = 0;

    for (int k = first; k < last; k++)
        n += has_parallel(block->child[k]);
    return n > 1;
}

/* Where the children end that, from k on, all threads of one team may run; nothing but parallel loops at its end. */
static int run_end(struct team *team, const struct node *block, int k)
{
    int end = k;

    for (int next = k; next < block->n_child && unit_may_run(team, block, next);) {
        const bool parallel = has_parallel(block->child[next]);
        next += unit_length(block, next);
        end = parallel ? next : end;
    }
    return end;
}

/* A loop that shares its variable with another stays what it is. */
static const struct node *walk_body(const struct facts *facts, const struct node *loop)
{
    return node_is_parallel(loop) ? loop : descend(facts, loop, walk, NULL);
}

static const struct node *walk_block(const struct facts *facts, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(facts->lowering->arena, block->n_child, const struct node *);
    struct node *copy = ARENA_NEW(facts->lowering->arena, struct node);
    int n = 0;

    for (int k = 0, end; k < block->n_child; k = end) {
        struct team team = {NULL};
        end = has_parallel(block->child[k]) ? run_end(&team, block, k) : k;
        if (is_worth(block, k, end)) {
            struct node part = {.kind = NODE_BLOCK, .child = &block->child[k], .n_child = end - k};
            child[n++] = region(facts, &part, team.threads);
            continue;
        }
        end = k + unit_length(block, k);
        for (int m = k; m < end; m++)
            child[n++] = end > k + 1 ? walk_body(facts, block->child[m]) : walk(facts, block->child[m], NULL);
    }
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return copy;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    struct team team = {NULL};

    if (node_is_parallel(node) || !has_parallel(node))
        return node;
    if (node->kind == NODE_LOOP && may_run(&team, node))
        return region(facts, node, team.threads);
    if (node->kind == NODE_BLOCK)
        return walk_block(facts, node);
    return descend(facts, node, walk, user);
}

const struct node *lower_regions(struct arena *arena, const struct program *program, struct vars *vars,
                                 const struct node *tree)
{
    struct lowering lowering = lower_again(arena, program, vars, NULL);
    struct facts facts;

    if (!program->target.openmp || !has_parallel(tree))
        return tree;
    facts = facts_of_program(&lowering);
    return walk(&facts, tree, NULL);
}
