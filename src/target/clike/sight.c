#include "target/clike/sight.h"

#include "base/names.h"
#include "target/clike/scope.h"
#include "tree/visit.h"

#include <string.h>

struct known {
    const char *name;
    const void *thing; /* a variable, scalar or array */
};

struct sight {
    struct arena *arena;
    VEC(struct known) known; /* at this place, what hides others behind them */
    const char *hidden;
};

static void declare(struct sight *sight, const char *name, const void *thing)
{
    VEC_PUSH(sight->arena, &sight->known, ((struct known){name, thing}));
}

static void declare_program(struct sight *sight, const struct program *program, const struct var *const *param_var)
{
    for (int k = 0; k < program->n_param; k++)
        declare(sight, program->param[k].name, param_var[k]);
    for (int k = 0; k < program->n_scalar; k++)
        declare(sight, program->scalar[k].name, &program->scalar[k]);
    for (int k = 0; k < program->n_array; k++)
        declare(sight, program->array[k].name, &program->array[k]);
}

/* What is nowhere in sight is not printed: subscripts that a vector's distances stand for keep their variables. */
static void use(struct sight *sight, const char *name, const void *thing)
{
    const void *found = NULL;

    for (int k = sight->known.n - 1; k >= 0; k--) {
        const struct known *known = &sight->known.at[k];
        found = !found && strcmp(known->name, name) == 0 ? known->thing : found;
        if (known->thing != thing)
            continue;
        sight->hidden = found != thing ? name : sight->hidden;
        return;
    }
}

static void use_var(struct sight *sight, const struct var *var)
{
    if (var)
        use(sight, var->name, var);
}

static const struct affine *use_affine(struct arena *arena, const struct affine *affine, void *user)
{
    for (int k = 0; affine && k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        use_var(user, atom->kind == ATOM_VAR ? atom->var : NULL);
        for (int a = 0; a < atom->n_arg; a++)
            use_affine(arena, atom->arg[a], user);
    }
    return affine;
}

static void use_element(struct sight *sight, const struct element *element)
{
    if (element->base)
        use_var(sight, element->base);
    else if (element->array)
        use(sight, element->array->name, element->array);
}

static void use_expr(const struct tree_expr *expr, void *user)
{
    struct sight *sight = user;

    use_var(sight, expr->kind == TREE_NAMED || expr->kind == TREE_TOTAL ? expr->var : NULL);
    if (expr->scalar)
        use(sight, expr->scalar->name, expr->scalar);
    use_element(sight, &expr->element);
}

/* What the node's own line says; the instances that it runs are not printed. */
static void use_own(struct sight *sight, const struct node *node)
{
    struct node printed = *node;

    printed.statement = NULL;
    printed.n_also = 0;
    printed.counted = NULL;
    node_map_own(sight->arena, &printed, use_affine, sight);
    tree_expr_for_each(node->value, use_expr, sight);
    tree_expr_for_each(node->guard_value, use_expr, sight);
    if (node->threads)
        tree_expr_for_each(node->threads->condition, use_expr, sight);
    if (!node_writes_vector(node) && !node->into)
        use_element(sight, &node->target);
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], use_expr, sight);
    if (node->into)
        use_var(sight, node->into->var);
    if (node->vector) {
        use_var(sight, node->vector->sum);
        use_var(sight, node->vector->mask);
        tree_expr_for_each(node->vector->active, use_expr, sight);
    }
}

static void declare_own(struct sight *sight, const struct node *node)
{
    if (node->var && node->kind != NODE_TUPLE)
        declare(sight, node->var->name, node->var);
    for (int k = 0; k < node->n_local; k++)
        declare(sight, node->local[k]->name, node->local[k]);
    for (int k = 0; k < node->n_own; k++)
        declare(sight, node->own[k]->name, node->own[k]);
    if (node->declares && node->kind == NODE_ASSIGN)
        declare(sight, node->target.array->name, node->target.array);
}

/* Coordinates that nothing uses are not printed and may be called like the tuple's number. */
static void declare_tuple(struct sight *sight, const struct node *node)
{
    for (int k = 0; k < node->n_part; k++)
        if (node->part[k].var)
            declare(sight, node->part[k].var->name, node->part[k].var);
    declare(sight, node->var->name, node->var);
}

static void walk(struct sight *sight, const struct node *node, bool last);

static void walk_block(struct sight *sight, const struct node *block, bool last)
{
    for (int k = 0; k < block->n_child && !sight->hidden; k++)
        walk(sight, block->child[k],
             last && names_may_stay(block->child[k], &block->child[k + 1], block->n_child - k - 1));
}

/* last: what the node declares may stay visible to the end of the block around it, as in printing it. */
static void walk(struct sight *sight, const struct node *node, bool last)
{
    const int n_known = sight->known.n;
    const bool stays = last && (binds_name(node) || (node->kind == NODE_BLOCK && !node_is_scope(node)) ||
                                node->kind == NODE_REGION || node->continues);

    declare_own(sight, node);
    use_own(sight, node);
    if (node->kind == NODE_TUPLE)
        declare_tuple(sight, node);
    if (node->kind == NODE_BLOCK)
        walk_block(sight, node, last || node_is_scope(node));
    for (int k = 0; node->kind != NODE_BLOCK && k < node->n_child && !sight->hidden; k++)
        walk(sight, node->child[k], true);
    if (!stays && node->kind != NODE_ASSIGN)
        sight->known.n = n_known;
}

const char *sight_hidden_name(struct arena *arena, const struct program *program, const struct var *const *param_var,
                              const struct node *tree)
{
    struct sight sight = {.arena = arena};

    declare_program(&sight, program, param_var);
    walk(&sight, tree, true);
    return sight.hidden;
}
