#include "lower/vector/sums.h"

#include "lower/facts/some_update.h"
#include "program/program.h"
#include "tree/visit.h"

#include <ctype.h>

const struct var *sums_new_var(struct lowering *lowering, const struct element *target)
{
    char *name = arena_copy(lowering->arena, target->array->name);

    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    name = (char *)(uintptr_t)arena_printf(lowering->arena, "%s_v", name);
    return lower_new_var(lowering, VAR_VALUE, names_unique(&lowering->taken, name));
}

static const struct tree_expr *start_of(struct arena *arena, const struct lane_sum *sum)
{
    struct tree_expr *start = ARENA_NEW(arena, struct tree_expr);

    start->type = sum->assign->target.array->type;
    start->kind = op_is_idempotent(sum->op) ? TREE_LOAD : TREE_INT;
    if (op_is_idempotent(sum->op))
        start->element = sum->assign->target;
    else
        start->integer = sum->op == OP_MUL;
    return start;
}

static const struct tree_expr *register_of(struct arena *arena, const struct lane_sum *sum, int place, int registers)
{
    struct tree_expr *named = ARENA_NEW(arena, struct tree_expr);

    named->kind = TREE_NAMED;
    named->type = sum->assign->target.array->type;
    named->var = sum->var;
    named->affine = registers > 1 ? affine_constant(arena, place) : NULL;
    return named;
}

/* The first register with register k. */
static const struct node *combine(struct arena *arena, const struct lane_sum *sum, int n, int registers, int k)
{
    struct vector *vector = ARENA_NEW(arena, struct vector);
    struct node *node = ARENA_NEW(arena, struct node);

    *vector = (struct vector){.lanes = n, .sum = sum->var, .place = affine_constant(arena, 0)};
    *node = *sum->assign;
    node->op = sum->op;
    node->value = register_of(arena, sum, k, registers);
    node->argument = NULL;
    node->guard_value = NULL;
    node->vector = vector;
    return node;
}

static const struct tree_expr *total(struct arena *arena, const struct lane_sum *sum, int n, int registers)
{
    struct tree_expr *expr = ARENA_NEW(arena, struct tree_expr);

    *expr = *register_of(arena, sum, 0, registers);
    expr->kind = TREE_TOTAL;
    expr->op = sum->op;
    expr->integer = n;
    return expr;
}

/* assign with another value; sums of integers wrap around, since parts of them may be larger than the whole. */
static struct node *with_value(struct arena *arena, const struct node *assign, enum expr_op op,
                               const struct tree_expr *value)
{
    struct node *node = ARENA_NEW(arena, struct node);
    const enum type type = assign->target.array->type;

    *node = *assign;
    node->op = op;
    node->value = value;
    node->guard_value = NULL;
    node->vector = NULL;
    node->wrap = !type_is_float(type) && (op == OP_ADD || op == OP_SUB || op == OP_MUL);
    return node;
}

/* The same where the updates themselves have run. */
static struct node *without_instances(struct node *node)
{
    node->argument = NULL;
    return node;
}

static const struct node *let(struct arena *arena, const struct lane_sum *sum, int n, int registers,
                              const struct tree_expr *value, const struct node *body)
{
    struct vector *vector = ARENA_NEW(arena, struct vector);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *node = ARENA_NEW(arena, struct node);

    *vector = (struct vector){.lanes = n, .registers = registers > 1 ? registers : 0};
    child[0] = body;
    *node = (struct node){.kind = NODE_LET,
                          .op = OP_NONE,
                          .child = child,
                          .n_child = 1,
                          .var = sum->var,
                          .value = value,
                          .vector = vector};
    return node;
}

const struct node *sums_around(struct lowering *lowering, const struct lane_sum *sum, int n, int registers,
                               const struct node *inner)
{
    struct arena *arena = lowering->arena;
    const struct node **part = ARENA_ARRAY(arena, registers + 1, const struct node *);
    struct node *node;

    part[0] = inner;
    for (int k = 1; k < registers; k++)
        part[k] = combine(arena, sum, n, registers, k);
    part[registers] = without_instances(
        with_value(arena, sum->assign, op_is_idempotent(sum->op) ? OP_NONE : sum->op, total(arena, sum, n, registers)));
    if (sum->guard && !op_is_idempotent(sum->op))
        part[registers] = node_if(arena, sum->guard, 1, part[registers]);
    node = (struct node *)(uintptr_t)let(arena, sum, n, registers, start_of(arena, sum),
                                         node_block(arena, part, registers + 1));
    node->declares = DECLARE_VARIABLE;
    return sum->guard && op_is_idempotent(sum->op) ? node_if(arena, sum->guard, 1, node) : node;
}

const struct node *sums_at_once(struct lowering *lowering, const struct lane_sum *sum, int n, bool negative,
                                const struct tree_expr *value)
{
    struct arena *arena = lowering->arena;
    const bool extreme = op_is_extreme(sum->op);
    struct tree_expr *call = ARENA_NEW(arena, struct tree_expr), *old = ARENA_NEW(arena, struct tree_expr);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);
    const struct tree_expr *all = total(arena, sum, n, 1);

    *old = (struct tree_expr){.kind = TREE_LOAD, .type = all->type, .element = sum->assign->target};
    arg[0] = old;
    arg[1] = all;
    *call = (struct tree_expr){.kind = TREE_CALL,
                               .type = all->type,
                               .arg = arg,
                               .n_arg = 2,
                               .function = sum->op == OP_MIN ? FUNCTION_MIN : FUNCTION_MAX};
    return let(arena, sum, n, 1, value,
               with_value(arena, sum->assign,
                          extreme    ? OP_NONE
                          : negative ? OP_SUB
                                     : sum->op,
                          extreme ? call : all));
}

struct search {
    struct arena *arena;
    const struct facts *outside;
    const struct node *loop, *body;
    bool alone;                    /* no other thread runs at the same time */
    VEC(const struct var *) inner; /* variables of the loops around, the loop in vectors among them */
    struct lane_sums sums;
    VEC(struct element) used; /* at every place where one is read or written */
    int n_assign;             /* in the body */
    bool single;              /* the place runs for one value of the loop */
};

static void note_load(const struct tree_expr *expr, void *user)
{
    struct search *search = user;

    if (expr->kind == TREE_LOAD)
        VEC_PUSH(search->arena, &search->used, expr->element);
}

static bool moves(const struct search *search, const struct element *element)
{
    for (int k = 0; k < element->array->n_dim; k++)
        for (int l = 0; l < search->inner.n; l++)
            if (!element->index[k] || affine_uses(element->index[k], search->inner.at[l]))
                return true;
    return false;
}

/* Can the element be loaded and stored around the loop? Where no iteration updates it, it may not be there; then that
 * is under a condition, with the whole loop if the element is what the vector starts with. */
static bool is_there(const struct search *search, struct lane_sum *sum)
{
    if (some_update(search->outside, search->loop, search->body, sum->assign, &sum->guard) &&
        (!sum->guard || !op_is_idempotent(sum->op) || search->n_assign == 1))
        return true;
    sum->guard = NULL;
    return search->alone && element_is_there(search->outside, &sum->assign->target);
}

/* Can it be collected until after the loop? */
static bool is_collected(const struct search *search, struct lane_sum *sum)
{
    return sum->op != OP_NONE && !sum->assign->declares && !search->single && !moves(search, &sum->assign->target) &&
           is_there(search, sum);
}

static void search_assign(struct search *search, const struct node *assign)
{
    const struct tree_expr *value;
    bool negative;
    struct lane_sum sum = {assign, lanes_update(search->arena, assign, &value, &negative), NULL, NULL};

    VEC_PUSH(search->arena, &search->used, assign->target);
    tree_expr_for_each(sum.op == OP_NONE ? assign->value : value, note_load, search);
    tree_expr_for_each(assign->guard_value, note_load, search);
    if (is_collected(search, &sum))
        VEC_PUSH(search->arena, &search->sums, sum);
}

static bool is_equality(const struct node *node)
{
    bool equal = false;

    for (int a = 0; a < node->n_alternative; a++)
        for (int c = 0; c < node->alternative[a].n; c++)
            equal = equal || node->alternative[a].condition[c].equal;
    return equal;
}

static void search_node(struct search *search, const struct node *node)
{
    const bool single = search->single;

    search->single = single || is_equality(node);
    if (node->kind == NODE_ASSIGN)
        search_assign(search, node);
    if (node->var)
        VEC_PUSH(search->arena, &search->inner, node->var);
    for (int k = 0; k < node->n_child; k++)
        search_node(search, node->child[k]);
    search->inner.n -= node->var != NULL;
    search->single = single;
}

/* At how many places may the element be used? */
static int uses(const struct search *search, const struct element *element)
{
    int n = 0;

    for (int k = 0; k < search->used.n; k++)
        n += !element_apart(search->arena, element, &search->used.at[k]);
    return n;
}

static void count_assign(const struct node *node, void *user)
{
    struct search *search = user;

    search->n_assign += node->kind == NODE_ASSIGN;
}

struct lane_sums sums_of(const struct facts *outside, const struct node *loop, const struct node *body, bool alone)
{
    struct lowering *lowering = outside->lowering;
    struct search search = {.arena = lowering->arena, .outside = outside, .loop = loop, .body = body, .alone = alone};
    struct lane_sums sums = {0};

    VEC_PUSH(search.arena, &search.inner, loop->var);
    node_for_each(body, count_assign, &search);
    search_node(&search, body);
    for (int k = 0; k < search.sums.n; k++) {
        struct lane_sum sum = search.sums.at[k];
        if (uses(&search, &sum.assign->target) > 1)
            continue;
        sum.var = sums_new_var(lowering, &sum.assign->target);
        VEC_PUSH(search.arena, &sums, sum);
    }
    return sums;
}
