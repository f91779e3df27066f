/* Pass "kernel": what runs on the device says so. A loop that is not bound but has blocks inside, in the order if not
 * in the tree, runs on the host, and launches them in each iteration. The host has the values, too, that sizes of
 * launches are made of; everything else at the outermost level is one kernel, and so are neighbours that isl made of
 * one kernel of the order, in one iteration of the loops around that: what one writes to the block's own memory the
 * next one reads. */
#include "lower/lower.h"

#include "caps/gpu.h"
#include "lower/device/launched.h"
#include "tree/visit.h"

#include <limits.h>

static void look(const struct node *node, void *user)
{
    *(bool *)user |= node->kind == NODE_LOOP && axis_is_block(node->axis);
}

static bool has_blocks(const struct node *node)
{
    bool found = false;

    node_for_each(node, look, &found);
    return found;
}

static void name_nest(const struct node *node, void *user)
{
    const char **name = user;

    if (node->kind == NODE_STATEMENT && !*name && node->statement->nest)
        *name = node->statement->nest->name;
}

static const struct node *kernel(struct lowering *lowering, const struct node *body)
{
    struct launch *launch = ARENA_NEW(lowering->arena, struct launch);

    node_for_each(body, name_nest, &launch->name);
    VEC_PUSH(lowering->arena, &lowering->launches, launch);
    return node_kernel(lowering->arena, launch, body);
}

/* `gemm_kernel`, or `gemm_NEST` where there are several. */
void lower_name_kernels(struct lowering *lowering)
{
    const struct program *program = lowering->program;
    const bool nests = lowering->launches.n > 1 && program->n_nest > 1;

    for (int k = 0; k < lowering->launches.n; k++) {
        struct launch *launch = lowering->launches.at[k];
        const char *suffix = nests && launch->name ? launch->name : "kernel";
        launch->name = names_unique(&lowering->taken, arena_printf(lowering->arena, "%s_%s", program->name, suffix));
    }
}

/* Does a bound loop in node end at var? The size of the launch is made of it. */
static bool sizes_launch(const struct node *node, const struct var *var)
{
    bool found = node->kind == NODE_LOOP && node->axis != AXIS_NONE &&
                 (affine_uses(node->lower, var) || affine_uses(node->upper, var));

    for (int k = 0; k < node->n_child && !found; k++)
        found = sizes_launch(node->child[k], var);
    return found;
}

struct origin {
    const struct kernels *kernels;
    int found; /* the kernel of the order that all statements so far are of; -1: several; INT_MAX: no statement yet */
};

static void look_origin(const struct node *node, void *user)
{
    struct origin *origin = user;

    if (node->kind != NODE_STATEMENT)
        return;
    for (int k = 0; k < origin->kernels->n; k++)
        if (order_has(origin->kernels->list[k], node->statement))
            origin->found = origin->found == INT_MAX || origin->found == k ? k : -1;
}

/* The only kernel of the order that has node's statements; -1: there are several. */
static int origin(const struct lowering *lowering, const struct node *node)
{
    struct origin origin = {&lowering->kernels, INT_MAX};

    node_for_each(node, look_origin, &origin);
    return origin.found;
}

/* Are there several kernels in node, or a loop around the kernel that the order has there? Loops over blocks may be
 * gone where they have one iteration. */
static bool is_around_kernels(const struct lowering *lowering, const struct node *node)
{
    const int kernel = origin(lowering, node);

    if (kernel == INT_MAX || kernel == -1)
        return kernel == -1;
    if (node->kind == NODE_LOOP && node->info && !order_find(lowering->kernels.list[kernel], node->info->id))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (is_around_kernels(lowering, node->child[k]))
            return true;
    return false;
}

/* Is node all of one kernel, in one iteration of the loops around that? */
static bool is_one_launch(const struct facts *facts, const struct node *node)
{
    const struct lowering *lowering = facts->lowering;
    const int kernel = origin(lowering, node);

    return kernel >= 0 &&
           (kernel == INT_MAX || launched_once(facts, lowering->part, lowering->kernels.list[kernel], node));
}

/* Does the host run this, and the device only what is inside? */
static bool is_hosts(const struct facts *facts, const struct node *node)
{
    if (node->kind == NODE_VALUE && sizes_launch(node->child[0], node->var))
        return true;
    if (node->n_child == 0 || node->axis != AXIS_NONE)
        return false;
    return has_blocks(node) || is_around_kernels(facts->lowering, node) || !is_one_launch(facts, node);
}

/* Has the order nothing of it outside of its kernels? There may be conditions around its loops over blocks. */
static bool is_in_kernel(const struct facts *facts, const struct node *node)
{
    const bool known = node->kind != NODE_VALUE && origin(facts->lowering, node) != INT_MAX;

    return known ? !is_around_kernels(facts->lowering, node) : !is_hosts(facts, node);
}

/* What is inside of the values that sizes of launches are made of; facts, unless NULL, get to know them. */
static const struct node *without_sizes(const struct node *node, struct facts *facts)
{
    while (node->kind == NODE_VALUE && sizes_launch(node->child[0], node->var)) {
        if (facts)
            facts_enter(facts, node, 0);
        node = node->child[0];
    }
    return node;
}

/* kernel inside of the values that node has around without_sizes(). */
static const struct node *with_sizes(struct arena *arena, const struct node *node, const struct node *kernel)
{
    if (without_sizes(node, NULL) == node)
        return kernel;
    return node_with_body(arena, node, with_sizes(arena, node->child[0], kernel));
}

static bool goes_with(const struct facts *facts, const struct node *first, const struct node *next)
{
    struct facts inside = *facts;
    const struct node *const both[] = {without_sizes(first, &inside), without_sizes(next, &inside)};

    return is_in_kernel(&inside, both[0]) && is_in_kernel(&inside, both[1]) &&
           is_one_launch(&inside, node_block(facts->lowering->arena, both, 2));
}

/* One kernel of n neighbours; the host has the values of which its size is made. */
static const struct node *one_kernel(struct lowering *lowering, const struct node *const *node, int n)
{
    const struct node **bare = ARENA_ARRAY(lowering->arena, n, const struct node *);
    const struct node *all;

    for (int k = 0; k < n; k++)
        bare[k] = without_sizes(node[k], NULL);
    all = kernel(lowering, node_block(lowering->arena, bare, n));
    for (int k = n - 1; k >= 0; k--)
        all = with_sizes(lowering->arena, node[k], all);
    return all;
}

/* A condition around a block of several kernels is read as two: one around the first children, one around the last. */
static const struct node *part_of_if(struct arena *arena, const struct node *node, int first, int n)
{
    return node_with_body(arena, node, node_block(arena, node->child[0]->child + first, n));
}

/* The number of children of the block in node, from its end or from its start, that are one kernel with its neighbour;
 * 0 where all of them are, as no cut is needed then. */
static int shared_with(const struct facts *facts, const struct node *node, const struct node *neighbour, bool from_end)
{
    const int all =
        node->kind == NODE_IF && node->n_child == 1 && node->child[0]->kind == NODE_BLOCK ? node->child[0]->n_child : 0;
    int n = 0;

    if (all == 0 || is_one_launch(facts, node))
        return 0;
    while (n < all &&
           goes_with(facts, part_of_if(facts->lowering->arena, node, from_end ? all - 1 - n : n, 1), neighbour))
        n++;
    return n < all ? n : 0;
}

/* block, where isl has put one condition around the end of a kernel and around what comes before it, or around its
 * start and what follows: the kernel's parts are neighbours again, each under the condition.
 *
 *     if (C) { A; B1 }  B2    is    if (C) A  if (C) B1  B2 */
static const struct node *cut_conditions(const struct facts *facts, const struct node *block)
{
    struct arena *arena = facts->lowering->arena;
    VEC(const struct node *) all = {0};

    for (int k = 0; k < block->n_child; k++) {
        const struct node *node = block->child[k];
        int n = k > 0 ? shared_with(facts, node, block->child[k - 1], false) : 0;
        if (n > 0) {
            VEC_PUSH(arena, &all, part_of_if(arena, node, 0, n));
            node = part_of_if(arena, node, n, node->child[0]->n_child - n);
        }
        n = k + 1 < block->n_child ? shared_with(facts, node, block->child[k + 1], true) : 0;
        if (n > 0)
            VEC_PUSH(arena, &all, part_of_if(arena, node, 0, node->child[0]->n_child - n));
        VEC_PUSH(arena, &all, n > 0 ? part_of_if(arena, node, node->child[0]->n_child - n, n) : node);
    }
    return all.n > block->n_child ? node_block_like(arena, block, all.at, all.n) : block;
}

static const struct node *walk(const struct facts *facts, const struct node *node);

/* A block of the host's, its children less where neighbours are one kernel. */
static const struct node *walk_block(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node *block = cut_conditions(facts, node);
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *);

    *copy = *block;
    copy->child = child;
    copy->n_child = 0;
    for (int k = 0, end; k < block->n_child; k = end) {
        for (end = k + 1; end < block->n_child && goes_with(facts, block->child[k], block->child[end]); end++)
            ;
        child[copy->n_child++] =
            end - k == 1 ? walk(facts, block->child[k]) : one_kernel(facts->lowering, block->child + k, end - k);
    }
    return copy;
}

static const struct node *walk(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child;

    if (!is_hosts(facts, node))
        return kernel(facts->lowering, node);
    if (node->kind == NODE_BLOCK)
        return walk_block(facts, node);
    child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = walk(&inside, node->child[k]);
    }
    return node_with_children(arena, node, child);
}

const struct node *lower_kernels(struct lowering *lowering, const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);

    return gpu_by_language(lowering->program->target.language) ? walk(&facts, tree) : tree;
}
