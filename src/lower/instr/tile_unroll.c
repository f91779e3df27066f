#include "lower/instr/tile_unroll.h"

#include "tree/visit.h"

/* Is a variable in the subscripts of tiles? */
struct search {
    const struct var *var;
    bool found;
};

static void find_use(const struct node *node, void *user)
{
    struct search *search = user;
    const struct element *sums = node->tile ? tile_sums(node) : NULL;

    for (int k = 0; sums && k < sums->array->n_dim - 2; k++)
        search->found |= affine_uses(sums->index[k], search->var);
}

/* Does the loop go from tile to tile of an array in registers? */
static bool tells_apart(const struct node *loop)
{
    struct search search = {.var = loop->var};

    if (loop->kind == NODE_LOOP)
        node_for_each(loop, find_use, &search);
    return search.found;
}

/* Does each iteration have arrays of its own, besides tiles? */
static bool has_locals(const struct node *loop)
{
    for (int k = 0; k < loop->n_local; k++)
        if (!loop->local[k]->in_tiles)
            return true;
    return loop->n_own > 0;
}

static const struct node *unroll(struct tiles *tiles, const struct node *loop)
{
    struct arena *arena = tiles->arena;
    const struct node **part;
    int64_t lower, upper;
    int n = 0;

    if (!affine_is_constant(loop->lower, &lower) || !affine_is_constant(loop->upper, &upper) || loop->step < 1 ||
        upper - lower >= TILE_REGISTERS * loop->step || loop->threads || has_locals(loop))
        return tiles_refuse(tiles, "registers have no subscripts: split it by a constant, and `unroll` the inner part",
                            "`%s`, which goes from tile to tile, cannot be written out", loop->var->name);
    part = ARENA_ARRAY(arena, TILE_REGISTERS, const struct node *);
    for (int64_t value = lower; value <= upper; value += loop->step)
        part[n++] = node_substitute(arena, loop->child[0], loop->var, affine_constant(arena, value));
    return node_with_comment(arena, node_block(arena, part, n), loop->comment);
}

const struct node *tile_unroll(struct tiles *tiles, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(tiles->arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        child[k] = tile_unroll(tiles, node->child[k]);
        if (!child[k])
            return NULL;
    }
    node = node_with_children(tiles->arena, node, child);
    return node && tells_apart(node) ? unroll(tiles, node) : node;
}
