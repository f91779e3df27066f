/* Pass "clip": a loop all of whose iterations are under conditions on data that bound its variable begins and ends
 * where these say,
 *
 *     for (k = 0; k < Z; k++)                        const int64_t k_begin = start[i], k_end = start[i + 1];
 *         if (start[i] <= k && k < start[i + 1])     for (k = k_begin; k < k_end; k++)
 *             y[i] += a[k];                              y[i] += a[k];
 *
 * and the conditions go. What is read is of arrays that nothing writes, the same in all iterations, and inside of its
 * array wherever the loop stands. Bounds of the order stay beside those that data gives, where `values` does not tell
 * which of both is the closer one.
 */
#include "lower/body/clip_bound.h"
#include "lower/facts/some_update.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

/* As many iterations as a vector may have are its lanes. */
enum { MOST_LANES = 64 };

/* Names between the loop and the place at hand, innermost first. */
struct inner_name {
    const struct node *value;
    const struct inner_name *outer;
};

/* The loop at hand, and the bounds that all of its assignments so far have. */
struct clip {
    struct lowering *lowering;
    const struct node *loop;
    var_list inner; /* the variables that are bound in it, and its own */
    bool refused, started;
    bound_list bound;
};

static void add_inner(const struct node *node, void *user)
{
    struct clip *clip = user;
    struct arena *arena = clip->lowering->arena;

    if (node->var)
        VEC_PUSH(arena, &clip->inner, node->var);
    switch (node->kind) {
    case NODE_BLOCK:
    case NODE_LOOP:
    case NODE_VALUE:
    case NODE_SWITCH:
        break;
    case NODE_IF:
        clip->refused |= node->value != NULL;
        break;
    case NODE_ASSIGN:
        clip->refused |= !node->guard_value || node->warp_sum;
        break;
    default:
        clip->refused = true;
    }
}

/* The bound that a condition of an assignment is for the loop's variable; false: it is none. */
static bool bound_of(const struct clip *clip, const struct inner_name *names, const struct tree_expr *condition,
                     struct bound *bound)
{
    struct arena *arena = clip->lowering->arena;
    struct sum sum;

    if (!sum_of_comparison(arena, condition, &sum))
        return false;
    for (; names && sum.affine; names = names->outer)
        sum_substitute(arena, &sum, names->value->var, names->value->lower);
    return sum.affine && bound_from(arena, &sum, clip->loop->var, &clip->inner, bound);
}

static void add_bounds(const struct clip *clip, const struct inner_name *names, const struct tree_expr *condition,
                       bound_list *list)
{
    struct bound bound;

    if (condition->kind == TREE_BINARY && condition->op == OP_LAND) {
        add_bounds(clip, names, condition->arg[0], list);
        add_bounds(clip, names, condition->arg[1], list);
    } else if (bound_of(clip, names, condition, &bound)) {
        VEC_PUSH(clip->lowering->arena, list, bound);
    }
}

/* Bounds of the loop that one more assignment does not have are none. */
static void keep_common(struct clip *clip, const bound_list *own)
{
    int n = 0;

    if (!clip->started)
        clip->bound = *own;
    clip->started = true;
    for (int k = 0; k < clip->bound.n; k++)
        if (bound_find(own, &clip->bound.at[k]))
            clip->bound.at[n++] = clip->bound.at[k];
    clip->bound.n = n;
}

static void find_bounds(struct clip *clip, const struct inner_name *names, const struct node *node)
{
    const struct inner_name name = {node, names};
    bound_list own = {0};

    for (int k = 0; k < node->n_child; k++)
        find_bounds(clip, node->kind == NODE_VALUE ? &name : names, node->child[k]);
    if (node->kind != NODE_ASSIGN)
        return;
    add_bounds(clip, names, node->guard_value, &own);
    keep_common(clip, &own);
}

/* The condition without those that the loop's bounds see to; NULL: nothing is left. */
static const struct tree_expr *remaining(const struct clip *clip, const struct inner_name *names,
                                         const struct tree_expr *condition)
{
    struct bound bound;

    if (condition->kind == TREE_BINARY && condition->op == OP_LAND) {
        const struct tree_expr *a = remaining(clip, names, condition->arg[0]);
        const struct tree_expr *b = remaining(clip, names, condition->arg[1]);
        if (!a || !b)
            return a ? a : b;
        if (a == condition->arg[0] && b == condition->arg[1])
            return condition;
        return tree_expr_binary(clip->lowering->arena, OP_LAND, condition->type, a, b);
    }
    return bound_of(clip, names, condition, &bound) && bound_find(&clip->bound, &bound) ? NULL : condition;
}

static const struct node *relieved(const struct clip *clip, const struct inner_name *names, const struct node *node)
{
    struct arena *arena = clip->lowering->arena;
    const struct inner_name name = {node, names};
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_ASSIGN) {
        struct node *copy = ARENA_NEW(arena, struct node);
        *copy = *node;
        copy->guard_value = remaining(clip, names, node->guard_value);
        return copy;
    }
    for (int k = 0; k < node->n_child; k++)
        child[k] = relieved(clip, node->kind == NODE_VALUE ? &name : names, node->child[k]);
    return node_with_children(arena, node, child);
}

/* The first bound of that kind that fits its types, and all of whose elements are there where the loop stands; NULL:
 * none. */
static const struct bound *choose(const struct clip *clip, const struct facts *facts, bool upper)
{
    struct facts inside = *facts;

    facts_enter_loop(&inside, clip->loop);
    for (int k = 0; k < clip->bound.n; k++) {
        const struct bound *bound = &clip->bound.at[k];
        bool there = bound->upper == upper && sum_fits(&inside, &bound->sum);
        for (int l = 0; l < bound->sum.n && there; l++)
            there = element_is_there(facts, &bound->sum.load[l].expr->element);
        if (there)
            return bound;
    }
    return NULL;
}

static const char *name_of(struct lowering *lowering, const struct node *loop, bool upper)
{
    return names_unique(&lowering->taken,
                        arena_printf(lowering->arena, upper ? "%s_end" : "%s_begin", loop->var->name));
}

/* Is the bound the closer one of it and of limit, where the order has it? */
static bool is_closer(const struct facts *facts, const struct node *let, bool upper)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *own = affine_var(arena, let->var);
    const struct affine *between = upper ? affine_sub(arena, let->limit, own) : affine_sub(arena, own, let->limit);

    return between && facts_imply(facts, between);
}

/* A name for the bound, or for the closer one of it and of limit, where the order has it; nothing is inside yet. */
static struct node *bound_name(struct facts *facts, const struct node *loop, const struct bound *bound,
                               const struct affine *limit)
{
    struct lowering *lowering = facts->lowering;
    struct node *let = ARENA_NEW(lowering->arena, struct node);
    struct facts inside = *facts;

    *let = (struct node){.kind = NODE_LET, .n_child = 1, .limit = limit};
    let->value = sum_value(lowering->arena, &bound->sum);
    let->var = lower_new_var(lowering, VAR_VALUE, name_of(lowering, loop, bound->upper));
    let->known = bound_known(lowering, bound, let->var);
    facts_enter(&inside, let, 0);
    if (!is_closer(&inside, let, bound->upper)) {
        let->value = bound_limited(lowering->arena, bound, let->value, limit);
        let->known = bound_closer(lowering->arena, bound, let->var, limit);
    }
    facts_enter(facts, let, 0);
    return let;
}

/* The loop with these bounds, under their names. */
static const struct node *with_bounds(const struct clip *clip, struct facts facts, const struct bound *const *chosen,
                                      const struct node *body)
{
    struct arena *arena = facts.lowering->arena;
    const struct node *loop = clip->loop, *result;
    const struct affine *end[2] = {loop->lower, affine_add_constant(arena, loop->upper, 1)};
    struct node *let[2] = {NULL, NULL};

    for (int upper = 0; upper < 2 && end[1]; upper++) {
        if (!chosen[upper])
            continue;
        let[upper] = bound_name(&facts, loop, chosen[upper], end[upper]);
        end[upper] = affine_var(arena, let[upper]->var);
    }
    result = node_with_bounds(arena, node_with_body(arena, loop, body), end[0], affine_add_constant(arena, end[1], -1));
    for (int upper = 1; upper >= 0 && result; upper--) {
        const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
        if (!let[upper])
            continue;
        child[0] = result;
        let[upper]->child = child;
        result = let[upper];
    }
    return result;
}

/* Is it a loop of its own, one that stays a loop? */
static bool may_clip(struct arena *arena, const struct node *loop)
{
    const struct loop_plan *plan = loop->info ? loop->info->plan : NULL;
    int64_t last;

    if (loop->kind != NODE_LOOP || loop->step != 1 || loop->axis != AXIS_NONE || loop->continues || loop->once ||
        loop->joined || lower_is_inner(loop) || (loop->threads && loop->threads->collapse > 1))
        return false;
    if (!plan || !affine_is_constant(affine_sub(arena, loop->upper, loop->lower), &last))
        return true;
    return !(plan->vector && last < MOST_LANES) && plan->unroll != UNROLL_FULL && plan->unroll != UNROLL_LITERAL;
}

static const struct node *clipped(struct lowering *lowering, const struct facts *outside, const struct node *loop)
{
    struct clip clip = {.lowering = lowering, .loop = loop};
    const struct bound *chosen[2];

    node_for_each(loop, add_inner, &clip);
    if (clip.refused)
        return loop;
    find_bounds(&clip, NULL, loop->child[0]);
    for (int upper = 0; upper < 2; upper++)
        chosen[upper] = choose(&clip, outside, upper);
    clip.bound = (bound_list){0};
    for (int upper = 0; upper < 2; upper++)
        if (chosen[upper])
            VEC_PUSH(lowering->arena, &clip.bound, *chosen[upper]);
    if (clip.bound.n == 0)
        return loop;
    return with_bounds(&clip, *outside, chosen, relieved(&clip, NULL, loop->child[0]));
}

static bool same_name(const struct node *a, const struct node *b)
{
    return a->limit && b->limit && affine_equal(a->limit, b->limit) && tree_expr_equal(a->value, b->value);
}

/* The child, one of a block's, without names for bounds that it starts with and the names around it have. */
static const struct node *renamed(struct arena *arena, const struct node *child, const struct node *const *name, int n)
{
    const struct node *body;

    if (child->kind != NODE_LET || !child->limit)
        return child;
    body = renamed(arena, child->child[0], name, n);
    for (int k = 0; k < n && body; k++)
        if (same_name(name[k], child))
            return node_substitute(arena, body, child->var, affine_var(arena, name[k]->var));
    return body ? node_with_child(arena, child, 0, body) : NULL;
}

/* Does another child of the block start with the name for a bound, too? */
static bool is_shared(const struct node *block, int own, const struct node *name)
{
    for (int k = own + 1; k < block->n_child; k++)
        for (const struct node *let = block->child[k]; let->kind == NODE_LET && let->limit; let = let->child[0])
            if (same_name(let, name))
                return true;
    return false;
}

static bool is_among(const struct node *const *list, int n, const struct node *name)
{
    bool found = false;

    for (int k = 0; k < n && !found; k++)
        found = same_name(list[k], name);
    return found;
}

/* Loops of a block that have bounds in common, under one name for each of these. */
static const struct node *with_common_names(struct arena *arena, const struct node *block)
{
    const struct node **name = ARENA_ARRAY(arena, 2 * block->n_child + 1, const struct node *);
    const struct node **child = ARENA_ARRAY(arena, block->n_child + 1, const struct node *);
    const struct node *result;
    int n = 0;

    for (int k = 0; k < block->n_child; k++)
        for (const struct node *let = block->child[k]; let->kind == NODE_LET && let->limit; let = let->child[0])
            if (is_shared(block, k, let) && !is_among(name, n, let))
                name[n++] = let;
    if (n == 0)
        return block;
    for (int k = 0; k < block->n_child; k++)
        child[k] = renamed(arena, block->child[k], name, n);
    result = node_with_children(arena, block, child);
    for (int k = n - 1; k >= 0 && result; k--)
        result = node_with_child(arena, name[k], 0, result);
    return result;
}

static bool in_lanes(const struct node *node)
{
    return (node->kind == NODE_LOOP || node->kind == NODE_TUPLE) && node->info && node->info->plan &&
           node->info->plan->vector;
}

static const struct node *walk(struct lowering *lowering, const struct facts *facts, const struct node *node)
{
    struct arena *arena = lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    const struct node *result = may_clip(arena, node) ? clipped(lowering, facts, node) : node;

    if (!result || result != node || in_lanes(node))
        return result;
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = walk(lowering, &inside, node->child[k]);
    }
    result = node_with_children(arena, node, child);
    return result && node->kind == NODE_BLOCK ? with_common_names(arena, result) : result;
}

static void find_condition(const struct node *node, void *user)
{
    *(bool *)user |= node->guard_value != NULL;
}

const struct node *lower_clip(struct lowering *lowering, const struct node *tree)
{
    bool conditions = false;
    struct facts facts;

    node_for_each(tree, find_condition, &conditions);
    if (!conditions)
        return tree;
    lower_used_names(lowering, tree, &lowering->taken);
    facts = facts_of_program(lowering);
    return walk(lowering, &facts, tree);
}
