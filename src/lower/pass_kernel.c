/* Pass "kernel": what runs on the device says so. A loop that is not bound but has blocks inside runs on the host, and
 * launches them in each iteration. The host has the values, too, that sizes of launches are made of; everything else at
 * the outermost level is one kernel. */
#include "lower/lower.h"

#include "caps/gpu.h"
#include "tree/visit.h"

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

/* `gemm_kernel`, or `gemm_NEST` where there are several. */
static const char *kernel_name(struct lowering *lowering, const struct node *body)
{
    const struct program *program = lowering->program;
    const char *nest = NULL;

    node_for_each(body, name_nest, &nest);
    nest = program->n_nest > 1 && nest ? nest : "kernel";
    return names_unique(&lowering->taken, arena_printf(lowering->arena, "%s_%s", program->name, nest));
}

static const struct node *kernel(struct lowering *lowering, const struct node *body)
{
    struct launch *launch = ARENA_NEW(lowering->arena, struct launch);

    launch->name = kernel_name(lowering, body);
    return node_kernel(lowering->arena, launch, body);
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

/* Does the host run this, and the device only what is inside? */
static bool is_hosts(const struct node *node)
{
    if (node->kind == NODE_VALUE && sizes_launch(node->child[0], node->var))
        return true;
    return has_blocks(node) && node->kind != NODE_ASSIGN && node->kind != NODE_STATEMENT && node->axis == AXIS_NONE;
}

static const struct node *walk(struct lowering *lowering, const struct node *node)
{
    const struct node **child;

    if (!is_hosts(node))
        return kernel(lowering, node);
    child = ARENA_ARRAY(lowering->arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(lowering, node->child[k]);
    return node_with_children(lowering->arena, node, child);
}

const struct node *lower_kernels(struct lowering *lowering, const struct node *tree)
{
    return gpu_by_language(lowering->program->target.language) ? walk(lowering, tree) : tree;
}
