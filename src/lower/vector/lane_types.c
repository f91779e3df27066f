#include "lower/vector/lane_types.h"

#include "base/vec.h"
#include "lower/vector/lane_bools.h"
#include "lower/vector/narrow.h"
#include "program/program.h"
#include "tree/visit.h"

struct folding {
    const struct facts *facts;
    struct arena *arena;
    const struct var *var;
    const struct simd *simd;
};

static bool is_index(const struct tree_expr *expr)
{
    return expr->type == TYPE_I64 && (expr->kind == TREE_INDEX || expr->kind == TREE_INT);
}

static const struct affine *affine_of(struct arena *arena, const struct tree_expr *expr)
{
    return expr->kind == TREE_INT ? affine_constant(arena, expr->integer) : expr->affine;
}

/* a op b, or NULL: not affine. */
static const struct affine *combined(struct arena *arena, enum expr_op op, const struct affine *a,
                                     const struct affine *b)
{
    int64_t factor;

    if (op == OP_ADD)
        return affine_add(arena, a, b);
    if (op == OP_SUB)
        return affine_sub(arena, a, b);
    if (op != OP_MUL)
        return NULL;
    if (affine_is_constant(b, &factor))
        return affine_scale(arena, a, factor);
    return affine_is_constant(a, &factor) ? affine_scale(arena, b, factor) : NULL;
}

static const struct tree_expr *index_of(struct arena *arena, const struct affine *a, enum type type)
{
    struct tree_expr *expr = ARENA_NEW(arena, struct tree_expr);

    *expr = (struct tree_expr){.kind = affine_is_constant(a, NULL) ? TREE_INT : TREE_INDEX, .type = type, .affine = a};
    affine_is_constant(a, &expr->integer);
    return expr;
}

static bool fits_32(const struct folding *folding, const struct affine *a)
{
    const struct affine *to_end = affine_sub(folding->arena, affine_constant(folding->arena, INT32_MAX), a);

    return to_end && facts_imply(folding->facts, to_end) &&
           facts_imply(folding->facts, affine_add_constant(folding->arena, a, -(int64_t)INT32_MIN));
}

static bool is_narrow_index(const struct folding *folding, const struct tree_expr *expr)
{
    return expr->type == TYPE_I32 && expr->kind == TREE_INDEX && fits_32(folding, expr->affine);
}

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

/* a / b or a % b, which round down where a is not negative; NULL: not such. */
static const struct affine *divided(const struct folding *folding, const struct tree_expr *expr,
                                    const struct tree_expr *a, const struct tree_expr *b)
{
    const bool divides =
        expr->kind == TREE_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD) && expr->type == a->type;
    const struct affine *result;

    if (!divides || b->kind != TREE_INT || b->integer < 2 || !(is_index(a) || is_narrow_index(folding, a)) ||
        a->kind != TREE_INDEX || !affine_uses(a->affine, folding->var) || !facts_imply(folding->facts, a->affine))
        return NULL;
    result = expr->op == OP_DIV ? affine_floor(folding->arena, a->affine, b->integer)
                                : affine_mod(folding->arena, a->affine, b->integer);
    return result ? affine_mark_plain(folding->arena, result, non_negative, (void *)(uintptr_t)folding->facts) : NULL;
}

/* The index a as a value of type. */
static const struct tree_expr *converted(const struct folding *folding, const struct affine *a, enum type type)
{
    const bool narrow = type_is_float(type) && affine_uses(a, folding->var) && fits_32(folding, a);

    int64_t constant;

    if (!type_is_float(type) && type_bits(type) < 64 && affine_is_constant(a, &constant))
        a = affine_constant(folding->arena, narrow_wrapped(type, constant));
    if (!type_is_float(type))
        return index_of(folding->arena, a, type);
    return tree_expr_cast(folding->arena, type, index_of(folding->arena, a, narrow ? TYPE_I32 : TYPE_I64));
}

/* Is expr the absolute value of what was an unsigned number of fewer bits? */
static bool is_own_absolute(const struct tree_expr *expr, const struct tree_expr *a)
{
    return expr->kind == TREE_CALL && expr->function == FUNCTION_ABS && expr->type == a->type && a->kind == TREE_CAST &&
           !type_is_float(a->type) && !type_is_float(a->arg[0]->type) && !type_is_signed(a->arg[0]->type) &&
           type_bits(a->arg[0]->type) < type_bits(a->type);
}

/* expr of bool as lanes have it; copy: the same with its arguments done; NULL: it stays as it is. */
static const struct tree_expr *folded_bool(const struct folding *folding, const struct tree_expr *expr,
                                           struct tree_expr *copy)
{
    if (expr->kind == TREE_UNARY && expr->op == OP_LNOT)
        return lane_bools_not(folding->arena, copy->arg[0]);
    if (expr->type != TYPE_BOOL)
        return NULL;
    if (expr->kind == TREE_CAST)
        return lane_bools_cast(folding->arena, expr->arg[0], copy->arg[0]);
    if (expr->kind != TREE_SELECT && (expr->kind != TREE_LOAD || !lane_bools_has(&expr->element, folding->var)))
        return NULL;
    copy->type = TYPE_U8;
    return copy;
}

static const struct tree_expr *fold(const struct folding *folding, const struct tree_expr *expr);

/* The element with subscripts that are numbers in each lane, also where they compare. */
static struct element fold_element(const struct folding *folding, const struct element *element)
{
    struct arena *arena = folding->arena;
    struct element result = *element;
    const struct tree_expr **indirect;

    if (!element->indirect || !folding->simd)
        return result;
    indirect = ARENA_ARRAY(arena, element->array->n_dim + 1, const struct tree_expr *);
    for (int k = 0; k < element->array->n_dim; k++) {
        indirect[k] = element->indirect[k];
        if (!indirect[k] || !tree_expr_uses(indirect[k], folding->var))
            continue;
        indirect[k] = fold(folding, indirect[k]);
        if (tree_expr_is_truth(indirect[k]))
            indirect[k] = lane_bools_number(arena, indirect[k], TYPE_I32);
    }
    result.indirect = indirect;
    return result;
}

static const struct tree_expr *fold(const struct folding *folding, const struct tree_expr *expr)
{
    struct arena *arena = folding->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);
    const struct affine *a = NULL;

    *copy = *expr;
    if (expr->kind == TREE_LOAD)
        copy->element = fold_element(folding, &expr->element);
    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = fold(folding, expr->arg[k]);
    copy->arg = arg;
    if (folding->simd)
        lane_bools_arguments(arena, expr, arg);
    const struct tree_expr *folded = folding->simd ? folded_bool(folding, expr, copy) : NULL;
    if (folded)
        return folded;
    if (folding->simd && expr->kind == TREE_CAST && !type_is_float(expr->type) && expr->type != TYPE_BOOL &&
        tree_expr_is_truth(arg[0]))
        return lane_bools_number(arena, arg[0], expr->type);
    for (int k = 0; k < expr->n_arg && folding->simd; k++)
        if (tree_expr_is_truth(arg[k]) && !lane_bools_wants_truth(expr, k))
            arg[k] = lane_bools_number(arena, arg[k], arg[k]->type);
    if (expr->kind == TREE_INDEX && type_is_float(expr->type))
        return converted(folding, expr->affine, expr->type);
    if (expr->kind == TREE_BINARY && expr->type == TYPE_I64 && is_index(arg[0]) && is_index(arg[1]))
        a = combined(arena, expr->op, affine_of(arena, arg[0]), affine_of(arena, arg[1]));
    if (!a && expr->n_arg == 2)
        a = divided(folding, expr, arg[0], arg[1]);
    if (a)
        return index_of(arena, a, expr->type);
    if (expr->n_arg == 1 && is_own_absolute(expr, arg[0]))
        return arg[0];
    if (expr->kind == TREE_CAST && expr->type != TYPE_BOOL && is_index(arg[0]))
        return converted(folding, affine_of(arena, arg[0]), expr->type);
    if (!expr->n_arg)
        return expr->kind == TREE_LOAD && expr->element.indirect ? copy : expr;
    return folding->simd ? narrow_expr(arena, folding->simd, copy) : copy;
}

static const struct tree_expr *fold_condition(const struct folding *folding, const struct tree_expr *condition)
{
    const struct tree_expr *folded = condition ? fold(folding, condition) : NULL;

    return folded && folding->simd ? lane_bools_truth(folding->arena, folded) : folded;
}

/* A loop may have a condition at which it ends. */
static const struct node *fold_loop(const struct folding *folding, const struct node *node)
{
    struct node *copy;

    if (!node || node->kind != NODE_LOOP || !node->guard_value)
        return node;
    copy = ARENA_NEW(folding->arena, struct node);
    *copy = *node;
    copy->guard_value = fold_condition(folding, node->guard_value);
    return copy;
}

static const struct node *fold_node(const struct folding *folding, const struct node *node)
{
    struct arena *arena = folding->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    struct node *copy;

    if (node->kind == NODE_VALUE && affine_uses(node->lower, folding->var))
        return fold_node(folding, node_substitute(arena, node->child[0], node->var, node->lower));
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *folding->facts;
        struct folding below = *folding;
        below.facts = &inside;
        facts_enter(&inside, node, k);
        child[k] = fold_node(&below, node->child[k]);
        if (!child[k])
            return NULL;
    }
    if (node->n_child)
        return fold_loop(folding, node_with_children(arena, node, child));
    if (node->kind != NODE_ASSIGN)
        return node;
    copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    copy->target = fold_element(folding, &node->target);
    copy->value = fold(folding, node->value);
    if (folding->simd && tree_expr_is_truth(copy->value) && node->target.array->type != TYPE_BOOL)
        copy->value = lane_bools_number(arena, copy->value, copy->value->type);
    if (folding->simd && node->op == OP_NONE && node->target.array->type == TYPE_BOOL)
        copy->value = lane_bools_has(&node->target, folding->var) ? lane_bools_bytes(arena, copy->value)
                                                                  : tree_expr_cast(arena, TYPE_BOOL, copy->value);
    copy->guard_value = fold_condition(folding, node->guard_value);
    return copy;
}

const struct node *lane_types_fold(const struct facts *facts, const struct simd *simd, const struct node *loop)
{
    const struct folding folding = {facts, facts->lowering->arena, loop->var, simd};

    return fold_node(&folding, loop->child[0]);
}

struct search {
    struct arena *arena;
    const struct var *var;
    struct lane_types types;
    VEC(const struct array *) own; /* variables that each lane has for itself */
};

static void add(struct search *search, enum type type)
{
    for (int k = 0; k < search->types.n; k++)
        if (search->types.type[k] == type)
            return;
    search->types.type[search->types.n++] = type;
}

/* Does a depend on the lane otherwise than by a factor? Of narrow lanes there may be more than numbers of 32 bits that
 * tell how far they are apart. */
static bool is_curved(const struct search *search, const struct affine *a)
{
    const struct affine *linear =
        affine_scale(search->arena, affine_var(search->arena, search->var), affine_factor(a, search->var));
    const struct affine *rest = affine_sub(search->arena, a, linear);

    return !rest || affine_uses(rest, search->var);
}

static void note_distances(struct search *search, const struct element *element)
{
    for (int k = 0; k < element->array->n_dim && type_bits(element->array->type) < 32; k++)
        if (element->index[k] && is_curved(search, element->index[k]))
            add(search, TYPE_I32);
}

static bool element_varies(const struct search *search, const struct element *element)
{
    for (int k = 0; k < search->own.n; k++)
        if (search->own.at[k] == element->array)
            return true;
    for (int k = 0; k < element->array->n_dim; k++)
        if (!element->index[k] || affine_uses(element->index[k], search->var))
            return true;
    return false;
}

static bool compares_indices(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && expr->op >= OP_LT && expr->op <= OP_NE && is_index(expr->arg[0]) &&
           is_index(expr->arg[1]);
}

/* Does expr depend on the lane? */
static bool note_expr(struct search *search, const struct tree_expr *expr)
{
    bool varies = (expr->affine && affine_uses(expr->affine, search->var)) ||
                  (expr->kind == TREE_LOAD && element_varies(search, &expr->element));

    for (int k = 0; expr->element.indirect && k < expr->element.array->n_dim; k++)
        if (expr->element.indirect[k]) {
            const struct tree_expr *number = tree_expr_unwidened(expr->element.indirect[k]);
            if (note_expr(search, number) && number->type != TYPE_I64)
                add(search, TYPE_I32);
        }
    if (expr->kind == TREE_LOAD)
        note_distances(search, &expr->element);
    if (expr->kind == TREE_INDEX && type_bits(expr->type) < 32 && is_curved(search, expr->affine))
        add(search, TYPE_I32);
    for (int k = 0; k < expr->n_arg && !compares_indices(expr); k++)
        varies |= note_expr(search, expr->arg[k]);
    if (varies && !tree_expr_is_truth(expr) && (expr->type != TYPE_BOOL || expr->kind == TREE_LOAD))
        add(search, expr->type);
    return varies;
}

static void note_node(const struct node *node, void *user)
{
    struct search *search = user;

    if (node->kind != NODE_ASSIGN)
        return;
    note_expr(search, node->value);
    if (node->guard_value)
        note_expr(search, node->guard_value);
    if (lane_bools_has(&node->target, search->var))
        add(search, TYPE_U8);
    else if (node->target.array->type != TYPE_BOOL || node->declares || node->target.array->in_registers)
        add(search, node->target.array->type);
    note_distances(search, &node->target);
    if (node->declares)
        VEC_PUSH(search->arena, &search->own, node->target.array);
}

struct lane_types lane_types_of(struct arena *arena, const struct node *body, const struct var *var)
{
    struct search search = {.arena = arena, .var = var};

    node_for_each(body, note_node, &search);
    return search.types;
}
