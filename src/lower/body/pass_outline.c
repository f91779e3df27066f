/* Pass "outline": calls get their arguments, the variables around them that the function uses, and so does what threads
 * run, and what the device does. */
#include "lower/lower.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "program/program.h"
#include "tree/visit.h"

#include <string.h>

struct outlining {
    struct arena *arena;
    const char *prefix;         /* of functions' names: what calls them */
    const char *around_comment; /* of what calls them, or NULL */
    bool inlines;               /* functions become part of what calls them: its registers stay registers */
    struct diags *diags;
    VEC(const struct var *) around; /* variables known at this place, outermost first */
    bool refused;
};

/* A function, and what it is asked about. */
struct use {
    struct outlining *outlining;
    const struct node *call;
};

static bool has_own(const struct node *node, const struct array *array)
{
    for (int k = 0; k < node->n_local; k++)
        if (node->local[k] == array)
            return true;
    for (int k = 0; k < node->n_child; k++)
        if (has_own(node->child[k], array))
            return true;
    return false;
}

static void check_array(struct use *use, const struct array *array)
{
    struct outlining *outlining = use->outlining;
    struct diag *diag;

    if (outlining->inlines || outlining->refused || !array || !array->in_registers || array->n_dim == 0 ||
        has_own(use->call, array))
        return;
    diag = diag_error(outlining->diags, "memory", array->place,
                      "`%s` cannot be in registers: its values leave the function `%s`", array->name,
                      use->call->routine->name);
    diag_hint(outlining->diags, diag, "cache it inside of the tile, or use another `tail`");
    outlining->refused = true;
}

static void check_expr(const struct tree_expr *expr, void *user)
{
    check_array(user, expr->element.array);
}

static void check_node(const struct node *node, void *user)
{
    struct use *use = user;

    check_array(use, node->target.array);
    tree_expr_for_each(node->value, check_expr, use);
    tree_expr_for_each(node->guard_value, check_expr, use);
}

/* "partial tile: 1 iteration of ii and 2 iterations of jj": inner, in a function of the comment outer. */
static const char *joint_comment(const struct outlining *outlining, const char *inner)
{
    const char *outer = outlining->around_comment, *colon = inner ? strchr(inner, ':') : NULL;

    if (!outer || !colon || strncmp(outer, inner, (size_t)(colon + 1 - inner)) != 0)
        return inner;
    return arena_printf(outlining->arena, "%s and%s", outer, colon + 1);
}

/* "mm_ii_3" of ii_3, called by mm. */
static const struct routine *named(const struct outlining *outlining, const struct routine *routine)
{
    struct routine *copy = ARENA_NEW(outlining->arena, struct routine);

    *copy = *routine;
    copy->name = arena_printf(outlining->arena, "%s_%s", outlining->prefix, routine->name);
    copy->comment = joint_comment(outlining, routine->comment);
    return copy;
}

/* A copy of node with the variables around it that it uses. */
static struct node *with_variables(struct outlining *outlining, const struct node *node)
{
    struct node *copy = ARENA_NEW(outlining->arena, struct node);
    const struct var **var = ARENA_ARRAY(outlining->arena, outlining->around.n + 1, const struct var *);

    *copy = *node;
    copy->argument_var = var;
    for (int k = 0; k < outlining->around.n; k++) {
        const struct var *known = outlining->around.at[k];
        if (node_uses(node->child[0], known))
            var[copy->n_argument_var++] = known;
    }
    return copy;
}

/* all: it is all that the threads of a region run, and their registers stay in it. */
static const struct node *with_arguments(struct outlining *outlining, const struct node *call, bool all)
{
    struct node *copy = with_variables(outlining, call);
    struct use use = {outlining, call};

    if (!all)
        node_for_each(call, check_node, &use);
    copy->routine = named(outlining, call->routine);
    return copy;
}

static bool starts_threads(const struct node *node)
{
    return node->kind == NODE_REGION || node->kind == NODE_KERNEL || (node_is_parallel(node) && !node->threads->shared);
}

static const struct node *walk(struct outlining *outlining, const struct node *node, bool in_region)
{
    struct arena *arena = outlining->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    const int n_around = outlining->around.n;
    const char *prefix = outlining->prefix, *comment = outlining->around_comment;

    if (node->kind == NODE_LOOP || node->kind == NODE_VALUE)
        VEC_PUSH(arena, &outlining->around, node->var);
    for (int k = 0; k < node->n_part; k++)
        VEC_PUSH(arena, &outlining->around, node->part[k].var);
    if (node->kind == NODE_CALL) {
        const struct routine *routine = named(outlining, node->routine);
        outlining->prefix = routine->name;
        outlining->around_comment = routine->comment;
    }
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(outlining, node->child[k], node->kind == NODE_REGION);
    outlining->prefix = prefix;
    outlining->around_comment = comment;
    outlining->around.n = n_around;
    node = node->n_child ? node_with_children(arena, node, child) : node;
    if (node->kind == NODE_CALL)
        return with_arguments(outlining, node, in_region);
    return starts_threads(node) ? with_variables(outlining, node) : node;
}

enum status lower_outline(struct arena *arena, const struct program *program, const struct node *tree,
                          struct diags *diags, const struct node **outlined)
{
    const bool inlines = gpu_by_language(program->target.language) != NULL;
    struct outlining outlining = {.arena = arena, .prefix = program->name, .diags = diags, .inlines = inlines};

    *outlined = walk(&outlining, tree, false);
    return outlining.refused ? STATUS_REFUSED : STATUS_OK;
}
