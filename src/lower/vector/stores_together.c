#include "lower/vector/stores_together.h"

#include "program/permit.h"
#include "tree/visit.h"

/* Assignments one after the other that store members of the same groups. */
struct storing {
    struct lowering *lowering;
    const struct node *const *assign;
    int n;
    int64_t first; /* from the first one's element to that of its group's first member */
};

static bool may_join(const struct lowering *lowering, const struct node *node)
{
    return node->kind == NODE_ASSIGN && node->vector && !node->vector->count && !node->vector->active &&
           !node->vector->sum && !node->guard_value && !node->into && !node->declares && !node->streams &&
           !node->atomic && node->argument && node->n_inner == 1 && node->value->kind != TREE_DOT &&
           interleave_may(lowering, &node->target, node->vector->lanes);
}

/* How far behind the first one's is the target of assignment k? */
static bool offset_of(const struct storing *storing, int k, int64_t *offset)
{
    return interleave_offset(storing->lowering->arena, &storing->assign[0]->target, &storing->assign[k]->target,
                             offset);
}

/* The members are those from the least one on, each once. */
static bool find_first(struct storing *storing)
{
    int64_t offset, least = 0;
    unsigned seen = 0;

    for (int k = 0; k < storing->n; k++) {
        if (!offset_of(storing, k, &offset))
            return false;
        least = offset < least ? offset : least;
    }
    for (int k = 0; k < storing->n; k++) {
        offset_of(storing, k, &offset);
        if (offset - least >= storing->n)
            return false;
        seen |= 1u << (offset - least);
    }
    storing->first = least;
    return seen == (1u << storing->n) - 1;
}

/* A load, and the assignments in front of it. */
struct reading {
    const struct storing *storing;
    int before;
    bool meets;
};

/* Notes a load of what an assignment before may have written: joined, it would come first. */
static void find_meeting(const struct tree_expr *expr, void *user)
{
    struct reading *reading = user;
    const struct storing *storing = reading->storing;
    const struct element *target = &storing->assign[0]->target;
    int64_t own, offset;

    if (expr->kind != TREE_LOAD || expr->element.array != target->array)
        return;
    if (!expr->element.lane_factor || expr->element.indirect ||
        !interleave_offset(storing->lowering->arena, target, &expr->element, &offset) || offset < storing->first ||
        offset >= storing->first + storing->n)
        reading->meets = true;
    for (int k = 0; k < reading->before && !reading->meets; k++)
        reading->meets = offset_of(storing, k, &own) && own == offset;
}

static bool reads_what_was_written(const struct storing *storing)
{
    struct reading reading = {storing, 0, false};

    for (int k = 1; k < storing->n; k++) {
        reading.before = k;
        tree_expr_for_each(storing->assign[k]->value, find_meeting, &reading);
    }
    return reading.meets;
}

/* What the target's lanes get. */
static const struct tree_expr *new_value(struct lowering *lowering, const struct node *assign)
{
    const enum type type = assign->target.array->type;
    struct tree_expr *old = tree_expr_new(lowering->arena, TREE_LOAD, type);
    struct tree_expr *result = tree_expr_new(lowering->arena, TREE_BINARY, type);
    const struct tree_expr **arg = ARENA_ARRAY(lowering->arena, 2, const struct tree_expr *);

    if (assign->op == OP_NONE)
        return assign->value;
    old->element = assign->target;
    arg[0] = old;
    arg[1] = assign->value;
    result->op = assign->op;
    result->permit = statement_permit(lowering->program, assign->statement);
    result->arg = arg;
    result->n_arg = 2;
    return result;
}

/* node runs the instances of all of them; their lanes are those of the first one. */
static void tell_instances(const struct storing *storing, struct node *node)
{
    struct arena *arena = storing->lowering->arena;
    struct instance_map *also = ARENA_ARRAY(arena, storing->n, struct instance_map);

    for (int k = 1; k < storing->n; k++) {
        const struct node *own = storing->assign[k];
        const struct affine **argument = ARENA_ARRAY(arena, own->statement->n_loop + 1, const struct affine *);
        for (int d = 0; d < own->statement->n_loop; d++)
            argument[d] =
                affine_substitute(arena, own->argument[d], own->inner[0].var, affine_var(arena, node->inner[0].var));
        also[k - 1] = (struct instance_map){own->statement, argument};
    }
    node->also = also;
    node->n_also = storing->n - 1;
}

static const struct node *joined(const struct storing *storing)
{
    struct arena *arena = storing->lowering->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, storing->n, const struct tree_expr *);
    struct tree_expr *parts = tree_expr_new(arena, TREE_PARTS, storing->assign[0]->target.array->type);
    struct node *node = ARENA_NEW(arena, struct node);
    int64_t offset = 0;

    for (int k = 0; k < storing->n; k++) {
        offset_of(storing, k, &offset);
        arg[offset - storing->first] = new_value(storing->lowering, storing->assign[k]);
    }
    parts->arg = arg;
    parts->n_arg = storing->n;
    *node = *storing->assign[0];
    node->op = OP_NONE;
    node->target = interleave_group(arena, &node->target, storing->first);
    node->target.part = 0;
    node->value = parts;
    tell_instances(storing, node);
    return node;
}

/* The first of n nodes joined with those behind it that store the other members; NULL: they do not. */
static const struct node *join(struct lowering *lowering, const struct node *const *node, int n)
{
    struct storing storing = {.lowering = lowering, .assign = node};

    if (!may_join(lowering, node[0]) || node[0]->target.lane_step > n)
        return NULL;
    storing.n = (int)node[0]->target.lane_step;
    for (int k = 1; k < storing.n; k++)
        if (!may_join(lowering, node[k]) || node[k]->vector->lanes != node[0]->vector->lanes || node[k]->comment)
            return NULL;
    return find_first(&storing) && !reads_what_was_written(&storing) ? joined(&storing) : NULL;
}

static const struct node *join_block(struct lowering *lowering, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, block->n_child, const struct node *);
    int n = 0;

    for (int k = 0; k < block->n_child; k++) {
        const struct node *all = join(lowering, &block->child[k], block->n_child - k);
        child[n++] = all ? all : stores_together(lowering, block->child[k]);
        k += all ? all->target.parts - 1 : 0;
    }
    if (n == block->n_child)
        return node_with_children(lowering->arena, block, child);
    struct node *copy = ARENA_NEW(lowering->arena, struct node);
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return n > 1 || block->comment || node_is_scope(block) ? copy : child[0];
}

const struct node *stores_together(struct lowering *lowering, const struct node *node)
{
    if (node->kind == NODE_BLOCK)
        return join_block(lowering, node);
    if (node->kind == NODE_LET)
        return node_with_body(lowering->arena, node, stores_together(lowering, node->child[0]));
    return node;
}
