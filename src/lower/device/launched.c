#include "lower/device/launched.h"

#include <isl/space.h>

/* The counts { [t] } of loop for the instances of leaf, [N, .., v7, ..] being what facts know. */
static __isl_give isl_set *leaf_counts(const struct facts *facts, const struct order *loop, const struct node *leaf)
{
    const struct statement *statement = leaf->statement;
    isl_space *space = isl_space_from_domain(isl_set_get_space(statement->domain));
    isl_pw_aff *count = isl_union_pw_aff_extract_pw_aff(loop->time, isl_space_add_dims(space, isl_dim_out, 1));
    isl_set *instances = facts_values(facts, leaf->argument, statement->n_loop);

    return isl_set_apply(isl_set_set_tuple_name(instances, statement->label), isl_map_from_pw_aff(count));
}

static __isl_give isl_set *counts(const struct facts *facts, const struct order *loop, const struct node *node);

/* Those below child k of node, over what facts know of node itself: the variables that it binds come last. */
static __isl_give isl_set *child_counts(const struct facts *facts, const struct order *loop, const struct node *node,
                                        int k)
{
    const unsigned n = (unsigned)isl_set_dim(facts_known(facts), isl_dim_param);
    struct facts inside = *facts;
    isl_set *set;

    facts_enter(&inside, node, k);
    set = counts(&inside, loop, node->child[k]);
    return isl_set_project_out(set, isl_dim_param, n, (unsigned)isl_set_dim(set, isl_dim_param) - n);
}

static __isl_give isl_set *counts(const struct facts *facts, const struct order *loop, const struct node *node)
{
    isl_set *all;

    if (node->kind == NODE_STATEMENT)
        return leaf_counts(facts, loop, node);
    all = isl_set_empty(isl_space_add_dims(isl_set_get_space(facts_known(facts)), isl_dim_set, 1));
    for (int k = 0; k < node->n_child; k++)
        all = isl_set_union(all, child_counts(facts, loop, node, k));
    return all;
}

static bool has_one_count(const struct facts *facts, const struct order *loop, const struct node *node)
{
    isl_set *all = counts(facts, loop, node);
    const bool one = isl_set_is_singleton(all) == isl_bool_true;

    isl_set_free(all);
    return one;
}

static bool is_inside(const struct order *order, const struct order *part)
{
    for (int k = 0; k < order->n_child; k++)
        if (order->child[k] == part || is_inside(order->child[k], part))
            return true;
    return false;
}

/* The innermost loops first: neighbours mostly differ there. */
bool launched_once(const struct facts *facts, const struct order *order, const struct order *kernel,
                   const struct node *node)
{
    if (!is_inside(order, kernel))
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (!launched_once(facts, order->child[k], kernel, node))
            return false;
    return order->kind != ORDER_LOOP || has_one_count(facts, order, node);
}
