/* Pass "unfold": what the text of an instruction computes becomes its child, so that who runs the tree finds it. */
#include "lower/lower.h"
#include "tree/visit.h"

const struct node *lower_unfold(struct lowering *lowering, const struct node *tree)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, tree->n_child + 1, const struct node *);
    struct node *text;

    if (tree->kind != NODE_TEXT) {
        for (int k = 0; k < tree->n_child; k++)
            child[k] = lower_unfold(lowering, tree->child[k]);
        return node_with_children(lowering->arena, tree, child);
    }
    text = ARENA_NEW(lowering->arena, struct node);
    *text = *tree;
    child[0] = tree->computes;
    text->child = child;
    text->n_child = 1;
    text->computes = NULL;
    return text;
}
