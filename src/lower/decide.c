#include "lower/decide.h"

#include "tree/visit.h"

enum truth { UNKNOWN, HOLDS, FAILS };

static const struct affine *affine_of(const struct facts *facts, const struct tree_expr *expr);

/* Of a >= 0. */
static enum truth sign_of(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;

    if (!a)
        return UNKNOWN;
    if (facts_imply(facts, a))
        return HOLDS;
    a = affine_add_constant(arena, affine_scale(arena, a, -1), -1);
    return a && facts_imply(facts, a) ? FAILS : UNKNOWN;
}

static enum truth equality_of(const struct facts *facts, const struct affine *a)
{
    const struct condition equal = {a, true};

    if (!a)
        return UNKNOWN;
    return facts_imply_condition(facts, &equal) ? HOLDS : facts_allow_condition(facts, &equal) ? UNKNOWN : FAILS;
}

static enum truth opposite(enum truth truth)
{
    return truth == HOLDS ? FAILS : truth == FAILS ? HOLDS : UNKNOWN;
}

static enum truth comparison_of(const struct facts *facts, const struct tree_expr *expr)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *a = affine_of(facts, expr->arg[0]), *b = affine_of(facts, expr->arg[1]), *difference;

    if (!a || !b)
        return UNKNOWN;
    difference = affine_sub(arena, a, b);
    switch (expr->op) {
    case OP_GE:
        return sign_of(facts, difference);
    case OP_LT:
        return opposite(sign_of(facts, difference));
    case OP_LE:
        return sign_of(facts, affine_sub(arena, b, a));
    case OP_GT:
        return opposite(sign_of(facts, affine_sub(arena, b, a)));
    case OP_EQ:
        return equality_of(facts, difference);
    case OP_NE:
        return opposite(equality_of(facts, difference));
    default:
        return UNKNOWN;
    }
}

/* C's `c != 0` of what is true or false. */
static bool is_test(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && expr->op == OP_NE && expr->arg[1]->kind == TREE_INT &&
           expr->arg[1]->integer == 0 && tree_expr_is_truth(tree_expr_unwidened(expr->arg[0]));
}

static enum truth truth_of(const struct facts *facts, const struct tree_expr *expr)
{
    enum truth a, b;

    if (expr->kind == TREE_CAST || is_test(expr))
        return truth_of(facts, expr->arg[0]);
    if (expr->kind == TREE_UNARY && expr->op == OP_LNOT)
        return opposite(truth_of(facts, expr->arg[0]));
    if (expr->kind != TREE_BINARY)
        return UNKNOWN;
    if (expr->op != OP_LAND && expr->op != OP_LOR)
        return comparison_of(facts, expr);
    a = truth_of(facts, expr->arg[0]);
    b = truth_of(facts, expr->arg[1]);
    if (expr->op == OP_LAND)
        return a == FAILS || b == FAILS ? FAILS : a == HOLDS && b == HOLDS ? HOLDS : UNKNOWN;
    return a == HOLDS || b == HOLDS ? HOLDS : a == FAILS && b == FAILS ? FAILS : UNKNOWN;
}

/* The value as an affine expression, where conditions that are not known decide nothing; NULL: it is none. */
static const struct affine *affine_of(const struct facts *facts, const struct tree_expr *expr)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *arg[2] = {NULL, NULL};

    if (expr->kind == TREE_INDEX)
        return expr->affine;
    if (expr->kind == TREE_INT)
        return affine_constant(arena, expr->integer);
    if (expr->type != TYPE_I64)
        return NULL;
    if (expr->kind == TREE_SELECT) {
        const enum truth truth = truth_of(facts, expr->arg[0]);
        return truth == UNKNOWN ? NULL : affine_of(facts, expr->arg[truth == HOLDS ? 1 : 2]);
    }
    if (expr->kind == TREE_CAST)
        return affine_of(facts, expr->arg[0]);
    if (expr->kind != TREE_BINARY || (expr->op != OP_ADD && expr->op != OP_SUB))
        return NULL;
    for (int k = 0; k < 2; k++)
        arg[k] = affine_of(facts, expr->arg[k]);
    if (!arg[0] || !arg[1])
        return NULL;
    return expr->op == OP_ADD ? affine_add(arena, arg[0], arg[1]) : affine_sub(arena, arg[0], arg[1]);
}

static struct element decided(struct arena *arena, const struct element *element, void *user)
{
    const int n = element->array ? element->array->n_dim : 0;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    const struct tree_expr **indirect = ARENA_ARRAY(arena, n + 1, const struct tree_expr *);
    struct element result = *element;
    bool changed = false, any = false;

    for (int k = 0; element->indirect && k < n; k++) {
        index[k] = element->index[k] ? element->index[k] : affine_of(user, element->indirect[k]);
        indirect[k] = index[k] ? NULL : element->indirect[k];
        changed = changed || index[k] != element->index[k];
        any = any || indirect[k];
    }
    if (!changed)
        return result;
    result.index = index;
    result.indirect = any ? indirect : NULL;
    return result;
}

const struct node *decide_subscripts(const struct facts *facts, const struct node *node)
{
    return node_map_elements(facts->lowering->arena, node, decided, (void *)(uintptr_t)facts);
}

static struct element note(struct arena *arena, const struct element *element, void *user)
{
    (void)arena;
    *(bool *)user |= element->indirect != NULL;
    return *element;
}

bool decide_has_work(struct arena *arena, const struct node *node)
{
    bool found = false;

    node_map_elements(arena, node, note, &found);
    return found;
}
