/* The proof that the loop tree runs every instance of every statement exactly once. */
#include "lower/injective.h"

#include <isl/space.h>

/* What the leaves seen so far run, by statement index: { S[i,j] : .. }. */
struct cover {
    struct lowering *lowering;
    isl_set **run;
    bool twice; /* some instance is run by two iterations or two leaves */
};

/* { S[x] : x_k = argument_k } over the dimensions that facts know as parameters. */
static __isl_give isl_set *leaf_instances(const struct facts *facts, const struct node *leaf)
{
    const struct statement *statement = leaf->statement;
    isl_space *space = isl_space_set_from_params(isl_set_get_space(facts_known(facts)));
    isl_multi_pw_aff *arguments;
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(isl_space_get_ctx(space), statement->n_loop);

    space = isl_space_add_dims(space, isl_dim_set, (unsigned)statement->n_loop);
    space = isl_space_set_tuple_name(space, isl_dim_set, statement->label);
    for (int k = 0; k < statement->n_loop; k++)
        list = isl_pw_aff_list_add(list, facts_pw_aff(facts, leaf->argument[k]));
    arguments = isl_multi_pw_aff_from_pw_aff_list(space, list);
    return isl_set_intersect_params(isl_set_from_multi_pw_aff(arguments), isl_set_copy(facts_known(facts)));
}

/* { [v..] -> S[x] }: the loop variables, parameters so far, become the domain. */
static __isl_give isl_map *by_iteration(struct lowering *lowering, __isl_take isl_set *instances)
{
    const unsigned n_param = (unsigned)lowering->program->n_param;
    const unsigned n = (unsigned)isl_set_dim(instances, isl_dim_param) - n_param;
    isl_map *map = isl_map_from_range(instances);

    return isl_map_move_dims(map, isl_dim_in, 0, isl_dim_param, n_param, n);
}

static void cover_leaf(struct cover *cover, const struct facts *facts, const struct node *leaf)
{
    const int index = leaf->statement->index;
    isl_map *map = by_iteration(cover->lowering, leaf_instances(facts, leaf));
    isl_set *run;

    if (!injective_by_digits(facts, leaf) && isl_map_is_injective(map) != isl_bool_true)
        cover->twice = true;
    run = isl_map_range(map);
    if (cover->run[index] && isl_set_is_disjoint(run, cover->run[index]) != isl_bool_true)
        cover->twice = true;
    cover->run[index] = cover->run[index] ? isl_set_union(cover->run[index], run) : run;
}

static void walk(struct cover *cover, const struct facts *facts, const struct node *node)
{
    struct facts inside;

    if (node->kind == NODE_VALUE) {
        walk(cover, facts, node_substitute(cover->lowering->arena, node->child[0], node->var, node->lower));
        return;
    }
    if (node->kind == NODE_STATEMENT) {
        cover_leaf(cover, facts, node);
        return;
    }
    for (int k = 0; k < node->n_child; k++) {
        inside = *facts;
        facts_enter(&inside, node, k);
        walk(cover, &inside, node->child[k]);
    }
}

static bool covers(struct cover *cover, const struct statement *statement)
{
    isl_set *run = cover->run[statement->index];
    isl_set *domain = isl_set_intersect_params(isl_set_copy(statement->domain),
                                               isl_set_copy(cover->lowering->program->context));
    const bool equal = run ? isl_set_is_equal(run, domain) == isl_bool_true
                           : isl_set_is_empty(domain) == isl_bool_true;

    isl_set_free(domain);
    isl_set_free(run);
    return equal;
}

enum status lower_check_cover(struct lowering *lowering, const struct node *tree)
{
    const struct program *program = lowering->program;
    struct cover cover = {lowering, ARENA_ARRAY(lowering->arena, program->n_statement + 1, isl_set *), false};
    struct facts facts = facts_of_program(lowering);
    enum status status = STATUS_OK;

    walk(&cover, &facts, tree);
    for (int k = 0; k < program->n_statement; k++) {
        const struct statement *statement = program->statement[k];
        if (covers(&cover, statement) && !cover.twice)
            continue;
        if (status == STATUS_OK && isl_ctx_last_error(program->ctx) == isl_error_none)
            diag_error(lowering->diags, "internal", statement->place,
                       "internal error: the emitted loops do not run every instance of %s exactly once",
                       statement->label);
        status = STATUS_ENVIRONMENT;
    }
    return status;
}
