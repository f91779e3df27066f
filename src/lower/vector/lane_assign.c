/* Assignments in all lanes, and updates of one element by all of them: part of pass "vectors". */
#include "lower/vector/lanes.h"

#include "dep/dependence.h"
#include "lower/vector/sums.h"
#include "program/program.h"
#include "tree/visit.h"

/* modular: as far as an operation modulo 2^n is concerned */
static bool is_old_value(const struct node *assign, const struct tree_expr *expr, bool modular)
{
    expr = tree_expr_unwidened(modular ? tree_expr_same_bits(expr) : expr);
    return expr->kind == TREE_LOAD && element_equal(&expr->element, &assign->target);
}

static bool collects(enum expr_op op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR ||
           op == OP_MIN || op == OP_MAX;
}

/* The operation that assign computes; of small integers it is done in wider ones, modulo 2^n. */
static const struct tree_expr *operation(const struct node *assign)
{
    const struct tree_expr *value = assign->value;
    const bool narrows = value->kind == TREE_CAST && !type_is_float(value->type) &&
                         !type_is_float(value->arg[0]->type) && value->type != TYPE_BOOL;

    return assign->op == OP_NONE && narrows ? value->arg[0] : value;
}

enum expr_op lanes_update(struct arena *arena, const struct node *assign, const struct tree_expr **value,
                          bool *negative)
{
    const struct tree_expr *whole = operation(assign);
    enum expr_op op = assign->op;

    *value = whole;
    if (op == OP_NONE && whole->n_arg == 2) {
        const bool modular = whole->kind == TREE_BINARY;
        const bool first = is_old_value(assign, whole->arg[0], modular);
        const bool second = is_old_value(assign, whole->arg[1], modular);
        if (whole->kind == TREE_BINARY)
            op = whole->op;
        else if (whole->kind == TREE_CALL && (whole->function == FUNCTION_MIN || whole->function == FUNCTION_MAX))
            op = whole->function == FUNCTION_MIN ? OP_MIN : OP_MAX;
        if (first == second || (second && op == OP_SUB))
            return OP_NONE;
        *value = tree_expr_cast(arena, assign->target.array->type, whole->arg[first ? 1 : 0]);
    }
    *negative = op == OP_SUB;
    return !collects(op) ? OP_NONE : op == OP_SUB ? OP_ADD : op;
}

static const struct lane_sum *find_sum(const struct lanes *lanes, const struct node *assign)
{
    for (int k = 0; k < lanes->sums.n; k++)
        if (lanes->sums.at[k].assign->statement == assign->statement &&
            element_equal(&lanes->sums.at[k].assign->target, &assign->target))
            return &lanes->sums.at[k];
    return NULL;
}

/* An equation that holds for the one lane that runs, `lane + something = 0`; NULL: none is known. */
static const struct affine *lane_equation(const struct lanes *lanes)
{
    struct arena *arena = lanes->lowering->arena;
    int64_t factor;

    for (int k = 0; k < lanes->conditions.n; k++) {
        const struct condition *condition = &lanes->conditions.at[k];
        if (condition->equal && lanes_factor(lanes, condition->affine, &factor) && (factor == 1 || factor == -1))
            return affine_scale(arena, condition->affine, factor);
    }
    if (!lanes->count || !facts_imply(lanes->facts, affine_sub(arena, affine_constant(arena, 1), lanes->count)))
        return NULL;
    return affine_var(arena, lanes->lane);
}

/* Arguments that say `3` where the loop's variable is 3 in the lane that runs say the variable again: the one that is
 * simplest with 0 added. */
static void tell_lane(const struct lanes *lanes, struct node *node)
{
    struct arena *arena = lanes->lowering->arena;
    const struct affine *zero, *best = NULL;
    const int n = node->statement->n_loop;
    const struct affine **argument = ARENA_ARRAY(arena, n + 1, const struct affine *);
    int number = 0;

    for (int d = 0; d < n; d++)
        if (affine_uses(node->argument[d], lanes->lane))
            return;
    zero = lane_equation(lanes);
    for (int d = 0; d < n && zero; d++) {
        const struct affine *sum = affine_add(arena, node->argument[d], zero);

        argument[d] = node->argument[d];
        if (sum && (!best || affine_terms(sum) < affine_terms(best))) {
            best = sum;
            number = d;
        }
    }
    if (!best)
        return;
    argument[number] = best;
    node->argument = argument;
}

void lanes_set_instances(const struct lanes *lanes, struct node *node)
{
    struct inner_dim *lane = ARENA_NEW(lanes->lowering->arena, struct inner_dim);

    *lane = (struct inner_dim){lanes->lane, lanes->n, node->vector != NULL};
    node->inner = lane;
    node->n_inner = node->argument ? 1 : 0;
    if (node->argument)
        tell_lane(lanes, node);
}

/* An update in the vector sum, instead of the target. */
static const struct node *update_sum(struct lanes *lanes, const struct node *assign, const struct var *sum)
{
    struct node *copy = ARENA_NEW(lanes->lowering->arena, struct node);
    struct vector *vector = ARENA_NEW(lanes->lowering->arena, struct vector);
    const struct tree_expr *value;
    bool negative;

    *copy = *assign;
    copy->op = lanes_update(lanes->lowering->arena, assign, &value, &negative);
    copy->op = negative ? OP_SUB : copy->op;
    copy->value = lanes_expr(lanes, value);
    copy->guard_value = assign->guard_value ? lanes_expr(lanes, assign->guard_value) : NULL;
    *vector = *lanes_vector(lanes, sum);
    vector->place = lanes->place;
    copy->vector = vector;
    lanes_set_instances(lanes, copy);
    return copy->value && !lanes->refused ? copy : NULL;
}

/* The first loop but the lanes' own that tells which of a literal number of elements it is; NULL: none does. */
static const struct var *loop_of_subscript(const struct lanes *lanes, const struct element *element)
{
    for (int k = 0; k < element->array->n_dim; k++)
        if (element->array->shape[k]->kind != EXPR_INT)
            return NULL;
    for (int k = 0; k < element->array->n_dim; k++)
        for (int t = 0; element->index[k] && t < element->index[k]->n_term; t++) {
            const struct atom *atom = element->index[k]->term[t].atom;
            if (atom->kind == ATOM_VAR && atom->var->kind == VAR_LOOP && atom->var != lanes->lane)
                return atom->var;
        }
    return NULL;
}

/* What would help where all lanes write one element; NULL: nothing that is known. */
static const char *help_one(const struct lanes *lanes, const struct node *assign)
{
    const struct var *loop = loop_of_subscript(lanes, &assign->target);
    const struct array *array = assign->target.array;
    enum expr_op op;

    if ((array->type == TYPE_F16 || array->type == TYPE_BF16) && statement_is_update(assign->statement, &op))
        return "each update rounds to 16 bits: sum up in a temporary of f32 and convert that at the end";
    if (array->role == ROLE_TEMP && array->n_dim > 0 && !array->is_buffer && array->n_iteration > 0 && loop)
        return arena_printf(
            lanes->lowering->arena,
            "`split` the loop: where a loop has a constant number of iterations, each lane has elements "
            "of its own; or `unroll` the loop `%s`, with \"tail\": \"cases\" its rest, too: elements "
            "with literal subscripts are variables of the lanes",
            loop->name);
    if (array->role == ROLE_TEMP && array->n_dim > 0 && !array->is_buffer && array->n_iteration > 0)
        return "`split` the loop: where a loop has a constant number of iterations, each lane has elements of its own; "
               "scalar temporaries, one for each of a few elements, stay in registers";
    if (array->role == ROLE_TEMP && array->n_dim > 0 && !array->is_buffer)
        return "of a temporary only what one iteration uses is left; \"storage\": \"full\" keeps all of it, and "
               "scalar temporaries, one for each of a few elements, stay in registers";
    return NULL;
}

static const struct node *refuse_one(struct lanes *lanes, const struct node *assign)
{
    return lanes_refuse(lanes, help_one(lanes, assign),
                        arena_printf(lanes->lowering->arena, "all lanes write the same element of `%s`",
                                     assign->target.array->name));
}

/* May lanes that do not run add 0? That may change the sign of a 0, so that sums of floats need the permission, even
 * where one lane at most runs. */
static bool is_free(const struct lanes *lanes, const struct node *assign, enum expr_op op)
{
    return !assign->statement || !type_is_float(assign->target.array->type) ||
           update_order_is_free(lanes->lowering->program, assign->statement, op);
}

static const struct node *refuse_in_turn(struct lanes *lanes, const struct node *assign)
{
    return lanes_refuse(lanes,
                        "\"permit\": [\"reassociate\"] lets the other lanes add a 0, which may change the sign of one",
                        arena_printf(lanes->lowering->arena, "lanes update one element of `%s`, each in its turn",
                                     assign->target.array->name));
}

/* All lanes write one element: an update of it that the loop around collects, or that is collected right here. */
static const struct node *assign_one(struct lanes *lanes, const struct node *assign)
{
    const struct lane_sum *sum = find_sum(lanes, assign);
    const struct tree_expr *value;
    const struct node *update;
    struct lane_sum here;
    bool negative;

    here = (struct lane_sum){assign, lanes_update(lanes->lowering->arena, assign, &value, &negative), NULL, NULL};
    if (here.op == OP_NONE)
        return refuse_one(lanes, assign);
    if (!is_free(lanes, assign, here.op))
        return refuse_in_turn(lanes, assign);
    if (sum)
        return update_sum(lanes, assign, sum->var);
    here.var = sums_new_var(lanes->lowering, &assign->target);
    if (!lanes->count && !lanes->active && !assign->guard_value) {
        struct node *all = ARENA_NEW(lanes->lowering->arena, struct node);
        *all = *assign;
        lanes_set_instances(lanes, all);
        here.assign = all;
        value = lanes_expr(lanes, value);
        return value ? sums_at_once(lanes->lowering, &here, lanes->n, negative, value) : NULL;
    }
    const struct affine *place = lanes->place;
    lanes->place = NULL;
    update = update_sum(lanes, assign, here.var);
    lanes->place = place;
    return update ? sums_around(lanes->lowering, &here, lanes->n, 1, update) : NULL;
}

/* Do all lanes run here that run anywhere in the scope of own? */
static bool all_run(const struct lanes *lanes, const struct lane_own *own)
{
    return affine_equal(lanes->count, own->vector->count) && lanes->active == own->vector->active;
}

/* A variable that each lane has for itself. */
static const struct node *assign_own(struct lanes *lanes, const struct node *assign, const struct lane_own *own)
{
    struct node *copy = ARENA_NEW(lanes->lowering->arena, struct node);
    struct vector *vector = ARENA_NEW(lanes->lowering->arena, struct vector);

    *copy = *assign;
    copy->value = lanes_expr(lanes, assign->value);
    copy->guard_value = assign->guard_value ? lanes_expr(lanes, assign->guard_value) : NULL;
    *vector = *lanes_vector(lanes, own->var);
    vector->loose = all_run(lanes, own);
    copy->vector = vector;
    lanes_set_instances(lanes, copy);
    return copy->value && !lanes->refused ? copy : NULL;
}

/* Also of halves, where the sum is one of floats and converted. */
static bool is_update(const struct lanes *lanes, const struct node *assign)
{
    const struct tree_expr *value;
    bool negative;

    return (assign->statement && assign->statement->op != OP_NONE) ||
           lanes_update(lanes->lowering->arena, assign, &value, &negative) != OP_NONE;
}

/* Does assign update elements that floors tell, of which two lanes may have the same? The plan's check lets sums whose
 * order is free have one; index arrays are known to tell different ones. */
static bool may_meet(const struct lanes *lanes, const struct node *assign, const struct element *target)
{
    return target->lane_step == LANES_APART && !target->lane_factor && !assign->target.indirect &&
           is_update(lanes, assign) && !lanes_differ(lanes, &assign->target);
}

/* Is it an element of an array that each lane is to have for itself, and that all of them share? */
static bool is_shared(const struct lanes *lanes, const struct element *target)
{
    for (int k = 0; k < lanes->local.n; k++)
        if (lanes->local.at[k] == target->array)
            return target->lane_step != 0;
    return false;
}

static const struct node *refuse_meeting(struct lanes *lanes, const struct node *assign)
{
    return lanes_refuse(lanes, "`split` the loop such that all lanes update one element, or each its own",
                        arena_printf(lanes->lowering->arena,
                                     "lanes may update the same element of `%s`, and not all the same one",
                                     assign->target.array->name));
}

const struct node *lanes_assign(struct lanes *lanes, const struct node *node)
{
    struct node *copy = ARENA_NEW(lanes->lowering->arena, struct node);
    const struct element target = lanes_element(lanes, &node->target);
    const struct lane_own *own = lanes_own(lanes, &node->target);

    if (lanes->refused)
        return NULL;
    if (may_meet(lanes, node, &target) || (!own && is_shared(lanes, &target)))
        return refuse_meeting(lanes, node);
    if (own)
        return assign_own(lanes, node, own);
    if (target.lane_step == 0)
        return assign_one(lanes, node);
    *copy = *node;
    copy->target = target;
    copy->value = lanes_expr(lanes, node->value);
    copy->guard_value = node->guard_value ? lanes_expr(lanes, node->guard_value) : NULL;
    copy->vector = lanes_vector(lanes, NULL);
    lanes_set_instances(lanes, copy);
    return lanes->refused || !copy->value ? NULL : copy;
}
