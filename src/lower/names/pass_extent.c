/* Pass "extent": an inner loop's end that is a minimum gets a name where its variables are known,
 *     const int64_t jj_n = min(64, N - j);
 */
#include "lower/facts/bound.h"
#include "lower/lower.h"

#include "base/names.h"
#include "base/vec.h"
#include "program/program.h"
#include "sched/order.h"
#include "tree/visit.h"

struct extents {
    struct lowering *lowering;
    struct names used;             /* names that an extent must not have */
    VEC(const struct var *) bound; /* variables known at this place, innermost last */
};

static bool is_unknown(const struct var *var, const void *user)
{
    const struct extents *extents = user;

    for (int k = 0; k < extents->bound.n; k++)
        if (extents->bound.at[k] == var)
            return false;
    return var->kind != VAR_PARAM;
}

static bool all_known(const struct extents *extents, const struct affine *a)
{
    return !affine_any_var(a, is_unknown, extents);
}

/* The first loop below node whose end is a minimum of what is known here. */
static const struct node *find_loop(const struct extents *extents, const struct node *node)
{
    const struct node *found = NULL;

    if (node->kind == NODE_LOOP && node->step > 0 && all_known(extents, node->upper)) {
        const struct affine *const *arg;
        enum atom_kind kind;
        if (bound_args(extents->lowering->arena, node->upper, &arg, &kind) > 1)
            return node;
    }
    for (int k = 0; k < node->n_child && !found; k++)
        found = find_loop(extents, node->child[k]);
    return found;
}

struct naming {
    struct lowering *lowering;
    const struct affine *end;  /* upper + 1 */
    const struct affine *name; /* what it is called */
};

/* Loops below that end at the same minimum use the name, too. */
static const struct node *use_name(const struct naming *naming, const struct node *node)
{
    struct arena *arena = naming->lowering->arena;
    const struct node **child;

    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = use_name(naming, node->child[k]);
        if (!child[k])
            return NULL;
    }
    node = node_with_children(arena, node, child);
    if (node && node->kind == NODE_LOOP && node->step > 0) {
        int64_t distance;
        if (bound_apart(arena, node->upper, naming->end, &distance))
            node = node_with_bounds(arena, node, node->lower, affine_add_constant(arena, naming->name, distance));
    }
    return node;
}

/* The loop of node that ends first among those that end a constant away from upper; NULL: there is none. */
static const struct node *first_to_end(struct arena *arena, const struct node *node, const struct affine *upper)
{
    const struct node *first = NULL;
    int64_t distance;

    if (node->kind == NODE_LOOP && node->step > 0 && bound_apart(arena, node->upper, upper, &distance))
        first = node;
    for (int k = 0; k < node->n_child; k++) {
        const struct node *other = first_to_end(arena, node->child[k], upper);
        if (!first || (other && bound_apart(arena, other->upper, first->upper, &distance) && distance < 0))
            first = other;
    }
    return first;
}

/* How many children of a block have loops that end a constant away from upper. */
static int count_users(struct arena *arena, const struct node *block, const struct affine *upper)
{
    int n = 0;

    for (int k = 0; k < block->n_child; k++)
        n += first_to_end(arena, block->child[k], upper) != NULL;
    return n;
}

/* A loop below node that ends at a minimum of what is known and that several children of block share; NULL: none. */
static const struct node *find_shared(const struct extents *extents, const struct node *block, const struct node *node)
{
    struct arena *arena = extents->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const struct node *found = NULL;

    if (node->kind == NODE_LOOP && node->step > 0 && all_known(extents, node->upper) &&
        bound_args(arena, node->upper, &arg, &kind) > 1 && count_users(arena, block, node->upper) > 1)
        return node;
    for (int k = 0; k < node->n_child && !found; k++)
        found = find_shared(extents, block, node->child[k]);
    return found;
}

/* The label of the only statement in node; NULL when there are more. */
static const char *only_label(const struct node *node)
{
    if (node->kind == NODE_STATEMENT)
        return node->statement->label;
    return node->n_child == 1 ? only_label(node->child[0]) : NULL;
}

/* `jj_n`; `jj_n_S` where another loop's end is called that. */
static const char *extent_name(struct extents *extents, const struct node *loop)
{
    struct arena *arena = extents->lowering->arena;
    int64_t first;
    const bool counts = affine_is_constant(loop->lower, &first) && first == 0;
    const char *name = arena_printf(arena, counts ? "%s_n" : "%s_end", loop->var->name), *label = only_label(loop);

    if (label && names_has(&extents->used, name))
        name = arena_printf(arena, "%s_%s", name, label);
    return names_unique(&extents->used, name);
}

static const struct node *name_here(struct extents *extents, const struct node *node);

/* Names in one block differ, so that none of its children needs a block of its own. */
static const struct node *name_in_children(struct extents *extents, const struct node *block)
{
    struct arena *arena = extents->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *);
    const int n_used = extents->used.used.n;

    for (int k = 0; k < block->n_child; k++) {
        child[k] = name_here(extents, block->child[k]);
        if (!child[k])
            return NULL;
        for (const struct node *value = child[k]; value->kind == NODE_VALUE; value = value->child[0])
            if (!names_has(&extents->used, value->var->name))
                names_add(&extents->used, value->var->name);
    }
    extents->used.used.n = n_used;
    return node_with_children(arena, block, child);
}

/* node with names for the ends that are known here, as values around the part of it that uses them. */
static const struct node *name_here(struct extents *extents, const struct node *node)
{
    struct arena *arena = extents->lowering->arena;
    const struct node *loop = find_loop(extents, node);
    const int n_used = extents->used.used.n;
    struct naming naming;
    struct var *var;

    if (!loop)
        return node;
    if (node->kind == NODE_BLOCK)
        loop = find_shared(extents, node, node);
    if (!loop)
        return name_in_children(extents, node);
    loop = first_to_end(arena, node, loop->upper);
    if (!loop)
        return node;
    naming.lowering = extents->lowering;
    naming.end = bound_add(arena, loop->upper, affine_constant(arena, 1));
    if (!naming.end)
        return NULL;
    var = lower_new_var(extents->lowering, VAR_VALUE, extent_name(extents, loop));
    naming.name = affine_var(arena, var);
    node = use_name(&naming, node);
    node = node ? name_here(extents, node) : NULL;
    extents->used.used.n = n_used;
    return node ? node_value(arena, var, naming.end, node) : NULL;
}

/* Is it a loop inside of a collapsed one, with nothing between them? */
static bool is_of_tuple(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->tuple == -1;
}

static const struct node *walk(struct extents *extents, const struct node *node)
{
    struct arena *arena = extents->lowering->arena;
    const bool binds = node->kind == NODE_LOOP || node->kind == NODE_VALUE;
    const int n_used = extents->used.used.n;
    const struct node **child;

    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    if (binds)
        VEC_PUSH(arena, &extents->bound, node->var);
    if (node->kind == NODE_VALUE)
        names_add(&extents->used, node->var->name);
    for (int k = 0; k < node->n_child; k++) {
        const bool here = binds && !lower_is_inner(node->child[k]) && !is_of_tuple(node->child[k]);
        const struct node *body = here ? name_here(extents, node->child[k]) : node->child[k];
        child[k] = body ? walk(extents, body) : NULL;
        if (!child[k])
            return NULL;
    }
    extents->bound.n -= binds;
    extents->used.used.n = n_used;
    return node_with_children(arena, node, child);
}

const struct node *lower_extent(struct lowering *lowering, const struct node *tree)
{
    struct extents extents = {.lowering = lowering, .used = {.arena = lowering->arena}};

    lower_used_names(lowering, tree, &extents.used);
    tree = name_here(&extents, tree);
    return tree ? walk(&extents, tree) : NULL;
}
