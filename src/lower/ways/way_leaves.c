/* The instances that a node runs at the end of a way: one for each point of its inner dimensions and active lanes. */
#include "lower/ways/way.h"

#include "program/program.h"

/* The way into the node's inner dimensions. */
static const struct way *inside(struct ways *ways, const struct way *way, const struct node *node)
{
    const struct var *lane = NULL;

    for (int k = 0; k < node->n_inner; k++) {
        const struct inner_dim *dim = &node->inner[k];
        const struct var *count = ways_count(ways);
        way = way_with_count(ways, way, count, affine_constant(ways->arena, dim->extent - 1));
        way = way_with_name(ways, way, dim->var, affine_var(ways->arena, count));
        lane = dim->lane ? dim->var : lane;
    }
    if (lane && node->vector)
        way = way_in_lanes(ways, way, node, lane);
    if (way && node->tensor)
        way = way_of_warp(ways, way);
    if (way && node->counted)
        way = way_where(ways, way, node->counted, 1, false);
    if (way && node->warp_sum && node->n_alternative > 0)
        way = way_where(ways, way, node->alternative, node->n_alternative, false);
    return way;
}

static bool add_leaf(struct ways *ways, const struct way *way, const struct node *node,
                     const struct statement *statement, const struct affine *const *argument, leaf_vec *leaves)
{
    const struct affine *const *value = way_values(ways, way, argument, statement->n_loop);

    if (value)
        VEC_PUSH(ways->arena, leaves, ((struct leaf){way, node, statement, value, statement->n_loop}));
    return value;
}

bool stop_leaves(struct ways *ways, const struct stop *stop, const struct statement *statement, leaf_vec *leaves)
{
    const struct node *node = stop->node;
    const struct way *way;

    if (node->statement == statement && node->untold)
        return ways_lost(ways, "passes that do not tell the instances");
    if (node->warp_sum && statement->n_taking > 0 && !ways->taking)
        return ways_lost(ways, "sums over warps in which some threads have no part");
    if (stop->way->by_all)
        return ways_lost(ways, "what all threads of a region run");
    way = inside(ways, stop->way, node);
    if (!way)
        return false;
    if (node->statement == statement && node->argument && !add_leaf(ways, way, node, statement, node->argument, leaves))
        return false;
    for (int k = 0; k < node->n_also; k++)
        if (node->also[k].statement == statement &&
            !add_leaf(ways, way, node, statement, node->also[k].argument, leaves))
            return false;
    return true;
}
