#include "lower/vector/interleave.h"

#include "base/vec.h"
#include "caps/simd.h"
#include "lower/facts/descend.h"
#include "lower/vector/stores_together.h"
#include "program/program.h"
#include "tree/layout.h"
#include "tree/translate.h"
#include "tree/visit.h"

/* Statements that run one after the other, all their lanes active, and what they load in groups. */
struct region {
    const struct facts *facts;
    VEC(const struct element *) load; /* or stored, all members of groups of them */
    const struct vector *vector;      /* of the statement at hand */
};

bool interleave_offset(struct arena *arena, const struct element *a, const struct element *b, int64_t *offset)
{
    if (a->array != b->array || a->lane_step != b->lane_step)
        return false;
    const int n = a->array->n_dim, fast = array_dense_dimension(a->array, n - 1);

    for (int k = 0; k < n; k++)
        if (k != fast && !affine_equal(a->index[k], b->index[k]))
            return false;
    return affine_is_constant(affine_sub(arena, b->index[fast], a->index[fast]), offset);
}

bool interleave_may(const struct lowering *lowering, const struct element *element, int lanes)
{
    const struct array *array = element->array;
    const struct simd *simd = simd_by_name(lowering->program->target.simd);

    if (!array || array->n_dim == 0 || array->stride || array->in_registers || element->indirect || element->base ||
        element->parts || !element->lane_factor || element->distance)
        return false;
    return element->lane_step >= 2 && element->lane_step <= 4 &&
           simd_has_parts(simd, simd_type_of(simd, array->type, lanes), (int)element->lane_step);
}

struct element interleave_group(struct arena *arena, const struct element *element, int64_t first)
{
    const int n = element->array->n_dim, fast = array_dense_dimension(element->array, n - 1);
    const struct affine **index = ARENA_ARRAY(arena, n, const struct affine *);
    struct element group = *element;

    for (int k = 0; k < n; k++)
        index[k] = k == fast ? affine_add_constant(arena, element->index[k], first) : element->index[k];
    group.index = index;
    group.parts = (int)element->lane_step;
    group.part = (int)-first;
    return group;
}

static bool runs_in_all_lanes(const struct vector *vector)
{
    return vector && !vector->count && !vector->active;
}

/* The sides of `c ? a : b`, and b of `a && b`, are not read in all lanes. */
static int own_args(const struct tree_expr *expr)
{
    const bool stops = expr->kind == TREE_BINARY && (expr->op == OP_LAND || expr->op == OP_LOR);

    return stops || expr->kind == TREE_SELECT ? 1 : expr->n_arg;
}

static void note_element(struct region *region, const struct element *element)
{
    struct lowering *lowering = region->facts->lowering;

    if (interleave_may(lowering, element, region->vector->lanes))
        VEC_PUSH(lowering->arena, &region->load, element);
}

static void note_loads(struct region *region, const struct tree_expr *expr)
{
    if (expr->kind == TREE_LOAD && expr->n_arg == 0)
        note_element(region, &expr->element);
    for (int k = 0; k < own_args(expr); k++)
        note_loads(region, expr->arg[k]);
}

/* All members of the groups that the target is stand for loads: they are there, and these lanes' own. */
static void note_stored(struct region *region, const struct element *target)
{
    struct arena *arena = region->facts->lowering->arena;

    for (int k = 0; k < target->parts; k++) {
        struct element *member = ARENA_NEW(arena, struct element);
        *member = interleave_group(arena, target, k);
        member->parts = member->part = 0;
        note_element(region, member);
    }
}

/* Is node a part of a region by itself? */
static bool is_statement(const struct node *node)
{
    return (node->kind == NODE_ASSIGN || node->kind == NODE_LET) && runs_in_all_lanes(node->vector) &&
           !node->guard_value && node->value && !node->streams;
}

static void note_region(struct region *region, const struct node *node)
{
    if (is_statement(node)) {
        region->vector = node->vector;
        note_loads(region, node->value);
        if (node->kind == NODE_ASSIGN)
            note_stored(region, &node->target);
    }
    for (int k = 0; k < node->n_child && (node->kind == NODE_BLOCK || node->kind == NODE_LET); k++)
        note_region(region, node->child[k]);
}

/* Does the region load the element so far behind this one? */
static bool loads(const struct region *region, const struct element *element, int64_t behind)
{
    int64_t offset;

    for (int k = 0; k < region->load.n; k++)
        if (interleave_offset(region->facts->lowering->arena, element, region->load.at[k], &offset) && offset == behind)
            return true;
    return false;
}

/* How far the first element is that the region loads of the same row. */
static int64_t foremost(const struct region *region, const struct element *element)
{
    int64_t least = 0, offset;

    for (int k = 0; k < region->load.n; k++)
        if (interleave_offset(region->facts->lowering->arena, element, region->load.at[k], &offset) && offset < least)
            least = offset;
    return least;
}

/* Are all members of the groups that start `first` from element loaded? */
static bool loads_all(const struct region *region, const struct element *element, int64_t first)
{
    for (int64_t k = 0; k < element->lane_step; k++)
        if (!loads(region, element, first + k))
            return false;
    return true;
}

/* Are all members of these groups elements of an array that nobody writes? */
static bool is_inside(const struct region *region, const struct element *element, int64_t first)
{
    const struct facts *facts = region->facts;
    struct arena *arena = facts->lowering->arena;
    const struct array *array = element->array;
    const struct scope scope = {facts->lowering->program, facts->lowering->param_var, NULL};
    const int fast = array_dense_dimension(array, array->n_dim - 1);
    const struct affine *index = affine_add_constant(arena, element->index[fast], first), *extent;
    const int64_t own = element->lane_factor[fast], n = own ? element->lane_step * region->vector->lanes : 0;

    if ((array->role != ROLE_IN && array->role != ROLE_CONST) || !index ||
        !affine_from_expr(arena, &scope, array->shape[fast], &extent))
        return false;
    if (own)
        return own == element->lane_step && facts_imply(facts, index) &&
               facts_imply(facts, affine_add_constant(arena, affine_sub(arena, extent, index), -n));
    return affine_is_constant(index, NULL) && index->constant == 0 && affine_is_constant(extent, NULL) &&
           extent->constant == element->lane_step;
}

/* element as a member of groups, if these may be loaded. */
static struct element member(const struct region *region, const struct element *element)
{
    struct arena *arena = region->facts->lowering->arena;
    const int64_t parts = element->lane_step;

    if (!interleave_may(region->facts->lowering, element, region->vector->lanes))
        return *element;
    const int64_t aligned = -(-foremost(region, element) % parts);
    for (int64_t k = 0; k < parts; k++) {
        const int64_t first = -((-aligned + k) % parts);
        if (loads_all(region, element, first) || is_inside(region, element, first))
            return interleave_group(arena, element, first);
    }
    return *element;
}

static const struct tree_expr *in_groups(const struct region *region, const struct tree_expr *expr)
{
    struct arena *arena = region->facts->lowering->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);

    *copy = *expr;
    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = k < own_args(expr) ? in_groups(region, expr->arg[k]) : expr->arg[k];
    copy->arg = arg;
    if (expr->kind == TREE_LOAD && expr->n_arg == 0)
        copy->element = member(region, &expr->element);
    return copy;
}

static const struct node *rewrite_region(struct region *region, const struct node *node)
{
    struct arena *arena = region->facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    struct node *copy = ARENA_NEW(arena, struct node);

    for (int k = 0; k < node->n_child && (node->kind == NODE_BLOCK || node->kind == NODE_LET); k++)
        child[k] = rewrite_region(region, node->child[k]);
    if (node->kind == NODE_BLOCK || node->kind == NODE_LET)
        node = node_with_children(arena, node, child);
    if (!is_statement(node))
        return node;
    region->vector = node->vector;
    *copy = *node;
    copy->value = in_groups(region, node->value);
    return copy;
}

/* A region starts at its outermost node; user: not NULL inside of one, which is rewritten already. */
static const struct node *visit(const struct facts *facts, const struct node *node, void *user)
{
    struct region region = {.facts = facts};
    const bool starts = user == NULL && (is_statement(node) || node->kind == NODE_BLOCK || node->kind == NODE_LET);

    if (starts) {
        node = stores_together(facts->lowering, node);
        note_region(&region, node);
        node = region.load.n ? rewrite_region(&region, node) : node;
    }
    user = node->kind == NODE_BLOCK || node->kind == NODE_LET ? (void *)(uintptr_t)facts : NULL;
    return descend(facts, node, visit, user);
}

const struct node *lower_interleave(struct lowering *lowering, const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);

    return simd_by_name(lowering->program->target.simd) ? visit(&facts, tree, NULL) : tree;
}
