#include "lower/vector/lanes.h"

#include "lower/vector/lane_bools.h"
#include "lower/vector/lane_ends.h"
#include "program/program.h"
#include "tree/visit.h"

const struct node *lanes_refuse(struct lanes *lanes, const char *hint, const char *text)
{
    if (!lanes->refused) {
        struct diag *diag =
            diag_error(lanes->lowering->diags, lanes->step->primitive->name, lanes->step->place, "%s", text);
        if (hint)
            diag_hint(lanes->lowering->diags, diag, "%s", hint);
    }
    lanes->refused = true;
    return NULL;
}

const struct node *lanes_refuse_name(struct lanes *lanes, const char *before, const char *name, const char *after)
{
    return lanes_refuse(lanes, NULL, arena_printf(lanes->lowering->arena, "%s`%s`%s", before, name, after));
}

const struct lane_own *lanes_own(const struct lanes *lanes, const struct element *element)
{
    for (int k = 0; k < lanes->own.n; k++)
        if (lanes->own.at[k].element.array == element->array &&
            element_same_subscripts(&lanes->own.at[k].element, element))
            return &lanes->own.at[k];
    return NULL;
}

const struct vector *lanes_vector(const struct lanes *lanes, const struct var *sum)
{
    struct vector *vector = ARENA_NEW(lanes->lowering->arena, struct vector);

    *vector = (struct vector){.lanes = lanes->n, .count = lanes->count, .active = lanes->active, .sum = sum};
    return vector;
}

/* node with the names that its masks have got. */
static const struct node *with_masks(struct lanes *lanes, const struct node *node)
{
    while (lanes->masks.n > 0) {
        lanes->masks.n--;
        node = node_with_body(lanes->lowering->arena, lanes->masks.at[lanes->masks.n], node);
    }
    return node;
}

static const struct node *convert(struct lanes *lanes, const struct node *node);

/* `t`, `t_0` for t[0] */
static const char *own_name(struct arena *arena, const struct element *element)
{
    const char *name = element->array->name;
    int64_t value;

    for (int k = 0; k < element->array->n_dim; k++)
        if (affine_is_constant(element->index[k], &value))
            name = arena_printf(arena, "%s_%lld", name, (long long)value);
    return name;
}

/* A declaration and what follows it in its block: the variable is a vector. */
static const struct node *declare_own(struct lanes *lanes, const struct node *declaration, const struct node *rest)
{
    struct arena *arena = lanes->lowering->arena;
    const struct tree_expr *value = lanes_expr(lanes, declaration->value);
    struct vector *vector = ARENA_NEW(arena, struct vector);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *let = ARENA_NEW(arena, struct node);
    const struct node *result;

    *vector = *lanes_vector(lanes, NULL);
    *let = (struct node){.kind = NODE_LET,
                         .op = OP_NONE,
                         .child = child,
                         .n_child = 1,
                         .value = value,
                         .vector = vector,
                         .var = lower_new_var(lanes->lowering, VAR_VALUE, own_name(arena, &declaration->target))};
    let->statement = declaration->statement;
    let->argument = declaration->argument;
    lanes_set_instances(lanes, let);
    let->declares = declaration->declares == DECLARE_VARIABLE ? DECLARE_VARIABLE : DECLARE_NOTHING;
    VEC_PUSH(arena, &lanes->own, ((struct lane_own){declaration->target, let->var, vector}));
    result = with_masks(lanes, let);
    child[0] = convert(lanes, rest);
    lanes->own.n--;
    return value && child[0] ? result : NULL;
}

/* What stands behind child k of a block. */
static const struct node *rest_of(struct arena *arena, const struct node *block, int k)
{
    return node_block(arena, block->child + k + 1, block->n_child - k - 1);
}

static const struct node *convert_block(struct lanes *lanes, const struct node *node)
{
    struct arena *arena = lanes->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        const bool declares = node->child[k]->kind == NODE_ASSIGN && node->child[k]->declares && k + 1 < node->n_child;
        child[k] =
            declares ? declare_own(lanes, node->child[k], rest_of(arena, node, k)) : convert(lanes, node->child[k]);
        if (!child[k])
            return NULL;
        if (declares)
            return node_block(arena, child, k + 1);
    }
    return node_block_like(arena, node, child, node->n_child);
}

/* The smaller of two counts; NULL: no bound. */
static const struct affine *least(struct arena *arena, const struct affine *a, const struct affine *b)
{
    const struct affine *both[2] = {a, b};

    return a && !affine_equal(a, b) ? affine_extreme(arena, ATOM_MIN, both, 2) : b;
}

static enum type first_type(const struct node *node)
{
    while (node->n_child > 0)
        node = node->child[0];
    return node->kind == NODE_ASSIGN ? node->target.array->type : TYPE_I32;
}

/* node for the active lanes, whose mask gets a name, which all lanes have. */
static const struct node *with_active(struct lanes *lanes, const struct node *node)
{
    const struct tree_expr *mask = lanes->active, *name;
    const struct node *let;

    lanes->active = NULL;
    let = lanes_name_mask(lanes, mask, first_type(node), &name);
    lanes->active = name;
    node = convert(lanes, node);
    return node_with_body(lanes->lowering->arena, let, node);
}

struct leaving {
    const struct lanes *lanes;
    const struct array *array; /* a variable of the lanes outside of the function that uses it; NULL: none yet */
};

static void note_own(struct leaving *leaving, const struct array *array)
{
    const struct lanes *lanes = leaving->lanes;

    for (int k = 0; k < lanes->own.n; k++)
        if (lanes->own.at[k].element.array == array)
            leaving->array = array;
    for (int k = 0; k < lanes->sums.n; k++)
        if (lanes->sums.at[k].assign->target.array == array)
            leaving->array = array;
}

static void note_load(const struct tree_expr *expr, void *user)
{
    note_own(user, expr->element.array);
}

static void note_use(const struct node *node, void *user)
{
    note_own(user, node->target.array);
    tree_expr_for_each(node->value, note_load, user);
    tree_expr_for_each(node->guard_value, note_load, user);
}

/* The body of a function, which makes the mask of the active lanes itself. */
static const struct node *convert_call(struct lanes *lanes, const struct node *call)
{
    struct lanes inside = *lanes;
    struct leaving leaving = {lanes, NULL};
    const struct node *body;

    node_for_each(call, note_use, &leaving);
    if (leaving.array)
        return lanes_refuse(lanes, "use another tail than `cases` inside of the loop",
                            arena_printf(lanes->lowering->arena,
                                         "the lanes of `%s` are a variable, which functions for remainders do not have",
                                         leaving.array->name));
    inside.active = lanes->told;
    body = lanes->told ? with_active(&inside, call->child[0]) : convert(&inside, call->child[0]);
    lanes->refused = inside.refused;
    return body ? node_with_body(lanes->lowering->arena, call, body) : NULL;
}

static void and_lanes(struct lanes *lanes, const struct tree_expr *mask)
{
    lanes->active = lanes_both(lanes->lowering->arena, lanes->active, mask);
    lanes->told = lanes_both(lanes->lowering->arena, lanes->told, mask);
}

/* node for the lanes where mask is true. */
static const struct node *convert_under(struct lanes *lanes, const struct tree_expr *mask, const struct node *node)
{
    struct lanes inside = *lanes;
    const struct node *result;

    and_lanes(&inside, mask);
    inside.branches = true;
    result = with_active(&inside, node);
    lanes->refused = inside.refused;
    return lanes_check_shared(lanes, result);
}

static bool depends(const struct lanes *lanes, const struct guard *guard)
{
    for (int k = 0; k < guard->n; k++)
        if (affine_uses(guard->condition[k].affine, lanes->lane))
            return true;
    return false;
}

/* Any of the alternatives, as a mask. */
static const struct tree_expr *any_of(struct lanes *lanes, const struct node *node)
{
    struct arena *arena = lanes->lowering->arena;
    const struct tree_expr *none = NULL;

    for (int k = 0; k < node->n_alternative; k++) {
        const struct tree_expr *all = NULL;
        for (int c = 0; c < node->alternative[k].n; c++)
            all = lanes_both(arena, all, lanes_condition(lanes, &node->alternative[k].condition[c]));
        none = lanes_both(arena, none, lanes_not(arena, all));
    }
    return lanes_not(arena, none);
}

/* if .. else, or several alternatives: each branch runs for its lanes. */
static const struct node *convert_branches(struct lanes *lanes, const struct node *node)
{
    struct arena *arena = lanes->lowering->arena;
    const struct tree_expr *mask = any_of(lanes, node);
    const struct node *part[2] = {NULL, NULL};

    if (lanes->refused)
        return NULL;
    part[0] = convert_under(lanes, mask, node->child[0]);
    if (part[0] && node->n_child == 2)
        part[1] = convert_under(lanes, lanes_not(arena, mask), node->child[1]);
    return !part[0] || (node->n_child == 2 && !part[1]) ? NULL : node_block(arena, part, node->n_child);
}

/* A condition that holds for the first lanes only says how many of them; others are masks. */
static const struct node *convert_conjunction(struct lanes *lanes, const struct node *node)
{
    struct arena *arena = lanes->lowering->arena;
    const struct guard *all = &node->alternative[0];
    struct condition *left = ARENA_ARRAY(arena, all->n + 1, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    struct lanes inside = *lanes;
    const struct node *body = NULL;
    int64_t factor;

    for (int k = 0; k < all->n; k++) {
        const struct condition *condition = &all->condition[k];
        if (!affine_uses(condition->affine, lanes->lane))
            left[guard->n++] = *condition;
        else if (lanes_factor(lanes, condition->affine, &factor) && factor == -1 && !condition->equal)
            inside.count =
                least(arena, inside.count, affine_add_constant(arena, lanes_first(lanes, condition->affine), 1));
        else
            and_lanes(&inside, lanes_condition(&inside, condition));
        inside.branches |= condition->equal;
        VEC_PUSH(arena, &inside.conditions, *condition);
    }
    if (!inside.refused)
        body = inside.active != lanes->active ? with_active(&inside, node->child[0]) : convert(&inside, node->child[0]);
    lanes->refused = inside.refused;
    if (body && inside.active != lanes->active)
        body = lanes_check_shared(lanes, body);
    if (body && inside.count != lanes->count && lanes->whole)
        return lanes_refuse(lanes, "use the tail `mask`", "there are iterations that fill no vector of this loop");
    if (body && inside.count != lanes->count)
        body = lanes_if_any(lanes, inside.count, body);
    guard->condition = left;
    return !body ? NULL : guard->n ? node_if(arena, guard, 1, body) : body;
}

/* Number of the condition that is an equality of the lane and something else, which leaves one lane: *single; -1. */
static int single_lane(const struct lanes *lanes, const struct guard *all, const struct affine **single)
{
    struct arena *arena = lanes->lowering->arena;
    int64_t factor;

    for (int k = 0; k < all->n; k++)
        if (all->condition[k].equal && lanes_factor(lanes, all->condition[k].affine, &factor) &&
            (factor == 1 || factor == -1)) {
            *single = affine_scale(arena, lanes_first(lanes, all->condition[k].affine), -factor);
            return k;
        }
    return -1;
}

static bool always_holds(const struct condition *condition)
{
    int64_t value;

    return affine_is_constant(condition->affine, &value) && (condition->equal ? value == 0 : value >= 0);
}

static void add_condition(struct arena *arena, struct guard *guard, const struct condition *added)
{
    struct condition *condition = ARENA_ARRAY(arena, guard->n + 1, struct condition);

    if (guard_has(guard, added) || always_holds(added))
        return;
    for (int k = 0; k < guard->n; k++)
        condition[k] = guard->condition[k];
    condition[guard->n] = *added;
    *guard = (struct guard){condition, guard->n + 1};
}

static void add_bound(struct arena *arena, struct guard *guard, const struct affine *at_least_zero)
{
    const struct condition bound = {at_least_zero, false};

    add_condition(arena, guard, &bound);
}

/* What condition, an equality or not, says of that lane. */
static void add_of_lane(const struct lanes *lanes, struct guard *guard, const struct condition *condition,
                        const struct affine *lane)
{
    struct arena *arena = lanes->lowering->arena;
    const struct condition there = {affine_substitute(arena, condition->affine, lanes->lane, lane), condition->equal};

    add_condition(arena, guard, &there);
}

/* Does node use a variable that each lane has for itself? One lane alone does not have it. */
static bool uses_own(const struct lanes *lanes, const struct node *node)
{
    struct lanes without_sums = *lanes;
    struct leaving leaving = {&without_sums, NULL};

    without_sums.sums.n = 0;
    node_for_each(node, note_use, &leaving);
    return leaving.array;
}

/* if (i == m): at most one lane runs, by itself. NULL: that is not the form of the condition. */
static const struct node *convert_single(struct lanes *lanes, const struct node *node)
{
    struct arena *arena = lanes->lowering->arena;
    const struct guard *all = &node->alternative[0];
    const struct affine *lane = NULL;
    const int single = single_lane(lanes, all, &lane);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    if (!lane || lanes->branches || uses_own(lanes, node->child[0]))
        return NULL;
    add_bound(arena, guard, lane);
    add_bound(arena, guard, affine_sub(arena, affine_constant(arena, lanes->n - 1), lane));
    if (lanes->count)
        add_bound(arena, guard, affine_add_constant(arena, affine_sub(arena, lanes->count, lane), -1));
    for (int k = 0; k < lanes->conditions.n; k++)
        add_of_lane(lanes, guard, &lanes->conditions.at[k], lane);
    for (int k = 0; k < all->n; k++)
        if (k != single)
            add_of_lane(lanes, guard, &all->condition[k], lane);
    return node_if(arena, guard, 1,
                   lane_bools_scalar(arena, node_substitute(arena, node->child[0], lanes->lane, lane)));
}

/* Child k of a node that is the same for all lanes. */
static const struct node *convert_child(struct lanes *lanes, const struct node *node, int k)
{
    const struct facts *facts = lanes->facts;
    struct facts inside = *facts;
    const struct node *child;

    facts_enter(&inside, node, k);
    lanes->facts = &inside;
    child = convert(lanes, node->child[k]);
    lanes->facts = facts;
    return child;
}

static const struct node *convert_children(struct lanes *lanes, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(lanes->lowering->arena, node->n_child, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        child[k] = convert_child(lanes, node, k);
        if (!child[k])
            return NULL;
    }
    return node_with_children(lanes->lowering->arena, node, child);
}

/* Does child k of node run in vectors with lanes that are not active only? */
static bool runs_partial(const struct lanes *lanes, const struct node *node, int k)
{
    struct facts inside = *lanes->facts;

    facts_enter(&inside, node, k);
    return !lanes->count && !facts_possible(&inside);
}

/* A loop or a condition that is the same for all lanes, without what never runs where all lanes do. */
static const struct node *convert_governed(struct lanes *lanes, const struct node *node)
{
    struct arena *arena = lanes->lowering->arena;
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node *all;

    for (int k = 0; k < node->n_child; k++)
        if (runs_partial(lanes, node, k))
            return node->n_child == 2 ? convert_child(lanes, node, 1 - k) : node_block(arena, NULL, 0);
    all = convert_children(lanes, node);
    if (!all)
        return NULL;
    *copy = *all;
    while (copy->n_child > 0 && node_is_empty(copy->child[copy->n_child - 1]))
        copy->n_child--;
    return copy->n_child == all->n_child ? all : copy->n_child > 0 ? copy : node_block(arena, NULL, 0);
}

static const struct node *convert_if(struct lanes *lanes, const struct node *node)
{
    bool any = false;

    for (int k = 0; k < node->n_alternative; k++)
        any = any || depends(lanes, &node->alternative[k]);
    if (!any)
        return convert_governed(lanes, node);
    if (node->n_alternative > 1 || node->n_child > 1)
        return convert_branches(lanes, node);
    const struct node *single = convert_single(lanes, node);
    return single ? single : convert_conjunction(lanes, node);
}

/* The bounds of the loop over that variable depend on the lane. */
static const struct node *refuse_iterations(struct lanes *lanes, const char *name)
{
    return lanes_refuse(lanes,
                        "put that loop around this one by `reorder`, and what else is in this one apart by `fission`; "
                        "or vectorize that one",
                        arena_printf(lanes->lowering->arena, "the lanes run different iterations of `%s`", name));
}

/* assign, with its condition on data as the mask of its lanes. */
static const struct node *convert_masked(struct lanes *lanes, const struct node *assign)
{
    struct node *copy = ARENA_NEW(lanes->lowering->arena, struct node);
    const struct tree_expr *mask = lanes_expr(lanes, assign->guard_value);

    *copy = *assign;
    copy->guard_value = NULL;
    return mask ? convert_under(lanes, mask, copy) : NULL;
}

static const struct node *convert_loop(struct lanes *lanes, const struct node *loop)
{
    const struct node *all = convert_governed(lanes, loop);

    return all && !node_is_empty(all) && loop->guard_value ? lanes_ended(lanes, all) : all;
}

/* body of the loop at hand, for all its lanes. */
static const struct node *convert(struct lanes *lanes, const struct node *node)
{
    switch (node->kind) {
    case NODE_ASSIGN:
        if (lanes_assign_divides(node))
            return lanes_refuse(lanes, NULL,
                                "a division under a condition on data would run in vectors where it does not hold");
        if (lanes_loads_by_condition(node))
            return convert_masked(lanes, node);
        return with_masks(lanes, lanes_assign(lanes, node));
    case NODE_IF:
        return convert_if(lanes, node);
    case NODE_BLOCK:
        return convert_block(lanes, node);
    case NODE_VALUE:
        if (affine_uses(node->lower, lanes->lane))
            return convert(lanes, node_substitute(lanes->lowering->arena, node->child[0], node->var, node->lower));
        return convert_children(lanes, node);
    case NODE_LOOP:
        if (affine_uses(node->lower, lanes->lane) || affine_uses(node->upper, lanes->lane))
            return refuse_iterations(lanes, node->var->name);
        return convert_loop(lanes, node);
    case NODE_TUPLE:
        for (int k = 0; k < node->n_part; k++)
            if (affine_uses(node->part[k].first, lanes->lane) || affine_uses(node->part[k].extent, lanes->lane))
                return refuse_iterations(lanes, node->part[k].var->name);
        return convert_children(lanes, node);
    case NODE_SWITCH:
        if (affine_uses(node->lower, lanes->lane))
            return lanes_refuse(lanes, "use another tail than `cases` inside of the loop",
                                "the lanes have different remainders of a loop inside");
        return convert_children(lanes, node);
    case NODE_CALL:
        return convert_call(lanes, node);
    case NODE_TEXT:
        return lanes_refuse_name(lanes, "the text of ", node->instruction, " is for one lane");
    default:
        return convert_children(lanes, node);
    }
}

const struct node *lanes_body(struct lanes *lanes, const struct node *body)
{
    const struct node *result = convert(lanes, body);

    return lanes->refused ? NULL : result;
}
