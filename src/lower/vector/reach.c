#include "lower/vector/reach.h"

#include "lower/facts/descend.h"
#include "program/program.h"
#include "tree/translate.h"
#include "tree/visit.h"

/* The assignment or LET at hand, and what is known there. */
struct touch {
    const struct facts *facts;
    const struct vector *vector;
    bool outside; /* an element may be */
};

/* Does a subscript stay below the extent of the dimension, or right behind it where it is the lanes' own? */
static bool is_below(const struct facts *facts, const struct array *array, int dim, const struct affine *index,
                     bool moves)
{
    const struct lowering *lowering = facts->lowering;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    const struct affine *extent, *left;

    if (!affine_from_expr(lowering->arena, &parameters, array->shape[dim], &extent))
        return false;
    left = affine_sub(lowering->arena, extent, index);
    return left && facts_imply(facts, moves ? left : affine_add_constant(lowering->arena, left, -1));
}

/* Do the lanes' elements start inside of the array, or behind its end? Buffers have room for all of a tile. */
static bool starts_inside(const struct facts *facts, const struct element *element)
{
    const struct array *array = element->array;

    for (int k = 0; k < array->n_dim; k++) {
        const bool moves = element->lane_factor && element->lane_factor[k] != 0;
        if (element->index[k] &&
            !(facts_imply(facts, element->index[k]) && is_below(facts, array, k, element->index[k], moves)))
            return false;
    }
    return true;
}

bool reach_is_there(const struct facts *facts, const struct element *element)
{
    const struct array *array = element->array;

    for (int k = 0; k < array->n_dim && !array->is_buffer; k++)
        if (!element->index[k] || !facts_imply(facts, element->index[k]) ||
            !is_below(facts, array, k, element->index[k], false))
            return false;
    return true;
}

static void look_at(struct touch *touch, const struct element *element)
{
    const struct array *array = element->array;

    if (!touch->outside && array && array->n_dim > 0 && element->lane_step != 0 && !array->in_registers &&
        !array->is_buffer)
        touch->outside = !starts_inside(touch->facts, element);
}

static void look_at_load(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        look_at(user, &expr->element);
}

/* May node, whose lanes may all be off, have elements outside of their arrays? */
static bool reaches(const struct facts *facts, const struct node *node)
{
    struct touch touch = {.facts = facts, .vector = node->vector};
    const struct affine *count = node->vector ? node->vector->count : NULL;

    if (!count || facts_imply(facts, affine_add_constant(facts->lowering->arena, count, -1)))
        return false;
    if (node->kind == NODE_ASSIGN && !node->vector->sum)
        look_at(&touch, &node->target);
    tree_expr_for_each(node->value, look_at_load, &touch);
    tree_expr_for_each(node->guard_value, look_at_load, &touch);
    return touch.outside;
}

/* The terms that a and b share. */
static const struct affine *shared_terms(struct arena *arena, const struct affine *a, const struct affine *b)
{
    const struct affine *shared = affine_constant(arena, 0);

    for (int k = 0; k < a->n_term; k++) {
        const struct affine term = {0, 1, &a->term[k]};
        const struct affine *without = affine_sub(arena, b, &term);
        if (without && without->n_term < b->n_term)
            shared = affine_add(arena, shared, &term);
    }
    return shared;
}

/* The one of a and b that comes first for lanes that go on by factor. */
static const struct affine *first_of(struct arena *arena, const struct affine *a, const struct affine *b,
                                     int64_t factor)
{
    const struct affine *shared = b ? shared_terms(arena, a, b) : NULL;
    const struct affine *both[2] = {affine_sub(arena, a, shared), affine_sub(arena, b, shared)};

    return both[0] && both[1]
               ? affine_add(arena, shared, affine_extreme(arena, factor > 0 ? ATOM_MIN : ATOM_MAX, both, 2))
               : NULL;
}

/* element where the last active lane's is, if its subscripts lie behind. */
static struct element clamped(struct arena *arena, const struct element *element, void *user)
{
    const struct touch *touch = user;
    const int n = element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    const struct affine *last = affine_add_constant(arena, touch->vector->count, -1);
    struct element result = *element;

    if (element->lane_step == 0 || !element->lane_factor || element->array->in_registers || element->array->is_buffer ||
        starts_inside(touch->facts, element))
        return result;
    for (int k = 0; k < n; k++) {
        const int64_t factor = element->lane_factor[k];
        const struct affine *own = element->index[k], *end = affine_add(arena, own, affine_scale(arena, last, factor));
        index[k] = factor ? first_of(arena, own, end, factor) : own;
        if (factor && !index[k])
            return *element;
    }
    result.index = index;
    return starts_inside(touch->facts, &result) ? result : *element;
}

/* Adds a >= 0, or what it says of the arguments of minima, as far as it is not known. */
static void add_conditions(const struct facts *facts, struct guard *guard, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine_term *term = a ? facts_splitting_term(a) : NULL;
    struct condition *all;

    for (int k = 0; term && k < term->atom->n_arg; k++)
        add_conditions(facts, guard, facts_with_argument(arena, a, term, k));
    if (term || !a || facts_imply(facts, a))
        return;
    all = ARENA_ARRAY(arena, guard->n + 1, struct condition);
    for (int k = 0; k < guard->n; k++)
        all[k] = guard->condition[k];
    all[guard->n++] = (struct condition){a, false};
    guard->condition = all;
}

/* node, if any of the lanes below count is active. */
static const struct node *if_any(const struct facts *facts, const struct affine *count, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct guard *guard = ARENA_NEW(arena, struct guard);

    add_conditions(facts, guard, affine_add_constant(arena, count, -1));
    return node_if(arena, guard, 1, node);
}

struct same_lanes {
    const struct affine *count;
    bool differ;
};

/* All lanes of node run together, in memory or in variables that hold their own. */
static void compare_lanes(const struct node *node, void *user)
{
    struct same_lanes *lanes = user;
    const bool assigns = node->kind == NODE_ASSIGN;

    if (!assigns && node->kind != NODE_LET)
        return;
    lanes->differ |= !node->vector || !affine_equal(node->vector->count, lanes->count) ||
                     (assigns && node->target.array->in_registers && node->target.array->n_dim > 0);
}

/* Need none of node run where none of the lanes below count is active? */
static bool may_skip(const struct node *node, const struct affine *count)
{
    struct same_lanes lanes = {count, false};

    node_for_each(node, compare_lanes, &lanes);
    return !lanes.differ;
}

static const struct node *visit(const struct facts *facts, const struct node *node, void *user);

/* The first of n nodes that stands for another count, or may not be skipped with the first one. */
static int together(const struct node *const *node, int n)
{
    const struct affine *count = node[0]->vector->count;
    int k = 1;

    while (k < n && node[k]->vector && affine_equal(node[k]->vector->count, count) && may_skip(node[k], count))
        k++;
    return k;
}

/* Neighbours with the same lanes are under one condition. */
static const struct node *visit_block(const struct facts *facts, const struct node *block)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, block->n_child, const struct node *);
    int n = 0, next;

    for (int k = 0; k < block->n_child; k = next) {
        const struct node *node = block->child[k];
        next = k + 1;
        if (reaches(facts, node) && may_skip(node, node->vector->count)) {
            next = k + together(&block->child[k], block->n_child - k);
            node = if_any(facts, node->vector->count, node_block(arena, &block->child[k], next - k));
        } else {
            node = visit(facts, node, NULL);
        }
        child[n++] = node;
    }
    return n == block->n_child ? node_with_children(arena, block, child) : node_block(arena, child, n);
}

static const struct node *visit(const struct facts *facts, const struct node *node, void *user)
{
    if (node->kind == NODE_BLOCK)
        return visit_block(facts, node);
    if (reaches(facts, node)) {
        struct touch touch = {.facts = facts, .vector = node->vector};
        if (may_skip(node, node->vector->count))
            return if_any(facts, node->vector->count, node);
        node = node_map_elements(facts->lowering->arena, node, clamped, &touch);
    }
    return descend(facts, node, visit, user);
}

const struct node *lower_reach(struct lowering *lowering, const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);

    return visit(&facts, tree, NULL);
}
