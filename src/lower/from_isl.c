/* From isl's AST to the loop tree.
 *
 * isl's iterators are called #0, #1, .. by depth, names that no parameter can have. A mark above each band
 * carries the loop's info, so a `for` over #d belongs to the d-th mark around it. A loop that isl finds to
 * have one iteration is gone from the AST, and its mark stands around the body.
 */
#include "lower/lower.h"

#include "base/vec.h"
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/schedule_node.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 256 };

struct conversion {
    struct lowering *lowering;
    struct arena *arena;
    const struct loop_info *info[MAX_DEPTH]; /* of the marks around, outermost first */
    const struct var *var[MAX_DEPTH];        /* of #0, #1, ..; NULL where isl made no loop */
    int depth;                               /* marks around */
};

static const struct affine *affine_of(struct conversion *conversion, __isl_take isl_ast_expr *expr);

/* The loop tree has no form for what isl made. */
static const struct affine *unsupported(struct conversion *conversion)
{
    conversion->lowering->failed = true;
    return NULL;
}

static const struct node *no_node(struct conversion *conversion)
{
    unsupported(conversion);
    return NULL;
}

static const struct affine *affine_of_id(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    const struct program *program = conversion->lowering->program;
    isl_id *id = isl_ast_expr_id_get_id(expr);
    const char *name = isl_id_get_name(id);
    const struct affine *affine = NULL;
    const int depth = name[0] == '#' ? atoi(name + 1) : 0;

    for (int k = 0; k < program->n_param && !affine; k++)
        if (strcmp(program->param[k].name, name) == 0)
            affine = affine_var(conversion->arena, conversion->lowering->param_var[k]);
    if (!affine && depth < MAX_DEPTH && conversion->var[depth])
        affine = affine_var(conversion->arena, conversion->var[depth]);
    isl_id_free(id);
    isl_ast_expr_free(expr);
    return affine ? affine : unsupported(conversion);
}

static const struct affine *affine_of_int(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    isl_val *val = isl_ast_expr_int_get_val(expr);
    const bool fits = isl_val_cmp_si(val, INT64_MAX) <= 0 && isl_val_cmp_si(val, -INT64_MAX) >= 0;
    const int64_t value = fits ? isl_val_get_num_si(val) : 0;

    isl_val_free(val);
    isl_ast_expr_free(expr);
    return fits ? affine_constant(conversion->arena, value) : unsupported(conversion);
}

static const struct affine *product(struct conversion *conversion, const struct affine *a, const struct affine *b)
{
    int64_t factor;

    if (affine_is_constant(a, &factor))
        return affine_scale(conversion->arena, b, factor);
    if (affine_is_constant(b, &factor))
        return affine_scale(conversion->arena, a, factor);
    return unsupported(conversion);
}

static const struct affine *quotient(struct conversion *conversion, enum isl_ast_expr_op_type type,
                                     const struct affine *a, const struct affine *b)
{
    int64_t divisor;

    if (!affine_is_constant(b, &divisor) || divisor <= 0)
        return unsupported(conversion);
    if (type == isl_ast_expr_op_pdiv_r || type == isl_ast_expr_op_zdiv_r)
        return affine_mod(conversion->arena, a, divisor);
    return affine_floor(conversion->arena, a, divisor);
}

static const struct affine *extreme(struct conversion *conversion, __isl_keep isl_ast_expr *expr,
                                    enum atom_kind kind)
{
    const int n = (int)isl_ast_expr_op_get_n_arg(expr);
    const struct affine **arg = ARENA_ARRAY(conversion->arena, n, const struct affine *);

    for (int k = 0; k < n; k++)
        arg[k] = affine_of(conversion, isl_ast_expr_op_get_arg(expr, k));
    for (int k = 0; k < n; k++)
        if (!arg[k])
            return NULL;
    return affine_extreme(conversion->arena, kind, arg, n);
}

static const struct affine *binary(struct conversion *conversion, __isl_keep isl_ast_expr *expr,
                                   enum isl_ast_expr_op_type type)
{
    struct arena *arena = conversion->arena;
    const struct affine *a = affine_of(conversion, isl_ast_expr_op_get_arg(expr, 0));
    const struct affine *b = affine_of(conversion, isl_ast_expr_op_get_arg(expr, 1));

    if (!a || !b)
        return NULL;
    switch (type) {
    case isl_ast_expr_op_add:
        return affine_add(arena, a, b);
    case isl_ast_expr_op_sub:
        return affine_sub(arena, a, b);
    case isl_ast_expr_op_mul:
        return product(conversion, a, b);
    default:
        return quotient(conversion, type, a, b);
    }
}

static const struct affine *affine_of_op(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    const enum isl_ast_expr_op_type type = isl_ast_expr_op_get_type(expr);
    const struct affine *affine;

    switch (type) {
    case isl_ast_expr_op_max:
        affine = extreme(conversion, expr, ATOM_MAX);
        break;
    case isl_ast_expr_op_min:
        affine = extreme(conversion, expr, ATOM_MIN);
        break;
    case isl_ast_expr_op_minus:
        affine = affine_of(conversion, isl_ast_expr_op_get_arg(expr, 0));
        affine = affine ? affine_scale(conversion->arena, affine, -1) : NULL;
        break;
    case isl_ast_expr_op_add:
    case isl_ast_expr_op_sub:
    case isl_ast_expr_op_mul:
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_fdiv_q:
    case isl_ast_expr_op_pdiv_q:
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
        affine = binary(conversion, expr, type);
        break;
    default:
        affine = unsupported(conversion);
    }
    isl_ast_expr_free(expr);
    return affine;
}

static const struct affine *affine_of(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_id:
        return affine_of_id(conversion, expr);
    case isl_ast_expr_int:
        return affine_of_int(conversion, expr);
    case isl_ast_expr_op:
        return affine_of_op(conversion, expr);
    default:
        isl_ast_expr_free(expr);
        return unsupported(conversion);
    }
}

/* Conditions in disjunctive form: any of guard[0..n) holds. */
typedef VEC(struct guard) guards;

static guards single(struct conversion *conversion, const struct affine *affine, bool equal)
{
    struct condition *condition = ARENA_NEW(conversion->arena, struct condition);
    guards result = {0};

    condition->affine = affine;
    condition->equal = equal;
    VEC_PUSH(conversion->arena, &result, ((struct guard){condition, 1}));
    return result;
}

static struct guard both(struct conversion *conversion, struct guard a, struct guard b)
{
    struct condition *condition = ARENA_ARRAY(conversion->arena, a.n + b.n, struct condition);

    memcpy(condition, a.condition, (size_t)a.n * sizeof(*condition));
    memcpy(condition + a.n, b.condition, (size_t)b.n * sizeof(*condition));
    return (struct guard){condition, a.n + b.n};
}

static guards conditions_of(struct conversion *conversion, __isl_take isl_ast_expr *expr);

static guards conjunction(struct conversion *conversion, guards a, guards b)
{
    guards result = {0};

    for (int i = 0; i < a.n; i++)
        for (int j = 0; j < b.n; j++)
            VEC_PUSH(conversion->arena, &result, both(conversion, a.at[i], b.at[j]));
    return result;
}

static guards disjunction(struct conversion *conversion, guards a, guards b)
{
    for (int k = 0; k < b.n; k++)
        VEC_PUSH(conversion->arena, &a, b.at[k]);
    return a;
}

static guards comparison(struct conversion *conversion, __isl_keep isl_ast_expr *expr,
                         enum isl_ast_expr_op_type type)
{
    struct arena *arena = conversion->arena;
    const struct affine *a = affine_of(conversion, isl_ast_expr_op_get_arg(expr, 0));
    const struct affine *b = affine_of(conversion, isl_ast_expr_op_get_arg(expr, 1));
    const struct affine *difference;

    if (!a || !b)
        return (guards){0};
    if (type == isl_ast_expr_op_ge || type == isl_ast_expr_op_gt || type == isl_ast_expr_op_eq)
        difference = affine_sub(arena, a, b);
    else
        difference = affine_sub(arena, b, a);
    if (type == isl_ast_expr_op_gt || type == isl_ast_expr_op_lt)
        difference = affine_add_constant(arena, difference, -1);
    return single(conversion, difference, type == isl_ast_expr_op_eq);
}

/* isl says 1 for what always holds: 0 >= 0, and 0 for what never does: -1 >= 0. */
static guards literal(struct conversion *conversion, __isl_keep isl_ast_expr *expr)
{
    isl_val *value = isl_ast_expr_int_get_val(expr);
    const bool holds = isl_val_is_zero(value) == isl_bool_false;

    isl_val_free(value);
    return single(conversion, affine_constant(conversion->arena, holds ? 0 : -1), false);
}

static guards conditions_of(struct conversion *conversion, __isl_take isl_ast_expr *expr)
{
    const enum isl_ast_expr_op_type type =
        isl_ast_expr_get_type(expr) == isl_ast_expr_op ? isl_ast_expr_op_get_type(expr) : isl_ast_expr_op_error;
    guards result = {0};

    switch (type) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
        result = conjunction(conversion, conditions_of(conversion, isl_ast_expr_op_get_arg(expr, 0)),
                             conditions_of(conversion, isl_ast_expr_op_get_arg(expr, 1)));
        break;
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
        result = disjunction(conversion, conditions_of(conversion, isl_ast_expr_op_get_arg(expr, 0)),
                             conditions_of(conversion, isl_ast_expr_op_get_arg(expr, 1)));
        break;
    case isl_ast_expr_op_eq:
    case isl_ast_expr_op_le:
    case isl_ast_expr_op_lt:
    case isl_ast_expr_op_ge:
    case isl_ast_expr_op_gt:
        result = comparison(conversion, expr, type);
        break;
    default:
        if (isl_ast_expr_get_type(expr) == isl_ast_expr_int)
            result = literal(conversion, expr);
        else
            unsupported(conversion);
    }
    isl_ast_expr_free(expr);
    return result;
}

static const struct node *node_of(struct conversion *conversion, __isl_take isl_ast_node *node);

static const struct node *node_of_block(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    isl_ast_node_list *list = isl_ast_node_block_get_children(node);
    const int n = (int)isl_ast_node_list_size(list);
    const struct node **child = ARENA_ARRAY(conversion->arena, n, const struct node *);

    for (int k = 0; k < n; k++)
        child[k] = node_of(conversion, isl_ast_node_list_get_at(list, k));
    isl_ast_node_list_free(list);
    return node_block(conversion->arena, child, n);
}

/* The last value that the loop's condition `c <= e` or `c < e` admits. */
static const struct affine *last_value(struct conversion *conversion, __isl_take isl_ast_expr *cond)
{
    const bool strict = isl_ast_expr_op_get_type(cond) == isl_ast_expr_op_lt;
    const struct affine *upper = affine_of(conversion, isl_ast_expr_op_get_arg(cond, 1));

    isl_ast_expr_free(cond);
    return upper && strict ? affine_add_constant(conversion->arena, upper, -1) : upper;
}

static int iterator_depth(__isl_keep isl_ast_node *node)
{
    isl_ast_expr *iterator = isl_ast_node_for_get_iterator(node);
    isl_id *id = isl_ast_expr_id_get_id(iterator);
    const int depth = atoi(isl_id_get_name(id) + 1);

    isl_id_free(id);
    isl_ast_expr_free(iterator);
    return depth;
}

static int64_t increment(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    const struct affine *inc = affine_of(conversion, isl_ast_node_for_get_inc(node));
    int64_t value = 1;

    if (inc && !affine_is_constant(inc, &value))
        unsupported(conversion);
    return value;
}

/* A loop that fuse called `mm.k` to tell it from another k is printed as k; pass_shadow.c renames it inside a k. */
static const char *printed_name(const struct loop_info *info)
{
    const char *dot = strchr(info->name, '.');

    return dot ? dot + 1 : info->name;
}

static const struct node *node_of_for(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    const int depth = iterator_depth(node);
    const bool once = isl_ast_node_for_is_degenerate(node) == isl_bool_true;
    const struct loop_info *info;
    const struct affine *lower, *upper;
    const struct node *body, *loop;
    const struct var *var;
    int64_t step;

    if (depth >= conversion->depth)
        return no_node(conversion);
    info = conversion->info[depth];
    lower = affine_of(conversion, isl_ast_node_for_get_init(node));
    upper = once ? lower : last_value(conversion, isl_ast_node_for_get_cond(node));
    step = once ? 1 : increment(conversion, node);
    var = lower_new_var(conversion->lowering, VAR_LOOP, printed_name(info));
    conversion->var[depth] = var;
    body = node_of(conversion, isl_ast_node_for_get_body(node));
    conversion->var[depth] = NULL;
    if (!lower || !upper || !body)
        return NULL;
    loop = node_loop(conversion->arena, var, lower, upper, step, info, body);
    return loop && info->comment ? node_with_comment(conversion->arena, loop, info->comment) : loop;
}

/* What holds when the condition does not. */
static guards negation_of(struct conversion *conversion, const struct condition *condition)
{
    struct arena *arena = conversion->arena;
    const struct affine *below = affine_add_constant(arena, affine_scale(arena, condition->affine, -1), -1);
    guards result = single(conversion, below, false);

    if (!condition->equal)
        return result;
    return disjunction(conversion, result,
                       single(conversion, affine_add_constant(arena, condition->affine, -1), false));
}

/* What holds when no alternative does. */
static guards otherwise(struct conversion *conversion, guards alternatives)
{
    guards result = {0};

    for (int k = 0; k < alternatives.n; k++) {
        guards none = {0};
        for (int c = 0; c < alternatives.at[k].n; c++)
            none = disjunction(conversion, none, negation_of(conversion, &alternatives.at[k].condition[c]));
        result = k == 0 ? none : conjunction(conversion, result, none);
    }
    return result;
}

static const struct node *guarded(struct conversion *conversion, guards condition, __isl_take isl_ast_node *node)
{
    const struct node *body = node_of(conversion, node);

    return body ? node_if(conversion->arena, condition.at, condition.n, body) : NULL;
}

static const struct node *node_of_if(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    guards condition = conditions_of(conversion, isl_ast_node_if_get_cond(node));
    const struct node *branch[2];

    if (condition.n == 0)
        return no_node(conversion);
    branch[0] = guarded(conversion, condition, isl_ast_node_if_get_then_node(node));
    if (isl_ast_node_if_has_else_node(node) != isl_bool_true)
        return branch[0];
    branch[1] = guarded(conversion, otherwise(conversion, condition), isl_ast_node_if_get_else_node(node));
    return node_block(conversion->arena, branch, 2);
}

static const struct node *node_of_mark(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    isl_id *id = isl_ast_node_mark_get_id(node);
    const struct node *body;

    if (conversion->depth == MAX_DEPTH) {
        isl_id_free(id);
        return no_node(conversion);
    }
    conversion->info[conversion->depth++] = isl_id_get_user(id);
    isl_id_free(id);
    body = node_of(conversion, isl_ast_node_mark_get_node(node));
    conversion->depth--;
    return body;
}

/* The call S(i, j, ..) of an instance. */
static const struct node *node_of_user(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(node);
    isl_ast_expr *callee = isl_ast_expr_op_get_arg(call, 0);
    isl_id *id = isl_ast_expr_id_get_id(callee);
    const struct statement *statement = program_statement(conversion->lowering->program, isl_id_get_name(id));
    const struct affine **argument = ARENA_ARRAY(conversion->arena, statement->n_loop, const struct affine *);

    for (int k = 0; k < statement->n_loop; k++)
        argument[k] = affine_of(conversion, isl_ast_expr_op_get_arg(call, k + 1));
    isl_id_free(id);
    isl_ast_expr_free(callee);
    isl_ast_expr_free(call);
    for (int k = 0; k < statement->n_loop; k++)
        if (!argument[k])
            return NULL;
    return node_statement(conversion->arena, statement, argument);
}

static const struct node *node_of(struct conversion *conversion, __isl_take isl_ast_node *node)
{
    const struct node *result = NULL;

    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_block:
        result = node_of_block(conversion, node);
        break;
    case isl_ast_node_for:
        result = node_of_for(conversion, node);
        break;
    case isl_ast_node_if:
        result = node_of_if(conversion, node);
        break;
    case isl_ast_node_mark:
        result = node_of_mark(conversion, node);
        break;
    case isl_ast_node_user:
        result = node_of_user(conversion, node);
        break;
    default:
        break;
    }
    isl_ast_node_free(node);
    return result;
}

/* #0, #1, .., #n-1 */
static __isl_give isl_id_list *iterators(isl_ctx *ctx, int n)
{
    isl_id_list *list = isl_id_list_alloc(ctx, n);
    char name[16];

    for (int k = 0; k < n; k++) {
        snprintf(name, sizeof(name), "#%d", k);
        list = isl_id_list_add(list, isl_id_alloc(ctx, name, NULL));
    }
    return list;
}

static int loop_depth(const struct order *order)
{
    int deepest = 0;

    for (int k = 0; k < order->n_child; k++) {
        const int depth = loop_depth(order->child[k]);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + (order->kind == ORDER_LOOP);
}

static isl_bool has_no_band(__isl_keep isl_schedule_node *node, void *user)
{
    (void)user;
    return isl_bool_ok(isl_schedule_node_get_type(node) != isl_schedule_node_band);
}

/* A band with loops inside is one loop, whatever runs in it, unless isl is to unroll it. */
static __isl_give isl_schedule_node *keep_whole(__isl_take isl_schedule_node *node, void *user)
{
    isl_schedule_node *inside;
    isl_bool innermost;

    (void)user;
    if (isl_schedule_node_get_type(node) != isl_schedule_node_band ||
        isl_schedule_node_band_member_get_ast_loop_type(node, 0) == isl_ast_loop_unroll)
        return node;
    inside = isl_schedule_node_child(isl_schedule_node_copy(node), 0);
    innermost = isl_schedule_node_every_descendant(inside, has_no_band, NULL);
    isl_schedule_node_free(inside);
    if (innermost == isl_bool_false)
        node = isl_schedule_node_band_member_set_ast_loop_type(node, 0, isl_ast_loop_atomic);
    return node;
}

const struct node *lower_from_isl(struct lowering *lowering, const struct order *order, bool whole)
{
    const struct program *program = lowering->program;
    struct conversion conversion = {.lowering = lowering, .arena = lowering->arena};
    isl_ast_build *build = isl_ast_build_from_context(isl_set_copy(program->context));
    isl_schedule *schedule = order_to_schedule(order);
    isl_ast_node *ast;

    if (whole)
        schedule = isl_schedule_map_schedule_node_bottom_up(schedule, keep_whole, NULL);
    build = isl_ast_build_set_iterators(build, iterators(program->ctx, loop_depth(order)));
    ast = isl_ast_build_node_from_schedule(build, schedule);
    isl_ast_build_free(build);
    return ast ? node_of(&conversion, ast) : NULL;
}
