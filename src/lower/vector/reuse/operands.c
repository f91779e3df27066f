#include "lower/vector/reuse/operands.h"

#include "caps/simd.h"
#include "lower/vector/reuse/masks.h"
#include "program/program.h"
#include "tree/visit.h"

#include <ctype.h>
#include <string.h>

/* A load, or a mask, that gets a name in front of a region: the body of a loop, a branch, a statement. */
struct operand {
    const struct tree_expr *load; /* NULL: the mask of vector */
    const struct vector *vector;
    enum type type;
    const struct affine *const *each; /* masks: n_each counts, by iteration of a loop inside; NULL: there is one */
    int n_each;
    int uses; /* those in loops inside of the region, and in operations, count twice */
    const struct var *var;
};

struct region {
    struct lowering *lowering;
    const struct node *node;
    VEC(struct operand) found;
    VEC(const struct var *) inner; /* variables of the loops between the region and the place at hand */
    VEC(const struct node *) loop; /* and these loops, and others that bind them */
    bool always;                   /* does the place run whenever the region does? */
    bool in_loop;
    bool in_branch; /* is a condition between the region and the place, and no loop? */
};

/* The same, and of these the same ones under a condition. */
static bool same_active(const struct vector *a, const struct vector *b)
{
    return masks_same_lanes(a, b) &&
           (a->active == b->active || (a->active && b->active && tree_expr_equal(a->active, b->active)));
}

static bool uses_inner(const struct region *region, const struct affine *a)
{
    for (int k = 0; a && k < region->inner.n; k++)
        if (affine_uses(a, region->inner.at[k]))
            return true;
    return false;
}

static bool mask_uses_inner(const struct region *region, const struct tree_expr *mask)
{
    bool uses = mask && uses_inner(region, mask->affine);

    for (int k = 0; mask && mask->kind == TREE_NAMED && k < region->inner.n; k++)
        uses = uses || region->inner.at[k] == mask->var;
    for (int k = 0; mask && k < mask->n_arg; k++)
        uses = uses || mask_uses_inner(region, mask->arg[k]);
    return uses;
}

/* Of an array, or of the variable of a vector. */
struct writing {
    const struct array *array;
    const struct var *var;
    bool found;
};

static void look_for_write(const struct node *node, void *user)
{
    struct writing *writing = user;
    const bool assigns = node->kind == NODE_ASSIGN;

    writing->found |= assigns && writing->array && node->target.array == writing->array;
    writing->found |= assigns && writing->var && node->vector && node->vector->sum == writing->var;
    writing->found |= writing->var && node->var == writing->var;
}

static bool is_written(const struct node *node, const struct array *array, const struct var *var)
{
    struct writing writing = {array, var, false};

    node_for_each(node, look_for_write, &writing);
    return writing.found;
}

/* Can the value, not its arguments, be had in front of the region? */
static bool may_move_own(const struct region *region, const struct tree_expr *expr, const struct vector *vector)
{
    const struct element *element = &expr->element;

    if (uses_inner(region, expr->affine))
        return false;
    if (expr->kind == TREE_NAMED)
        return region->node->kind == NODE_ASSIGN || !is_written(region->node, NULL, expr->var);
    if (expr->kind != TREE_LOAD)
        return true;
    if (element->indirect || element->array->in_registers)
        return false;
    for (int k = 0; k < element->array->n_dim; k++)
        if (uses_inner(region, element->index[k]))
            return false;
    if (element->lane_step && (uses_inner(region, vector->count) || mask_uses_inner(region, vector->active)))
        return false;
    return region->node->kind == NODE_ASSIGN || !is_written(region->node, element->array, NULL);
}

static bool may_move(const struct region *region, const struct tree_expr *expr, const struct vector *vector)
{
    bool may = region->always && may_move_own(region, expr, vector);

    for (int k = 0; k < expr->n_arg; k++)
        may = may && may_move(region, expr->arg[k], vector);
    return may;
}

/* Loads of the lanes' elements, and values that are the same in all lanes, less literals and conditions. */
static bool is_operand(const struct tree_expr *expr)
{
    if (expr->kind == TREE_LOAD && expr->element.lane_step)
        return !expr->element.array->in_registers;
    if (expr->kind == TREE_RAMP)
        return true;
    return expr->kind != TREE_INT && expr->kind != TREE_REAL && expr->kind != TREE_NAMED && tree_expr_uniform(expr) &&
           !tree_expr_is_truth(expr);
}

/* Are the two ramps of integers as wide the same in the target's registers? */
static bool same_ramp(const struct region *region, const struct tree_expr *a, const struct tree_expr *b, int lanes)
{
    const struct simd *simd = simd_by_name(region->lowering->program->target.simd);
    const struct simd_type *x = simd_type_of(simd, a->type, lanes), *y = simd_type_of(simd, b->type, lanes);
    struct tree_expr other = *b;

    other.type = a->type;
    return a->kind == TREE_RAMP && b->kind == TREE_RAMP && type_bits(a->type) == type_bits(b->type) && x && y &&
           strcmp(x->name, y->name) == 0 && tree_expr_equal(a, &other);
}

static struct operand *find(struct region *region, const struct tree_expr *load, const struct vector *vector)
{
    for (int k = 0; k < region->found.n; k++) {
        struct operand *operand = &region->found.at[k];
        const bool masked = load && !tree_expr_uniform(load) && load->kind != TREE_RAMP;
        if (operand->each || !operand->load != !load || operand->vector->lanes != vector->lanes ||
            (masked && !same_active(operand->vector, vector)) || (!load && !masks_same_lanes(operand->vector, vector)))
            continue;
        if (!load || tree_expr_equal(operand->load, load) || same_ramp(region, operand->load, load, vector->lanes))
            return operand;
    }
    return NULL;
}

static void note(struct region *region, const struct tree_expr *load, const struct vector *vector, enum type type,
                 bool nested)
{
    const int weight = region->in_loop || nested ? 2 : 1;
    struct operand *operand = find(region, load, vector);

    if (operand)
        operand->uses += weight;
    else
        VEC_PUSH(region->lowering->arena, &region->found,
                 ((struct operand){.load = load, .vector = vector, .type = type, .uses = weight}));
}

static struct operand *find_masks(struct region *region, const struct vector *vector, const struct affine *const *each,
                                  int64_t n)
{
    for (int k = 0; k < region->found.n; k++) {
        struct operand *operand = &region->found.at[k];
        bool same = operand->n_each == n && operand->vector->lanes == vector->lanes;
        for (int64_t m = 0; m < n && same; m++)
            same = affine_equal(operand->each[m], each[m]);
        if (same)
            return operand;
    }
    return NULL;
}

/* Masks that only a short loop inside tells apart. */
static void note_masks(struct region *region, const struct vector *vector, enum type type)
{
    struct arena *arena = region->lowering->arena;
    int64_t n;
    bool repeated = false;
    const struct node *loop = masks_loop(region->loop.at, region->loop.n, vector->count, &n, &repeated);
    const struct affine *const *each = loop && repeated ? masks_counts(arena, vector->count, loop, n) : NULL;

    if (each && !find_masks(region, vector, each, n))
        VEC_PUSH(arena, &region->found,
                 ((struct operand){.vector = vector, .type = type, .each = each, .n_each = (int)n, .uses = 2}));
}

static void note_mask(struct region *region, const struct vector *vector, enum type type)
{
    if (!vector->count || vector->mask || region->in_branch)
        return;
    if (uses_inner(region, vector->count))
        note_masks(region, vector, type);
    else
        note(region, NULL, vector, type, false);
}

/* The sides of `c ? a : b`, and b of `a && b`, are not read in all lanes. */
static int own_args(const struct tree_expr *expr)
{
    const bool stops = expr->kind == TREE_BINARY && (expr->op == OP_LAND || expr->op == OP_LOR);

    return stops || expr->kind == TREE_SELECT ? 1 : expr->n_arg;
}

/* Loads of neighbouring elements, and what is the same in all lanes. */
static void note_value(struct region *region, const struct tree_expr *expr, const struct vector *vector, bool nested)
{
    const bool loads = expr->kind == TREE_LOAD && expr->element.lane_step && !expr->element.array->in_registers;

    if (is_operand(expr) && may_move(region, expr, vector))
        note(region, expr, vector, expr->type, nested && expr->kind == TREE_LOAD);
    if (loads)
        note_mask(region, vector, expr->type);
    for (int k = 0; k < own_args(expr) && !is_operand(expr); k++)
        note_value(region, expr->arg[k], vector, true);
}

/* Does it matter which lanes the assignment writes? */
static bool stores_masked(const struct node *assign)
{
    if (assign->vector->sum)
        return !assign->vector->loose || assign->guard_value;
    return !assign->target.array->in_registers;
}

/* An assignment, or a LET of pass "vectors". */
static void note_assign(struct region *region, const struct node *assign)
{
    if (!assign->vector)
        return;
    note_value(region, assign->value, assign->vector, assign->op != OP_NONE);
    if (assign->guard_value)
        note_value(region, assign->guard_value, assign->vector, true);
    if (assign->kind == NODE_ASSIGN && stores_masked(assign))
        note_mask(region, assign->vector, type_in_lanes(assign->target.array->type));
}

static bool runs(const struct node *loop)
{
    int64_t first, last;

    return affine_is_constant(loop->lower, &first) && affine_is_constant(loop->upper, &last);
}

/* A rest with a comment of its own: what it reads has its names behind the comment. */
static bool is_part(const struct node *node)
{
    return node->comment && (node->kind == NODE_ASSIGN || node->kind == NODE_BLOCK);
}

/* On the way to the children of node, and back. */
static void enter(struct region *region, const struct node *node)
{
    struct arena *arena = region->lowering->arena;

    if (node->var) {
        VEC_PUSH(arena, &region->inner, node->var);
        VEC_PUSH(arena, &region->loop, node);
    }
    for (int k = 0; k < node->n_part; k++)
        VEC_PUSH(arena, &region->inner, node->part[k].var);
}

static void leave(struct region *region, const struct node *node)
{
    region->inner.n -= (node->var != NULL) + node->n_part;
    region->loop.n -= node->var != NULL;
}

static void search(struct region *region, const struct node *node)
{
    const bool always = region->always, in_loop = region->in_loop, in_branch = region->in_branch;

    if (is_part(node) || node->kind == NODE_CALL)
        return;
    if (node->kind == NODE_ASSIGN || node->kind == NODE_LET)
        note_assign(region, node);
    if (node->kind == NODE_IF || (node->kind == NODE_LOOP && !runs(node)) || node->kind == NODE_TUPLE)
        region->always = false;
    region->in_loop = in_loop || node->kind == NODE_LOOP;
    region->in_branch = in_branch || (node->kind == NODE_IF && !in_loop);
    enter(region, node);
    for (int k = 0; k < node->n_child; k++)
        search(region, node->child[k]);
    leave(region, node);
    region->always = always;
    region->in_loop = in_loop;
    region->in_branch = in_branch;
}

static const struct tree_expr *renamed_expr(struct region *region, const struct tree_expr *expr,
                                            const struct vector *vector)
{
    struct arena *arena = region->lowering->arena;
    const struct operand *operand = is_operand(expr) ? find(region, expr, vector) : NULL;
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);

    if (operand && operand->var) {
        *copy = (struct tree_expr){.kind = TREE_NAMED, .type = operand->load->type, .var = operand->var};
        return tree_expr_cast(arena, expr->type, copy);
    }
    *copy = *expr;
    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = renamed_expr(region, expr->arg[k], vector);
    copy->arg = arg;
    return copy;
}

static const struct vector *with_mask(struct region *region, const struct vector *vector, const struct operand *operand,
                                      const struct affine *place)
{
    struct vector *copy = ARENA_NEW(region->lowering->arena, struct vector);

    *copy = *vector;
    copy->mask = operand->var;
    copy->mask_type = operand->type;
    copy->mask_place = place;
    return copy;
}

static const struct vector *renamed_vector(struct region *region, const struct vector *vector)
{
    struct arena *arena = region->lowering->arena;
    const struct operand *operand = vector->count && !vector->mask ? find(region, NULL, vector) : NULL;
    const struct node *loop;
    const struct affine *const *each;
    bool repeated;
    int64_t n;

    if (operand && operand->var)
        return with_mask(region, vector, operand, NULL);
    if (!vector->count || vector->mask)
        return vector;
    loop = masks_loop(region->loop.at, region->loop.n, vector->count, &n, &repeated);
    each = loop ? masks_counts(arena, vector->count, loop, n) : NULL;
    operand = each ? find_masks(region, vector, each, n) : NULL;
    return operand ? with_mask(region, vector, operand, masks_place(arena, loop)) : vector;
}

/* node with the operands that have names by these. */
static const struct node *renamed(struct region *region, const struct node *node)
{
    struct arena *arena = region->lowering->arena;
    const struct node **child;
    struct node *copy;

    if (node->kind == NODE_CALL)
        return node;
    child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    enter(region, node);
    for (int k = 0; k < node->n_child; k++)
        child[k] = renamed(region, node->child[k]);
    leave(region, node);
    if (node->n_child)
        node = node_with_children(arena, node, child);
    if (!node->vector)
        return node;
    copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    copy->value = renamed_expr(region, node->value, node->vector);
    if (node->guard_value)
        copy->guard_value = renamed_expr(region, node->guard_value, node->vector);
    copy->vector = renamed_vector(region, node->vector);
    return copy;
}

/* The innermost loop or parameter in a, or NULL. */
static const char *variable_name(const struct affine *a)
{
    const struct atom *last = a->n_term > 0 ? a->term[a->n_term - 1].atom : NULL;

    for (int k = a->n_term - 1; k >= 0; k--)
        if (a->term[k].atom->var)
            return a->term[k].atom->var->name;
    return last && last->n_arg > 0 ? variable_name(last->arg[0]) : NULL;
}

/* The first array, scalar or index in expr, or NULL. */
static const char *source_name(const struct tree_expr *expr)
{
    const char *name = expr->kind == TREE_LOAD     ? expr->element.array->name
                       : expr->kind == TREE_SCALAR ? expr->scalar->name
                       : expr->affine              ? variable_name(expr->affine)
                                                   : NULL;

    for (int k = 0; k < expr->n_arg && !name; k++)
        name = source_name(expr->arg[k]);
    return name;
}

const char *operands_name(struct lowering *lowering, const struct tree_expr *load)
{
    const char *source = load ? source_name(load) : "active";
    char *name = arena_copy(lowering->arena, source ? source : "value");

    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (load && source && strcmp(name, source) == 0)
        name = (char *)(uintptr_t)arena_printf(lowering->arena, "%s_v", name);
    return names_unique(&lowering->taken, name);
}

static const struct node *let(struct region *region, const struct operand *operand, const struct node *body)
{
    struct arena *arena = region->lowering->arena;
    struct tree_expr *mask = ARENA_NEW(arena, struct tree_expr);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *node = ARENA_NEW(arena, struct node);
    const struct vector *from = operand->load ? renamed_vector(region, operand->vector) : operand->vector;
    struct vector *vector = ARENA_NEW(arena, struct vector);

    *vector = (struct vector){.lanes = from->lanes, .registers = operand->n_each, .each = operand->each};
    if (!operand->load || (!tree_expr_uniform(operand->load) && operand->load->kind != TREE_RAMP)) {
        vector->count = operand->n_each ? NULL : from->count;
        vector->mask = from->mask;
        vector->mask_type = from->mask_type;
        vector->mask_place = from->mask_place;
        vector->active = operand->load ? from->active : NULL;
    }
    *mask = (struct tree_expr){.kind = TREE_MASK, .type = operand->type};
    child[0] = body;
    *node = (struct node){.kind = NODE_LET,
                          .op = OP_NONE,
                          .child = child,
                          .n_child = 1,
                          .var = operand->var,
                          .value = operand->load ? operand->load : mask,
                          .vector = vector};
    return node;
}

static const struct node *name_inside(struct lowering *lowering, const struct node *node, int joined);

/* A region with names in front of it, masks first. */
static const struct node *name_region(struct lowering *lowering, const struct node *node)
{
    struct region region = {.lowering = lowering, .node = node, .always = true};
    const int taken = lowering->taken.used.n;

    search(&region, node);
    for (int k = 0; k < region.found.n; k++) {
        struct operand *operand = &region.found.at[k];
        if (operand->uses > 1 || !operand->load || operand->load->kind == TREE_RAMP)
            operand->var = lower_new_var(lowering, VAR_LOOP, operands_name(lowering, operand->load));
    }
    node = name_inside(lowering, renamed(&region, node), 0);
    for (int masks = 0; masks < 2 && node; masks++)
        for (int k = region.found.n - 1; k >= 0; k--)
            if (region.found.at[k].var && (region.found.at[k].load == NULL) == masks)
                node = let(&region, &region.found.at[k], node);
    lowering->taken.used.n = taken;
    return node;
}

/* A region whose comment stands in front of the names. */
static const struct node *name_part(struct lowering *lowering, const struct node *node)
{
    const struct node *named = name_region(lowering, node_with_comment(lowering->arena, node, NULL));

    return node_with_comment(lowering->arena, named, node->comment);
}

/* The body of a function, where the caller's names are free. */
static const struct node *name_function(struct lowering *lowering, const struct node *body)
{
    const struct names outer = lowering->taken;

    lowering->taken = (struct names){.arena = lowering->arena};
    for (int k = 0; k < lowering->n_shared; k++)
        names_add(&lowering->taken, outer.used.at[k]);
    body = name_region(lowering, body);
    lowering->taken = outer;
    return body;
}

/* joined: node is the first of so many loops that are one parallel loop, with nothing between them. */
static const struct node *name_inside(struct lowering *lowering, const struct node *node, int joined)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, node->n_child + 1, const struct node *);
    const int loops = node->threads ? node->threads->collapse : joined;
    const bool opens = node->kind == NODE_IF || (node->kind == NODE_LOOP && loops <= 1);

    for (int k = 0; k < node->n_child; k++)
        child[k] = node->kind == NODE_CALL   ? name_function(lowering, node->child[k])
                   : is_part(node->child[k]) ? name_part(lowering, node->child[k])
                   : opens                   ? name_region(lowering, node->child[k])
                                             : name_inside(lowering, node->child[k], loops - 1);
    return node->n_child ? node_with_children(lowering->arena, node, child) : node;
}

const struct node *lower_operands(struct lowering *lowering, const struct node *tree)
{
    lowering->taken.used.n = 0;
    lower_used_names(lowering, tree, &lowering->taken);
    lowering->n_shared = lowering->taken.used.n;
    return name_region(lowering, tree);
}
