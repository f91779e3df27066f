#include "lower/instr/tile_setup.h"

#include "lower/instr/tile_registers.h"
#include "tree/visit.h"

static bool has_tiles(const struct node *node)
{
    return tile_shape_of(node).n > 0;
}

/* Do several threads use tiles in node? Those of other parallel loops leave the registers to the one around. */
static bool has_threads(const struct node *node)
{
    bool has = (node->kind == NODE_REGION || node_is_parallel(node)) && has_tiles(node);

    for (int k = 0; k < node->n_child && !has; k++)
        has = has_threads(node->child[k]);
    return has;
}

/* node, with registers of this shape. */
static const struct node *with_tiles(struct arena *arena, const struct node *node, const struct tile_shape *shape)
{
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *tiles = ARENA_NEW(arena, struct node);

    child[0] = node;
    *tiles = (struct node){.kind = NODE_TILES, .child = child, .n_child = 1, .shape = shape};
    return tiles;
}

/* A parallel loop as a region, whose threads have registers of this shape. */
static const struct node *region(struct arena *arena, const struct node *loop, const struct tile_shape *shape)
{
    struct node *shared = node_shared_loop(arena, loop);

    shared->nowait = true;
    return node_region(arena, loop, with_tiles(arena, shared, shape));
}

static const struct node *walk(struct arena *arena, const struct node *node, const struct tile_shape *shape)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (!has_tiles(node))
        return node;
    if (node->kind == NODE_REGION)
        return node_with_child(arena, node, 0, with_tiles(arena, node->child[0], shape));
    if (node_is_parallel(node))
        return region(arena, node, shape);
    if (!has_threads(node))
        return with_tiles(arena, node, shape);
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(arena, node->child[k], shape);
    return node_with_children(arena, node, child);
}

const struct node *lower_tile_setup(struct arena *arena, const struct node *tree)
{
    struct tile_shape *shape = ARENA_NEW(arena, struct tile_shape);

    if (!tree)
        return NULL;
    *shape = tile_shape_of(tree);
    return walk(arena, tree, shape);
}
