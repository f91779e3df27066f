/* The proof that the loop tree runs every instance of every statement exactly once.
 *
 * Most statements need no sets for that (prove/partition.h), and most others only sets of instances without the loops'
 * variables (lower/prove/retrace.h). For what is left isl finds what the loops run by projecting these out.
 *
 * Of two runs of one instance, one is too many. They come from one leaf: then some iterations of the loops around it
 * give the same instance. Or from two, below different children of a node: at the same iterations of the loops around
 * the node, which a look at the two children shows, or at others, which is seen where the innermost of these loops
 * ends. Parts are put together as far inside as they can be: there the pieces of a tile, with the tile a parameter, are
 * one set again.
 */
#include "lower/facts/over.h"
#include "lower/prove/injective.h"
#include "lower/prove/partition.h"
#include "lower/prove/retrace.h"
#include "poly/coalesce.h"
#include "poly/context.h"

#include <isl/space.h>
#include <isl/union_set.h>

/* What isl may do for a statement without the loops' variables, for all statements with them, and for one without
 * again, before it does with them what the budget allows. */
enum { FEW_OPERATIONS = 200000, MORE_OPERATIONS = 500000, MOST_OPERATIONS = 1000000 };

/* What a part of the tree runs of a statement, where the loops around it are at certain iterations. */
struct run {
    isl_set *set; /* [N, .., v7, ..] -> { S[i,j] : .. }, these loops' variables being parameters; NULL: nothing */
    bool mixed;   /* by several leaves, of which different iterations of these loops may run the same */
    const struct var *ended; /* of the outermost loop that has ended, still a parameter as those inside; NULL: none */
};

struct cover {
    struct lowering *lowering;
    const struct order *part; /* what the tree was made of, where that is not all; else NULL */
    const bool *proved;       /* of each statement, by index: no more to be looked at */
    bool twice;               /* some instance is run by two iterations or two leaves */
};

/* { S[x] : x_k = argument_k } over the dimensions that facts know as parameters. */
static __isl_give isl_set *leaf_instances(const struct facts *facts, const struct node *leaf)
{
    isl_set *arguments = facts_values(facts, leaf->argument, leaf->statement->n_loop);

    return isl_set_set_tuple_name(arguments, leaf->statement->label);
}

/* { [v..] -> S[x] }: the loop variables, parameters so far, become the domain. */
static __isl_give isl_map *by_iteration(struct lowering *lowering, __isl_take isl_set *instances)
{
    const unsigned n_param = (unsigned)lowering->program->n_param;
    const unsigned n = (unsigned)isl_set_dim(instances, isl_dim_param) - n_param;
    isl_map *map = isl_map_from_range(instances);

    return isl_map_move_dims(map, isl_dim_in, 0, isl_dim_param, n_param, n);
}

static bool is_injective(const struct cover *cover, __isl_take isl_set *run)
{
    isl_map *map = by_iteration(cover->lowering, run);
    const bool injective = isl_map_is_injective(map) == isl_bool_true;

    isl_map_free(map);
    return injective;
}

static void run_leaf(struct cover *cover, const struct facts *facts, const struct node *leaf, struct run *run)
{
    run->set = leaf_instances(facts, leaf);
    if (!injective_by_digits(facts, leaf) && !is_injective(cover, isl_set_copy(run->set)))
        cover->twice = true;
}

/* All iterations of the loops that have ended since: they are the last parameters. One by one, innermost first: isl
 * takes long to compare what it made of skewed tiles by projecting out all at once. */
static __isl_keep isl_set *settled(struct run *run)
{
    isl_space *space = isl_set_get_space(run->set);
    const int first = run->ended ? over_dimension(space, run->ended) : 0;
    const int n = isl_space_dim(space, isl_dim_param);

    for (int k = n - 1; run->ended && k >= first; k--)
        run->set = isl_set_project_out(run->set, isl_dim_param, (unsigned)k, 1);
    run->ended = NULL;
    isl_space_free(space);
    return run->set;
}

/* run and what another part of the tree runs, at the same iterations; exclusive: never both. */
static void add_run(struct cover *cover, struct run *run, struct run *other, bool exclusive)
{
    if (!run->set || !other->set) {
        *run = run->set ? *run : *other;
        return;
    }
    if (!exclusive && isl_set_is_disjoint(settled(run), settled(other)) != isl_bool_true)
        cover->twice = true;
    settled(run);
    run->set = isl_set_union(run->set, settled(other));
    run->mixed = true;
}

/* run inside of the loop over var becomes what the loop runs. */
static void run_loop(struct cover *cover, const struct facts *inside, const struct var *var, struct run *run)
{
    if (run->mixed && !injective_by_bounds(inside, run->set) && !is_injective(cover, isl_set_copy(run->set)))
        cover->twice = true;
    run->mixed = false;
    run->ended = var;
}

/* What node runs of each statement, by index. */
static void walk(struct cover *cover, const struct facts *facts, const struct node *node, struct run *run)
{
    const int n = cover->lowering->program->n_statement;
    const bool exclusive = node->kind == NODE_IF || node->kind == NODE_SWITCH;
    struct facts inside = *facts;

    if (node->kind == NODE_VALUE) {
        walk(cover, facts, node_substitute(cover->lowering->arena, node->child[0], node->var, node->lower), run);
        return;
    }
    if (node->kind == NODE_STATEMENT) {
        if (!cover->proved[node->statement->index])
            run_leaf(cover, facts, node, &run[node->statement->index]);
        return;
    }
    for (int k = 0; k < node->n_child; k++) {
        struct run *part = ARENA_ARRAY(cover->lowering->arena, n, struct run);
        inside = *facts;
        facts_enter(&inside, node, k);
        walk(cover, &inside, node->child[k], part);
        for (int s = 0; s < n; s++)
            add_run(cover, &run[s], &part[s], exclusive);
    }
    for (int s = 0; s < n; s++) {
        run[s].set = run[s].mixed ? poly_set_coalesce(run[s].set) : run[s].set;
        if (node->kind == NODE_LOOP && run[s].set)
            run_loop(cover, &inside, node->var, &run[s]);
    }
}

/* { S[x] : .. }, the instances that the tree should run. */
static __isl_give isl_set *wanted(const struct cover *cover, const struct statement *statement)
{
    isl_union_set *all =
        cover->part ? order_domain(cover->part) : isl_union_set_from_set(isl_set_copy(statement->domain));
    isl_set *own = isl_union_set_extract_set(all, isl_set_get_space(statement->domain));

    isl_union_set_free(all);
    return isl_set_intersect_params(own, isl_set_copy(cover->lowering->program->context));
}

/* isl is faster where it knows the equations among what skewed tiles run, strides above all. */
static bool covers(const struct cover *cover, const struct statement *statement, __isl_take isl_set *run)
{
    isl_set *domain = wanted(cover, statement);
    bool equal;

    run = run ? isl_set_detect_equalities(run) : NULL;
    equal = run ? isl_set_is_equal(run, domain) == isl_bool_true : isl_set_is_empty(domain) == isl_bool_true;
    isl_set_free(domain);
    isl_set_free(run);
    return equal;
}

/* Which statements need no look at sets of loops' variables; true: none does. */
static bool prove_simple(const struct cover *cover, const struct order *order, const struct node *tree, bool *proved)
{
    struct lowering *lowering = cover->lowering;
    const struct program *program = lowering->program;
    bool all = true;

    for (int k = 0; k < program->n_statement; k++) {
        const struct statement *statement = program->statement[k];
        proved[k] = (cover->part && !order_has(order, statement)) ||
                    partition_holds(lowering, order, tree, statement) ||
                    (retrace_pays(lowering, order, statement) &&
                     retrace_holds(lowering, order, tree, statement, FEW_OPERATIONS));
        all = all && proved[k];
    }
    return all;
}

/* The first statement that is not proved yet and whose instances, as sets say, are not run once each. */
static const struct statement *uncovered_by_sets(struct cover *cover, const struct node *tree)
{
    const struct program *program = cover->lowering->program;
    struct run *run = ARENA_ARRAY(cover->lowering->arena, program->n_statement + 1, struct run);
    const struct facts facts = facts_of_program(cover->lowering);
    const struct statement *wrong = NULL;

    cover->twice = false;
    walk(cover, &facts, tree, run);
    for (int k = 0; k < program->n_statement; k++) {
        const struct statement *statement = program->statement[k];
        if (cover->proved[k] || wrong)
            isl_set_free(run[k].set);
        else if (!covers(cover, statement, run[k].set ? settled(&run[k]) : NULL) || cover->twice)
            wrong = statement;
    }
    return wrong;
}

/* The proofs take turns: which of them is the faster one shows only when it ends.
 * whole: order is all of the program's. */
static const struct statement *uncovered(struct lowering *lowering, const struct order *order, const struct node *tree,
                                         bool whole)
{
    const struct program *program = lowering->program;
    bool *proved = ARENA_ARRAY(lowering->arena, program->n_statement + 1, bool);
    struct cover cover = {lowering, whole ? NULL : order, proved, false};
    const struct statement *wrong;
    unsigned long budget;
    bool all = false;

    if (prove_simple(&cover, order, tree, proved))
        return NULL;
    if (isl_ctx_last_error(program->ctx) == isl_error_none) {
        budget = poly_part_begin(program->ctx, MORE_OPERATIONS);
        wrong = uncovered_by_sets(&cover, tree);
        if (poly_part_end(program->ctx, budget))
            return wrong;
        all = true;
        for (int k = 0; k < program->n_statement; k++) {
            proved[k] = proved[k] || retrace_holds(lowering, order, tree, program->statement[k], MOST_OPERATIONS);
            all = all && proved[k];
        }
    }
    return all ? NULL : uncovered_by_sets(&cover, tree);
}

const struct statement *lower_uncovered(struct lowering *lowering, const struct order *order, const struct node *tree)
{
    return uncovered(lowering, order, tree, !lowering->part);
}

enum status lower_check_cover(struct lowering *lowering, const struct order *order, const struct node *tree)
{
    const struct statement *wrong = uncovered(lowering, order, tree, true);

    if (wrong && isl_ctx_last_error(lowering->program->ctx) == isl_error_none)
        diag_error(lowering->diags, "internal", wrong->place,
                   "internal error: the emitted loops do not run every instance of %s exactly once", wrong->label);
    return wrong ? STATUS_ENVIRONMENT : STATUS_OK;
}
