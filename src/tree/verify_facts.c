#include "tree/verify.h"

/* The fact that brings nodes of this kind; 0: they are there from the start. */
static unsigned fact_of_kind(enum node_kind kind)
{
    switch (kind) {
    case NODE_SWITCH:
    case NODE_CALL:
        return FACT_ROUTINES;
    case NODE_KERNEL:
        return FACT_KERNELS;
    case NODE_ASSIGN:
    case NODE_BARRIER:
        return FACT_BODIES;
    case NODE_TUPLE:
        return FACT_TUPLES;
    case NODE_PREFETCH:
        return FACT_HINTS;
    case NODE_POINTER:
        return FACT_ROWS;
    case NODE_REGION:
    case NODE_SINGLE:
        return FACT_REGIONS;
    case NODE_FENCE:
        return FACT_FENCES;
    case NODE_TILES:
        return FACT_TILE_SHAPES;
    case NODE_TEXT:
        return FACT_TEXTS;
    default:
        return 0;
    }
}

/* The facts that bring what is in the node besides its kind. */
static unsigned facts_of_parts(const struct node *node)
{
    return (node->kind == NODE_IF && node->n_child > 1 ? FACT_ELSE : 0) | (node->threads ? FACT_THREADS : 0) |
           (node->tensor ? FACT_TENSORS : 0) | (node->tile ? FACT_TILES : 0) | (node->vector ? FACT_VECTORS : 0) |
           (node->n_pragma > 0 ? FACT_HINTS : 0) | (node->streams ? FACT_STREAMS : 0) |
           (node->nowait ? FACT_REGIONS : 0) | (node->n_argument_var > 0 ? FACT_ARGUMENTS : 0) |
           (node->kind == NODE_TEXT && node->n_child > 0 ? FACT_UNFOLDED : 0);
}

const char *tree_fact_broken(unsigned facts, const struct node *node)
{
    if (node->kind == NODE_STATEMENT && (facts & FACT_BODIES))
        return "a statement has no body still";
    if (fact_of_kind(node->kind) & ~facts)
        return "a node is of a kind that only a later pass makes";
    if (facts_of_parts(node) & ~facts)
        return "a node has something that only a later pass gives it";
    return NULL;
}
