/* Pass "shadow": a loop inside another of the same name, or of a name of the program, gets a name of its own. (Loops of
 * different nests may share a name, and fuse can put one inside the other; a buffer may be called as a loop is.)
 */
#include "lower/lower.h"

#include "base/names.h"
#include "tree/visit.h"

struct shadowing {
    struct lowering *lowering;
    struct names used;   /* anywhere in the program and the tree, and those given to loops around */
    struct names around; /* of the variables known at this place */
};

static const struct node *walk(struct shadowing *shadowing, const struct node *node);

static const struct node *walk_children(struct shadowing *shadowing, const struct node *node)
{
    struct arena *arena = shadowing->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        child[k] = walk(shadowing, node->child[k]);
        if (!child[k])
            return NULL;
    }
    return node->n_child ? node_with_children(arena, node, child) : node;
}

/* node with a variable of another name. */
static const struct node *renamed(struct shadowing *shadowing, const struct node *node)
{
    struct lowering *lowering = shadowing->lowering;
    const char *name = names_unique(&shadowing->used, node->var->name);
    const struct var *var = lower_new_var(lowering, node->var->kind, name);
    const struct node *body =
        node_substitute(lowering->arena, node->child[0], node->var, affine_var(lowering->arena, var));
    struct node *copy = ARENA_NEW(lowering->arena, struct node);
    const struct node **child = ARENA_ARRAY(lowering->arena, 1, const struct node *);

    child[0] = body;
    *copy = *node;
    copy->var = var;
    copy->child = child;
    return body ? copy : NULL;
}

static const struct node *walk(struct shadowing *shadowing, const struct node *node)
{
    const int n_used = shadowing->used.used.n, n_around = shadowing->around.used.n;
    const bool binds = node->kind == NODE_LOOP || node->kind == NODE_VALUE;

    if (binds && names_has(&shadowing->around, node->var->name))
        node = renamed(shadowing, node);
    if (binds && node)
        names_add(&shadowing->around, node->var->name);
    node = node ? walk_children(shadowing, node) : NULL;
    shadowing->used.used.n = n_used;
    shadowing->around.used.n = n_around;
    return node;
}

const struct node *lower_shadow(struct lowering *lowering, const struct node *tree)
{
    struct shadowing shadowing = {lowering, {.arena = lowering->arena}, {.arena = lowering->arena}};

    lower_used_names(lowering, tree, &shadowing.used);
    program_add_names(lowering->program, &shadowing.around);
    return walk(&shadowing, tree);
}
