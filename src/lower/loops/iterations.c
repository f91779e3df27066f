#include "lower/loops/iterations.h"

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/union_map.h>

struct leaf {
    isl_ast_build *build;
    isl_map *schedule; /* { S[..] -> [#0, ..] }, without loops of one iteration */
};

static void release(void *object)
{
    struct leaf *leaf = object;

    isl_ast_build_free(leaf->build);
    isl_map_free(leaf->schedule);
}

static __isl_give isl_ast_node *note(__isl_take isl_ast_node *node, __isl_keep isl_ast_build *build, void *user)
{
    struct arena *arena = user;
    struct leaf *leaf = ARENA_NEW(arena, struct leaf);

    leaf->build = isl_ast_build_copy(build);
    leaf->schedule = isl_map_from_union_map(isl_ast_build_get_schedule(build));
    arena_on_free(arena, release, leaf);
    return isl_ast_node_set_annotation(node, isl_id_alloc(isl_ast_build_get_ctx(build), "leaf", leaf));
}

__isl_give isl_ast_build *iterations_note(__isl_take isl_ast_build *build, struct arena *arena)
{
    return isl_ast_build_set_at_each_domain(build, note, arena);
}

/* The first leaf of node: all are in the one iteration. */
static isl_bool find_leaf(__isl_keep isl_ast_node *node, void *user)
{
    struct leaf **found = user;
    isl_id *id;

    if (!*found && isl_ast_node_get_type(node) == isl_ast_node_user) {
        id = isl_ast_node_get_annotation(node);
        *found = isl_id_get_user(id);
        isl_id_free(id);
    }
    return isl_bool_ok(!*found);
}

/* all and { S[..] -> [count] } of what the loops with the info in order have */
static __isl_give isl_union_map *add_counts(__isl_take isl_union_map *all, const struct order *order,
                                            const struct loop_info *info)
{
    isl_union_map *own;

    if (order->kind == ORDER_LOOP && order->info == info) {
        own = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(order->time));
        return isl_union_map_union(all, isl_union_map_intersect_domain(own, order_domain(order)));
    }
    for (int k = 0; k < order->n_child; k++)
        all = add_counts(all, order->child[k], info);
    return all;
}

__isl_give isl_ast_expr *iteration_of(__isl_keep isl_ast_node *node, const struct order *order,
                                      const struct loop_info *info)
{
    struct leaf *leaf = NULL;
    isl_union_map *count;
    isl_pw_multi_aff *value;
    isl_ast_expr *expr;

    isl_ast_node_foreach_descendant_top_down(node, find_leaf, &leaf);
    if (!leaf)
        return NULL;
    count = add_counts(isl_union_map_empty(isl_map_get_space(leaf->schedule)), order, info);
    count = isl_union_map_apply_domain(count, isl_union_map_from_map(isl_map_copy(leaf->schedule)));
    value = isl_pw_multi_aff_from_map(isl_map_from_union_map(count));
    expr = isl_ast_build_expr_from_pw_aff(leaf->build, isl_pw_multi_aff_get_pw_aff(value, 0));
    isl_pw_multi_aff_free(value);
    return expr;
}
