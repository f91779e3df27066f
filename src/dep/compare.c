#include "dep/compare.h"

#include "dep/apart.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>
#include <isl/union_set.h>

#include <stdbool.h>

/* Walks the tree with the pairs that are still at one time; collects those with first before
 * second (or, reversed, with second before first). */
struct walk {
    struct arena *arena;
    bool reversed;
    isl_union_map *found;
    isl_union_map *equal; /* at one time to the very end */
};

static void found(struct walk *walk, __isl_take isl_union_map *pairs)
{
    walk->found = isl_union_map_union(walk->found, pairs);
}

static void walk_node(struct walk *walk, __isl_keep isl_schedule_node *node, struct agreeing at_once);

static void walk_child(struct walk *walk, __isl_keep isl_schedule_node *node, int child, struct agreeing at_once)
{
    isl_schedule_node *below = isl_schedule_node_get_child(node, child);

    walk_node(walk, below, at_once);
    isl_schedule_node_free(below);
}

static void walk_band(struct walk *walk, __isl_keep isl_schedule_node *node, struct agreeing at_once)
{
    const int kind = walk->reversed ? PAIRS_LATER : PAIRS_EARLIER;
    struct agreement *next = agreement_new(walk->arena);
    const struct apart apart = pairs_apart_agreeing(at_once.pairs, isl_schedule_node_band_get_partial_schedule(node),
                                                    1u << kind | 1u << PAIRS_AT_ONCE, at_once.agreement, next);

    found(walk, apart.pairs[kind]);
    walk_child(walk, node, 0, (struct agreeing){apart.pairs[PAIRS_AT_ONCE], next});
}

static __isl_give isl_union_set *child_filter(__isl_keep isl_schedule_node *node, int child)
{
    isl_schedule_node *filter = isl_schedule_node_get_child(node, child);
    isl_union_set *set = isl_schedule_node_filter_get_filter(filter);

    isl_schedule_node_free(filter);
    return set;
}

/* The pairs whose first instance is in this child: decided when the second is in another one. */
static void walk_sequence_child(struct walk *walk, __isl_keep isl_schedule_node *node, int child,
                                __isl_keep isl_union_set *filter, __isl_keep isl_union_set *earlier,
                                struct agreeing at_once)
{
    isl_union_map *mine = isl_union_map_intersect_domain(isl_union_map_copy(at_once.pairs), isl_union_set_copy(filter));
    isl_union_map *within = isl_union_map_intersect_range(isl_union_map_copy(mine), isl_union_set_copy(filter));
    isl_union_map *before = isl_union_map_intersect_range(isl_union_map_copy(mine), isl_union_set_copy(earlier));

    if (walk->reversed) {
        found(walk, agreement_restrict_all(at_once.agreement, before));
        isl_union_map_free(mine);
    } else {
        mine = isl_union_map_subtract(mine, isl_union_map_copy(within));
        mine = isl_union_map_subtract(mine, before);
        found(walk, agreement_restrict_all(at_once.agreement, mine));
    }
    walk_child(walk, node, child, (struct agreeing){within, at_once.agreement});
}

static void walk_sequence(struct walk *walk, __isl_keep isl_schedule_node *node, struct agreeing at_once)
{
    const int n = (int)isl_schedule_node_n_children(node);
    isl_union_set *earlier = isl_union_set_empty(isl_union_map_get_space(at_once.pairs));

    for (int k = 0; k < n; k++) {
        isl_union_set *filter = child_filter(node, k);
        walk_sequence_child(walk, node, k, filter, earlier, at_once);
        earlier = isl_union_set_union(earlier, filter);
    }
    isl_union_set_free(earlier);
    isl_union_map_free(at_once.pairs);
}

static void walk_node(struct walk *walk, __isl_keep isl_schedule_node *node, struct agreeing at_once)
{
    if (isl_union_map_is_empty(at_once.pairs) != isl_bool_false) {
        isl_union_map_free(at_once.pairs);
        return;
    }
    switch (isl_schedule_node_get_type(node)) {
    case isl_schedule_node_band:
        walk_band(walk, node, at_once);
        break;
    case isl_schedule_node_sequence:
        walk_sequence(walk, node, at_once);
        break;
    case isl_schedule_node_leaf:
        walk->equal = isl_union_map_union(walk->equal, agreement_restrict_all(at_once.agreement, at_once.pairs));
        break;
    case isl_schedule_node_error:
        isl_union_map_free(at_once.pairs);
        walk->found = isl_union_map_free(walk->found);
        break;
    default:
        walk_child(walk, node, 0, at_once);
    }
}

static struct walk walk_schedule(__isl_keep isl_schedule *schedule, __isl_take isl_union_map *pairs, bool reversed)
{
    isl_schedule_node *root = isl_schedule_get_root(schedule);
    isl_union_map *none = isl_union_map_empty(isl_union_map_get_space(pairs));
    struct walk walk = {arena_new(), reversed, isl_union_map_copy(none), none};

    walk_node(&walk, root, (struct agreeing){pairs, NULL});
    isl_schedule_node_free(root);
    arena_free(walk.arena);
    return walk;
}

__isl_give isl_union_map *pairs_before(__isl_keep isl_schedule *schedule, __isl_take isl_union_map *pairs)
{
    struct walk walk = walk_schedule(schedule, pairs, false);

    isl_union_map_free(walk.equal);
    return walk.found;
}

__isl_give isl_union_map *pairs_not_before(__isl_keep isl_schedule *schedule, __isl_take isl_union_map *pairs)
{
    struct walk walk = walk_schedule(schedule, pairs, true);

    return isl_union_map_union(walk.found, walk.equal);
}
