#include "lower/body/decide.h"

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

/* What C's a / b or a % b is where a is not negative; NULL: it is not known to be, or b is no constant. */
static const struct affine *divided(const struct facts *facts, enum expr_op op, const struct affine *a,
                                    const struct affine *b)
{
    struct arena *arena = facts->lowering->arena;
    int64_t divisor;

    if (!affine_is_constant(b, &divisor) || divisor < 1 || !facts_imply(facts, a))
        return NULL;
    return op == OP_DIV ? affine_floor(arena, a, divisor) : affine_mod(arena, a, divisor);
}

static const struct affine *multiplied(struct arena *arena, const struct affine *a, const struct affine *b)
{
    int64_t factor;

    if (affine_is_constant(b, &factor))
        return affine_scale(arena, a, factor);
    return affine_is_constant(a, &factor) ? affine_scale(arena, b, factor) : NULL;
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
    if (expr->kind != TREE_BINARY || expr->op < OP_ADD || expr->op > OP_MOD)
        return NULL;
    for (int k = 0; k < 2; k++)
        arg[k] = affine_of(facts, expr->arg[k]);
    if (!arg[0] || !arg[1])
        return NULL;
    if (expr->op == OP_DIV || expr->op == OP_MOD)
        return divided(facts, expr->op, arg[0], arg[1]);
    if (expr->op == OP_MUL)
        return multiplied(arena, arg[0], arg[1]);
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

static void note_load(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD || type_is_float(expr->type);
}

/* Is it a choice by indices and parameters only? */
static bool chooses_by_index(const struct tree_expr *expr)
{
    bool loads = false;

    if (expr->kind == TREE_SELECT)
        tree_expr_for_each(expr->arg[0], note_load, &loads);
    return expr->kind == TREE_SELECT && !loads;
}

/* expr without choices of which it is known which way they go. */
static const struct tree_expr *decided_value(const struct facts *facts, const struct tree_expr *expr)
{
    struct arena *arena = facts->lowering->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);
    const enum truth truth = chooses_by_index(expr) ? truth_of(facts, expr->arg[0]) : UNKNOWN;
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);
    bool changed = false;

    if (truth != UNKNOWN)
        return decided_value(facts, expr->arg[truth == HOLDS ? 1 : 2]);
    for (int k = 0; k < expr->n_arg; k++) {
        arg[k] = decided_value(facts, expr->arg[k]);
        changed = changed || arg[k] != expr->arg[k];
    }
    *copy = *expr;
    copy->arg = arg;
    return changed ? copy : expr;
}

const struct node *decide_values(const struct facts *facts, const struct node *node)
{
    struct node *copy = ARENA_NEW(facts->lowering->arena, struct node);

    *copy = *node;
    copy->value = decided_value(facts, node->value);
    return copy->value == node->value ? node : copy;
}

static void note_choice(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= chooses_by_index(expr);
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
    tree_expr_for_each(node->value, note_choice, &found);
    return found;
}
