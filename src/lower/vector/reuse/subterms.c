#include "lower/vector/reuse/subterms.h"

#include "lower/vector/reuse/same_masks.h"
#include "program/program.h"
#include "tree/visit.h"

/* Calls inside each other that are still read at a glance. */
enum { DEPTH_MAX = 3 };

struct subterm {
    const struct var *var;
    const struct tree_expr *value;
};

/* The statement at hand. */
struct subterms {
    struct lowering *lowering;
    const struct tree_expr *value; /* the whole of it */
    VEC(struct subterm) found;     /* in the order in which they need each other */
};

/* A product that a fused multiply-add takes in. */
static bool is_fused(const struct tree_expr *sum, const struct tree_expr *arg)
{
    return sum->permit & arg->permit & PERMIT_CONTRACT && sum->op == OP_ADD && arg->kind == TREE_BINARY &&
           arg->op == OP_MUL && type_is_float(arg->type);
}

/* The lanes' numbers from a first one on, which is not constant: printed as a sum. */
static bool is_sum(const struct tree_expr *expr)
{
    return expr->kind == TREE_RAMP && !expr->list && !affine_is_constant(expr->affine, NULL);
}

static const char *subterm_name(const struct tree_expr *expr, bool offset)
{
    if (offset)
        return "offset";
    if (expr->kind != TREE_BINARY)
        return "value";
    return expr->op == OP_ADD   ? "sum"
           : expr->op == OP_SUB ? "difference"
           : expr->op == OP_MUL ? "product"
           : expr->op == OP_DIV ? "quotient"
                                : "value";
}

/* Is expr computed in all lanes, from parts that are to be looked at? A name with another sign is a name. */
static bool is_computed(const struct tree_expr *expr)
{
    return !tree_expr_uniform(expr) && expr->kind != TREE_SELECT && expr->kind != TREE_LOAD && expr->n_arg > 0 &&
           tree_expr_same_bits(expr)->kind != TREE_NAMED;
}

/* What a value computes how often: what it computes several times is looked at once. */
struct counting {
    struct arena *arena;
    const struct tree_expr *part;
    VEC(const struct tree_expr *) seen;
    int n;
};

static bool is_new(struct counting *counting, const struct tree_expr *expr)
{
    for (int k = 0; k < counting->seen.n; k++)
        if (tree_expr_equal(counting->seen.at[k], expr))
            return false;
    VEC_PUSH(counting->arena, &counting->seen, expr);
    return true;
}

/* Products that fused multiply-adds take in are computed there. */
static void count(struct counting *counting, const struct tree_expr *expr)
{
    for (int k = 0; k < expr->n_arg; k++) {
        if (!is_computed(expr->arg[k]))
            continue;
        if (!is_fused(expr, expr->arg[k]) && tree_expr_equal(expr->arg[k], counting->part))
            counting->n++;
        else if (is_new(counting, expr->arg[k]))
            count(counting, expr->arg[k]);
    }
}

static bool is_repeated(const struct subterms *subterms, const struct tree_expr *expr)
{
    struct counting counting = {.arena = subterms->lowering->arena, .part = expr};

    if (is_computed(expr))
        count(&counting, subterms->value);
    return counting.n > 1;
}

static const struct tree_expr *named(struct subterms *subterms, const struct tree_expr *expr, bool offset)
{
    struct lowering *lowering = subterms->lowering;
    struct tree_expr *name = ARENA_NEW(lowering->arena, struct tree_expr);
    struct subterm subterm = {NULL, expr};

    for (int k = 0; k < subterms->found.n && !subterm.var; k++)
        if (tree_expr_equal(subterms->found.at[k].value, expr))
            subterm.var = subterms->found.at[k].var;
    if (!subterm.var) {
        subterm.var = lower_new_var(lowering, VAR_LOOP, names_unique(&lowering->taken, subterm_name(expr, offset)));
        VEC_PUSH(lowering->arena, &subterms->found, subterm);
    }
    *name = (struct tree_expr){.kind = TREE_NAMED, .type = expr->type, .var = subterm.var};
    return name;
}

static const struct tree_expr *shallow(struct subterms *subterms, const struct tree_expr *expr, bool fused, int *depth);

/* A load from elements apart, how far being computed under a name. */
static const struct tree_expr *load_apart(struct subterms *subterms, const struct tree_expr *load)
{
    struct arena *arena = subterms->lowering->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);
    int depth;

    *copy = *load;
    copy->arg = arg;
    arg[0] = shallow(subterms, load->arg[0], false, &depth);
    if (arg[0]->kind == TREE_BINARY)
        arg[0] = named(subterms, arg[0], true);
    return copy;
}

/* expr with names for what makes it too deep and for what the statement computes again, conditions apart; *depth: of
 * calls that are left. The sides of `c ? a : b` stay as they are: not all lanes compute them. */
static const struct tree_expr *shallow(struct subterms *subterms, const struct tree_expr *expr, bool fused, int *depth)
{
    struct arena *arena = subterms->lowering->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);
    int deepest = 0;

    *depth = tree_expr_same_bits(expr)->kind == TREE_NAMED ? 0 : is_sum(expr) ? 2 : 1;
    if (expr->kind == TREE_LOAD && expr->n_arg > 0 && !expr->element.array->in_registers)
        return load_apart(subterms, expr);
    if (!is_computed(expr))
        return expr;
    *copy = *expr;
    copy->arg = arg;
    for (int k = 0; k < expr->n_arg; k++) {
        const bool inside = is_fused(expr, expr->arg[k]);
        const bool repeated = is_repeated(subterms, expr->arg[k]);
        int below;
        arg[k] = shallow(subterms, expr->arg[k], inside, &below);
        if ((below >= DEPTH_MAX || repeated) && !inside && expr->arg[k]->type != TYPE_BOOL &&
            !tree_expr_is_truth(expr->arg[k])) {
            arg[k] = named(subterms, arg[k], false);
            below = 0;
        }
        deepest = below > deepest ? below : deepest;
    }
    *depth = deepest + !fused;
    return copy;
}

/* What a condition is made of is a value in each lane, and no mask. */
static const struct vector *of_values(struct arena *arena, const struct vector *vector)
{
    struct vector *copy = ARENA_NEW(arena, struct vector);

    *copy = *vector;
    copy->truth = TYPE_NONE;
    return copy;
}

/* node, which computes with the subterm's name, inside of the name. */
static const struct node *let(struct arena *arena, const struct subterm *subterm, const struct vector *vector,
                              const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *result = ARENA_NEW(arena, struct node);

    child[0] = node;
    *result = (struct node){.kind = NODE_LET,
                            .child = child,
                            .n_child = 1,
                            .var = subterm->var,
                            .value = subterm->value,
                            .vector = of_values(arena, vector)};
    return result;
}

static const struct node *walk(struct lowering *lowering, const struct node *node);

/* A statement, or a value with a name and what uses that. */
static const struct node *in_steps(struct lowering *lowering, const struct node *node)
{
    struct subterms subterms = {.lowering = lowering, .value = node->value};
    struct node *copy = ARENA_NEW(lowering->arena, struct node);
    const struct node *result = copy;
    int depth;

    *copy = *node;
    copy->value = shallow(&subterms, node->value, false, &depth);
    if (node->kind == NODE_LET)
        result = node_with_body(lowering->arena, copy, walk(lowering, node->child[0]));
    for (int k = subterms.found.n - 1; k >= 0; k--)
        result = let(lowering->arena, &subterms.found.at[k], node->vector, result);
    return result;
}

static const struct node *walk(struct lowering *lowering, const struct node *node)
{
    const bool opens = node->kind == NODE_LOOP || node->kind == NODE_IF;
    const struct node **child = ARENA_ARRAY(lowering->arena, node->n_child + 1, const struct node *);

    if ((node->kind == NODE_ASSIGN || node->kind == NODE_LET) && node->vector)
        return in_steps(lowering, node);
    for (int k = 0; k < node->n_child; k++) {
        const int taken = lowering->taken.used.n;
        child[k] = walk(lowering, node->child[k]);
        if (opens)
            lowering->taken.used.n = taken;
    }
    return node->n_child ? node_with_children(lowering->arena, node, child) : node;
}

const struct node *lower_subterms(struct lowering *lowering, const struct node *tree)
{
    lowering->taken.used.n = 0;
    lower_used_names(lowering, tree, &lowering->taken);
    tree = same_masks_joined(lowering, tree);
    lowering->taken.used.n = 0;
    lower_used_names(lowering, tree, &lowering->taken);
    return walk(lowering, tree);
}
