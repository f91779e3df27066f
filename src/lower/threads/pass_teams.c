/* Pass "teams": what the threads of a region run is a function.
 *
 *     #pragma omp parallel for                      static void f_threads(int64_t N, float *y)
 *     for (int64_t i = 0; i < N; i++)               {
 *         y[i] *= 2;                      becomes       #pragma omp for nowait
 *                                                       for (int64_t i = 0; i < N; i++)
 *                                                           y[i] *= 2;
 *                                                   }
 *
 *                                                   #pragma omp parallel
 *                                                   f_threads(N, y);
 *
 * A name that is made in front of a region, such as that of a mask, is made in the function: it has arguments for
 * variables of loops only.
 *
 * This is for functions that are compiled for more instructions than the file is: what clang 14 makes of a region has
 * none of the attributes of the function around it.
 */
#include "lower/lower.h"
#include "lower/pipeline.h"

#include "program/program.h"
#include "tree/visit.h"

static const struct node *called(struct arena *arena, const struct node *body)
{
    static const struct routine threads = {.name = "threads", .comment = "what each thread runs"};

    return node_call(arena, &threads, body);
}

/* A region for a loop that starts threads: they wait where the region ends. */
static const struct node *region_of(struct arena *arena, const struct node *loop)
{
    struct node *inner = node_shared_loop(arena, loop);

    inner->nowait = true;
    return node_region(arena, loop, called(arena, inner));
}

struct search {
    const struct var *var;
    bool found;
};

static void look_at(const struct node *node, void *user)
{
    struct search *search = user;
    const struct vector *vector = node->vector;

    search->found |= vector && (vector->mask == search->var || vector->sum == search->var ||
                                (vector->active && tree_expr_uses(vector->active, search->var)));
}

static bool uses(const struct node *node, const struct var *var)
{
    struct search search = {var, node_uses(node, var)};

    node_for_each(node, look_at, &search);
    return search.found;
}

static bool uses_itself(const struct node *node, const struct var *var)
{
    struct node alone = *node;

    alone.n_child = 0;
    return uses(&alone, var);
}

static bool has_region(const struct node *node)
{
    bool has = node->kind == NODE_REGION;

    for (int k = 0; k < node->n_child && !has; k++)
        has = has_region(node->child[k]);
    return has;
}

/* Does a region in node use the name? */
static bool is_used_in_region(const struct node *node, const struct var *var)
{
    bool used = node->kind == NODE_REGION && uses(node, var);

    for (int k = 0; k < node->n_child && !used; k++)
        used = is_used_in_region(node->child[k], var);
    return used;
}

static const struct node *sunk(struct arena *arena, const struct node *name, const struct node *node);

/* The same with the name where its children use it; NULL: it cannot go there. Loops that share a variable stay
 * neighbours. */
static const struct node *with_sunk(struct arena *arena, const struct node *name, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child, const struct node *);

    if (uses_itself(node, name->var))
        return NULL;
    for (int k = 0; k < node->n_child; k++) {
        const bool shares = node->child[k]->continues || (k + 1 < node->n_child && node->child[k + 1]->continues);
        child[k] = sunk(arena, name, node->child[k]);
        if (!child[k] || (shares && child[k] != node->child[k]))
            return NULL;
    }
    return node_with_children(arena, node, child);
}

/* node with the name inside of the functions of its regions, and around what else uses it. */
static const struct node *sunk(struct arena *arena, const struct node *name, const struct node *node)
{
    const struct node *call;

    if (!uses(node, name->var))
        return node;
    if (!has_region(node))
        return node_with_child(arena, name, 0, node);
    if (node->kind != NODE_REGION)
        return with_sunk(arena, name, node);
    call = node->child[0];
    return node_with_child(arena, node, 0,
                           node_with_child(arena, call, 0, node_with_child(arena, name, 0, call->child[0])));
}

static void note_load(const struct tree_expr *expr, void *user)
{
    const bool loads = expr->kind == TREE_LOAD;

    *(bool *)user |= loads && expr->element.array->role != ROLE_IN && expr->element.array->role != ROLE_CONST;
}

/* Is it the same wherever its variables are? What is in memory may have changed, but for arrays that are only read. */
static bool may_sink(const struct node *name)
{
    bool changes = name->declares || name->target.indirect;

    tree_expr_for_each(name->value, note_load, &changes);
    return !changes;
}

static bool is_name(const struct node *node)
{
    return node->kind == NODE_LET || node->kind == NODE_POINTER;
}

/* A name whose regions are calls already; NULL after reporting that they cannot have it. */
static const struct node *named(struct lowering *lowering, const struct node *name)
{
    const struct node *node = name->child[0];

    if (!is_used_in_region(node, name->var))
        return name;
    node = may_sink(name) ? sunk(lowering->arena, name, node) : NULL;
    if (!node && lowering->status == STATUS_OK)
        diag_hint(lowering->pipeline->diags,
                  diag_error(lowering->pipeline->diags, "parallelize", lowering->program->when_supported->place,
                             "the threads of a variant that asks for its instructions cannot use what is loaded in "
                             "front of them, `%s`",
                             name->var->name),
                  "leave \"when_supported\" out, and emit the variant by itself with --variant");
    if (!node)
        lowering->status = STATUS_REFUSED;
    return node;
}

static const struct node *walk(struct lowering *lowering, const struct node *node)
{
    struct arena *arena = lowering->arena;
    const struct node **child;

    if (node_is_parallel(node))
        return node->threads->shared ? node : region_of(arena, node);
    if (!node->n_child)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = node->kind == NODE_REGION ? called(arena, node->child[k]) : walk(lowering, node->child[k]);
        if (!child[k])
            return NULL;
    }
    node = node_with_children(arena, node, child);
    return is_name(node) ? named(lowering, node) : node;
}

const struct node *lower_teams(struct lowering *lowering, const struct node *tree)
{
    const struct program *program = lowering->program;

    return program->target.openmp && program->when_supported ? walk(lowering, tree) : tree;
}
