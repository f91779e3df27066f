/* What all lanes load, where none of them may be active. */
#include "lower/vector/strips.h"

#include "tree/visit.h"

struct sharing {
    const struct var *var;
    bool found;
};

static void find_in_load(const struct tree_expr *expr, void *user)
{
    struct sharing *sharing = user;

    for (int k = 0; expr->kind == TREE_LOAD && expr->element.lane_step == 0 && k < expr->element.array->n_dim; k++)
        sharing->found |= affine_uses(expr->element.index[k], sharing->var);
}

static void find_in_node(const struct node *node, void *user)
{
    tree_expr_for_each(node->value, find_in_load, user);
    tree_expr_for_each(node->guard_value, find_in_load, user);
}

/* Do loads that all lanes of body share depend on var? */
static bool shares_by(const struct node *body, const struct var *var)
{
    struct sharing sharing = {var, false};

    node_for_each(body, find_in_node, &sharing);
    return sharing.found;
}

/* Does what is around the place at hand, inside of step k of the path, depend on var? */
static bool depends_below(const struct vectors *vectors, int k, const struct var *var)
{
    for (int l = k + 1; l < vectors->path.n; l++) {
        const struct node *node = vectors->path.at[l].node;
        for (int a = 0; a < node->n_alternative; a++)
            for (int c = 0; c < node->alternative[a].n; c++)
                if (affine_uses(node->alternative[a].condition[c].affine, var))
                    return true;
        if ((node->lower && affine_uses(node->lower, var)) || (node->upper && affine_uses(node->upper, var)))
            return true;
    }
    return false;
}

struct conditions {
    struct arena *arena;
    const struct var *var, *lane;
    bool found;
};

/* Is it the condition that a lane is below a number? */
static bool is_count(const struct conditions *conditions, const struct affine *affine)
{
    int64_t factor;

    return affine_linear_factor(conditions->arena, affine, conditions->lane, &factor) && factor == -1;
}

static void find_condition(const struct node *node, void *user)
{
    struct conditions *conditions = user;
    const struct var *var = conditions->var;

    for (int a = 0; a < node->n_alternative; a++)
        for (int c = 0; c < node->alternative[a].n; c++) {
            const struct affine *affine = node->alternative[a].condition[c].affine;
            conditions->found |= affine_uses(affine, var) && (!is_count(conditions, affine) || node->n_alternative > 1);
        }
    conditions->found |= node->kind == NODE_LOOP && (affine_uses(node->lower, var) || affine_uses(node->upper, var));
}

/* Does what is inside the loop in vectors, apart from the count of lanes, run for some values of var only? */
static bool chooses_by(const struct vectors *vectors, const struct var *var)
{
    struct conditions conditions = {vectors->lowering->arena, var, vectors->variable, false};

    node_for_each(vectors->body, find_condition, &conditions);
    return conditions.found;
}

/* Loops that what is loaded does not depend on may be at their first iteration. */
bool vectors_share_soundly(void *user, const struct affine *count, const struct node *body)
{
    struct vectors *vectors = user;
    struct arena *arena = vectors->lowering->arena;
    struct facts facts = vectors_facts(vectors);

    for (int k = 0; k < 2; k++)
        if (vectors->inner[k])
            facts_enter_loop(&facts, vectors->inner[k]);
    for (int k = vectors->path.n - 1; k >= 0 && count; k--) {
        const struct node *node = vectors->path.at[k].node;
        if (node->kind == NODE_LOOP && affine_uses(count, node->var) && !shares_by(body, node->var) &&
            !depends_below(vectors, k, node->var) && !chooses_by(vectors, node->var))
            count = affine_substitute(arena, count, node->var, node->lower);
    }
    return count && facts_imply(&facts, affine_add_constant(arena, count, -1));
}
