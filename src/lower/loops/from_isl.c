/* From isl's AST to the loop tree.
 *
 * isl's iterators are called #0, #1, .. by depth, names that no parameter can have. A mark above each band
 * carries the loop's info, so a `for` over #d belongs to the d-th mark around it. A loop that isl finds to
 * have one iteration is gone from the AST, and its mark stands around the body; one over positions of a launch, where
 * the iteration says what runs it, is made again (lower/loops/iterations.h).
 */
#include "lower/lower.h"

#include "caps/gpu.h"
#include "lower/loops/ast_expr.h"
#include "lower/loops/iterations.h"
#include "plan/loop_plan.h"

#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/schedule_node.h>

#include <stdlib.h>
#include <string.h>

/* The loop tree has no form for what isl made. */
static const struct node *no_node(struct conversion *conversion)
{
    conversion->lowering->failed = true;
    return NULL;
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
    const struct affine *upper = ast_affine(conversion, isl_ast_expr_op_get_arg(cond, 1));

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
    const struct affine *inc = ast_affine(conversion, isl_ast_node_for_get_inc(node));
    int64_t value = 1;

    if (inc && !affine_is_constant(inc, &value))
        no_node(conversion);
    return value;
}

const char *lower_printed_name(const struct loop_info *info)
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
    conversion->missing = -1;
    info = conversion->info[depth];
    lower = ast_affine(conversion, isl_ast_node_for_get_init(node));
    upper = once ? lower : last_value(conversion, isl_ast_node_for_get_cond(node));
    step = once ? 1 : increment(conversion, node);
    var = lower_new_var(conversion->lowering, VAR_LOOP, lower_printed_name(info));
    conversion->var[depth] = var;
    body = node_of(conversion, isl_ast_node_for_get_body(node));
    conversion->var[depth] = NULL;
    if (!lower || !upper || !body)
        return NULL;
    loop = node_loop(conversion->arena, var, lower, upper, step, info, body);
    return loop && info->comment ? node_with_comment(conversion->arena, loop, info->comment) : loop;
}

static const struct node *guarded(struct conversion *conversion, guards condition, __isl_take isl_ast_node *node)
{
    const struct node *body = node_of(conversion, node);

    return body ? node_if(conversion->arena, condition.at, condition.n, body) : NULL;
}

static const struct node *node_of_if(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    guards condition = ast_conditions(conversion, isl_ast_node_if_get_cond(node));
    const struct node *branch[2];

    if (condition.n == 0)
        return no_node(conversion);
    branch[0] = guarded(conversion, condition, isl_ast_node_if_get_then_node(node));
    if (isl_ast_node_if_has_else_node(node) != isl_bool_true)
        return branch[0];
    branch[1] = guarded(conversion, ast_otherwise(conversion, condition), isl_ast_node_if_get_else_node(node));
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
    if (loop_plan_has_positions(isl_id_get_user(id)))
        conversion->missing = conversion->depth - 1;
    isl_id_free(id);
    body = node_of(conversion, isl_ast_node_mark_get_node(node));
    conversion->depth--;
    return body;
}

/* The loop over positions of which isl has left the body of its one iteration. */
static const struct node *node_of_missing(struct conversion *conversion, __isl_take isl_ast_node *node)
{
    const int depth = conversion->missing;
    const struct loop_info *info = conversion->info[depth];
    const struct affine *value = ast_affine(conversion, iteration_of(node, conversion->order, info));
    const struct node *body;

    conversion->missing = -1;
    conversion->var[depth] = lower_new_var(conversion->lowering, VAR_LOOP, lower_printed_name(info));
    body = node_of(conversion, node);
    if (value && body)
        body = node_loop(conversion->arena, conversion->var[depth], value, value, 1, info, body);
    conversion->var[depth] = NULL;
    if (!value || !body)
        return NULL;
    return info->comment ? node_with_comment(conversion->arena, body, info->comment) : body;
}

/* The first argument of a call that has different values under different conditions; 0: none has. */
static int argument_with_cases(__isl_keep isl_ast_expr *call)
{
    const int n = (int)isl_ast_expr_op_get_n_arg(call);
    int found = 0;

    for (int k = 1; k < n && !found; k++) {
        isl_ast_expr *argument = isl_ast_expr_op_get_arg(call, k);
        if (isl_ast_expr_get_type(argument) == isl_ast_expr_op) {
            const enum isl_ast_expr_op_type type = isl_ast_expr_op_get_type(argument);
            found = type == isl_ast_expr_op_cond || type == isl_ast_expr_op_select ? k : 0;
        }
        isl_ast_expr_free(argument);
    }
    return found;
}

/* The call S(i, j, ..) of an instance. */
static const struct node *node_of_plain_call(struct conversion *conversion, __isl_take isl_ast_expr *call)
{
    isl_ast_expr *callee = isl_ast_expr_op_get_arg(call, 0);
    isl_id *id = isl_ast_expr_id_get_id(callee);
    const struct statement *statement = program_statement(conversion->lowering->program, isl_id_get_name(id));
    const struct affine **argument = ARENA_ARRAY(conversion->arena, statement->n_loop, const struct affine *);

    for (int k = 0; k < statement->n_loop; k++)
        argument[k] = ast_affine(conversion, isl_ast_expr_op_get_arg(call, k + 1));
    isl_id_free(id);
    isl_ast_expr_free(callee);
    isl_ast_expr_free(call);
    for (int k = 0; k < statement->n_loop; k++)
        if (!argument[k])
            return NULL;
    return node_statement(conversion->arena, statement, argument);
}

static const struct node *node_of_call(struct conversion *conversion, __isl_take isl_ast_expr *call);

/* The call with one of the values that argument k has, under its condition. */
static const struct node *node_of_case(struct conversion *conversion, __isl_keep isl_ast_expr *call, int k,
                                       guards condition, __isl_take isl_ast_expr *value)
{
    const struct node *body = node_of_call(conversion, isl_ast_expr_set_op_arg(isl_ast_expr_copy(call), k, value));

    return body ? node_if(conversion->arena, condition.at, condition.n, body) : NULL;
}

/* A call S(c ? i : j) is `if (c) S(i); else S(j);`. */
static const struct node *node_of_call(struct conversion *conversion, __isl_take isl_ast_expr *call)
{
    const int k = argument_with_cases(call);
    const struct node *branch[2];
    isl_ast_expr *cases;
    guards condition;

    if (!k)
        return node_of_plain_call(conversion, call);
    cases = isl_ast_expr_op_get_arg(call, k);
    condition = ast_conditions(conversion, isl_ast_expr_op_get_arg(cases, 0));
    branch[0] = node_of_case(conversion, call, k, condition, isl_ast_expr_op_get_arg(cases, 1));
    branch[1] =
        node_of_case(conversion, call, k, ast_otherwise(conversion, condition), isl_ast_expr_op_get_arg(cases, 2));
    isl_ast_expr_free(cases);
    isl_ast_expr_free(call);
    if (condition.n == 0 || !branch[0] || !branch[1])
        return NULL;
    return node_block(conversion->arena, branch, 2);
}

static const struct node *node_of_user(struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    return node_of_call(conversion, isl_ast_node_user_get_expr(node));
}

static const struct node *node_of_kind(struct conversion *conversion, __isl_take isl_ast_node *node)
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

/* Is node what runs in the iteration of a loop that isl made none of? */
static bool is_missing_loop(const struct conversion *conversion, __isl_keep isl_ast_node *node)
{
    const enum isl_ast_node_type type = isl_ast_node_get_type(node);

    if (conversion->missing < 0 || type == isl_ast_node_block || type == isl_ast_node_if)
        return false;
    return type != isl_ast_node_for || iterator_depth(node) != conversion->missing;
}

static const struct node *node_of(struct conversion *conversion, __isl_take isl_ast_node *node)
{
    const struct node *result = NULL;
    const int missing = conversion->missing;

    if (is_missing_loop(conversion, node))
        result = node_of_missing(conversion, node);
    else
        result = node_of_kind(conversion, node);
    conversion->missing = missing;
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
    struct conversion conversion = {.lowering = lowering, .arena = lowering->arena, .order = order, .missing = -1};
    isl_ast_build *build = isl_ast_build_from_context(isl_set_copy(program->context));
    isl_schedule *schedule = order_to_schedule(order);
    isl_ast_node *ast;

    if (whole)
        schedule = isl_schedule_map_schedule_node_bottom_up(schedule, keep_whole, NULL);
    build = isl_ast_build_set_iterators(build, iterators(program->ctx, loop_depth(order)));
    if (gpu_by_language(program->target.language))
        build = iterations_note(build, lowering->arena);
    ast = isl_ast_build_node_from_schedule(build, schedule);
    isl_ast_build_free(build);
    return ast ? node_of(&conversion, ast) : NULL;
}
