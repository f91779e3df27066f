/* Values and conditions in all lanes. */
#include "lower/vector/lanes.h"
#include "lower/vector/registers.h"

#include "program/program.h"
#include "tree/layout.h"
#include "tree/visit.h"

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

const struct affine *lanes_first(const struct lanes *lanes, const struct affine *a)
{
    struct arena *arena = lanes->lowering->arena;

    if (!a || !affine_uses(a, lanes->lane))
        return a;
    a = affine_substitute(arena, a, lanes->lane, affine_constant(arena, 0));
    return a && affine_has_floor(a) ? affine_mark_plain(arena, a, non_negative, (void *)(uintptr_t)lanes->facts) : a;
}

bool lanes_factor(const struct lanes *lanes, const struct affine *a, int64_t *factor)
{
    *factor = 0;
    return a && affine_linear_factor(lanes->lowering->arena, a, lanes->lane, factor);
}

static void note_use(const struct tree_expr *expr, void *user)
{
    const struct var **lane = user;

    if (*lane && expr->affine && affine_uses(expr->affine, *lane))
        *lane = NULL;
    for (int k = 0; *lane && expr->element.index && k < expr->element.array->n_dim; k++)
        if (expr->element.index[k] && affine_uses(expr->element.index[k], *lane))
            *lane = NULL;
}

static bool uses_lane(const struct lanes *lanes, const struct tree_expr *expr)
{
    const struct var *lane = lanes->lane;

    tree_expr_for_each(expr, note_use, &lane);
    return !lane;
}

struct looking {
    const struct lanes *lanes;
    bool found;
};

static void find_own(const struct tree_expr *expr, void *user)
{
    struct looking *looking = user;

    looking->found |= expr->kind == TREE_LOAD && lanes_own(looking->lanes, &expr->element);
}

bool lanes_vary(const struct lanes *lanes, const struct tree_expr *expr)
{
    struct looking looking = {lanes, uses_lane(lanes, expr)};

    tree_expr_for_each(expr, find_own, &looking);
    return looking.found;
}

bool lanes_step(const struct lanes *lanes, const struct element *element, int64_t *step)
{
    const struct lowering *lowering = lanes->lowering;
    const struct array *array = element->array;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    int *order = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int);
    int64_t *ratio = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int64_t), unit = array->stride ? 0 : 1, factor;

    *step = 0;
    array_steps(lowering->arena, &parameters, array, order, ratio);
    for (int k = array->n_dim - 1; k >= 0; k--) {
        const struct affine *index = element->index[order[k]];
        const bool same = !index && !lanes_vary(lanes, element->indirect[order[k]]);
        if ((!same && !lanes_factor(lanes, index, &factor)) || (!same && factor && unit == 0))
            return false;
        *step += same ? 0 : factor * unit;
        unit *= ratio[k];
    }
    return true;
}

/* Subscripts of lane 0, and what they grow by from lane to lane; false: not a constant. */
static bool first_element(struct lanes *lanes, struct element *element)
{
    struct arena *arena = lanes->lowering->arena;
    const int n = element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    int64_t *factor = ARENA_ARRAY(arena, n + 1, int64_t);
    bool constant = true;

    for (int k = 0; k < n; k++) {
        const bool same = !element->index[k] && !lanes_vary(lanes, element->indirect[k]);
        constant = (lanes_factor(lanes, element->index[k], &factor[k]) || same) && constant;
        index[k] = lanes_first(lanes, element->index[k]);
    }
    element->index = index;
    element->lane_factor = constant ? factor : NULL;
    return constant;
}

static bool has_extreme(const struct element *element)
{
    bool found = false;

    for (int k = 0; k < element->array->n_dim; k++)
        for (int t = 0; element->index[k] && t < element->index[k]->n_term; t++)
            found = found || element->index[k]->term[t].atom->kind == ATOM_MIN ||
                    element->index[k]->term[t].atom->kind == ATOM_MAX;
    return found;
}

static void refuse_apart(struct lanes *lanes, const struct element *element)
{
    const char *name = element->array->name;

    if (element->indirect)
        lanes_refuse_name(lanes, "the lanes' elements of ", name,
                          " are chosen by data: lanes gather by a last subscript of integers other than u32 and u64 "
                          "only");
    else
        lanes_refuse(lanes,
                     has_extreme(element) ? "`peel` the iterations in which one side of the minimum or maximum decides"
                                          : NULL,
                     arena_printf(lanes->lowering->arena, "the lanes' elements of `%s` are not a constant number apart",
                                  name));
}

static struct element in_lanes(struct lanes *lanes, const struct element *element)
{
    struct element result = *element, apart = *element;
    const bool steps = lanes_step(lanes, element, &result.lane_step), constant = first_element(lanes, &result);

    if (steps)
        return result;
    if (element->indirect && !element->array->in_registers && lanes_store_by_subscript(lanes, &apart))
        return apart;
    result.lane_step = LANES_APART;
    if (!constant && !element->indirect && simd_type_of(lanes->simd, TYPE_I32, lanes->n))
        result.distance = lanes_offsets(lanes, element);
    if (element->array->in_registers && lower_refuse_size(lanes->lowering, element->array))
        lanes->refused = true;
    else if (element->array->in_registers || (!constant && !result.distance))
        refuse_apart(lanes, element);
    return result;
}

struct element lanes_element(struct lanes *lanes, const struct element *element)
{
    return element->array->n_dim ? in_lanes(lanes, element) : *element;
}

static struct tree_expr *operation(struct arena *arena, enum tree_expr_kind kind, enum expr_op op,
                                   const struct tree_expr *a, const struct tree_expr *b)
{
    struct tree_expr *expr = tree_expr_new(arena, kind, TYPE_BOOL);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);

    arg[0] = a;
    arg[1] = b;
    expr->op = op;
    expr->arg = arg;
    expr->n_arg = b ? 2 : 1;
    return expr;
}

const struct tree_expr *lanes_both(struct arena *arena, const struct tree_expr *a, const struct tree_expr *b)
{
    return a && b ? operation(arena, TREE_BINARY, OP_LAND, a, b) : a ? a : b;
}

const struct tree_expr *lanes_not(struct arena *arena, const struct tree_expr *a)
{
    const bool twice = a && a->kind == TREE_UNARY && a->op == OP_LNOT;

    return twice ? a->arg[0] : operation(arena, TREE_UNARY, OP_LNOT, a, NULL);
}

static const struct tree_expr *index_value(struct arena *arena, const struct affine *a)
{
    struct tree_expr *expr = tree_expr_new(arena, TREE_INDEX, TYPE_I64);

    expr->affine = a;
    return expr;
}

static const struct tree_expr *integer(struct arena *arena, int64_t value)
{
    struct tree_expr *expr = tree_expr_new(arena, TREE_INT, TYPE_I64);

    expr->integer = value;
    return expr;
}

/* The lanes below count. */
static const struct tree_expr *below(struct lanes *lanes, const struct affine *count)
{
    struct tree_expr *mask = tree_expr_new(lanes->lowering->arena, TREE_MASK, TYPE_BOOL);

    mask->affine = count;
    return mask;
}

const struct tree_expr *lanes_condition(struct lanes *lanes, const struct condition *condition)
{
    struct arena *arena = lanes->lowering->arena;
    const struct affine *first = lanes_first(lanes, condition->affine);
    const struct tree_expr *after;
    int64_t factor;

    if (!lanes_factor(lanes, condition->affine, &factor) || (condition->equal && (factor < -1 || factor > 1))) {
        lanes_refuse(lanes,
                     "where it divides by a constant, split the loop by that, unroll the inner part and vectorize the "
                     "outer one",
                     "a condition that is not affine in the number of the lane has no mask");
        return NULL;
    }
    if (factor == 0)
        return operation(arena, TREE_BINARY, condition->equal ? OP_EQ : OP_GE, index_value(arena, first),
                         integer(arena, 0));
    if (condition->equal) {
        first = affine_scale(arena, first, -factor);
        after = lanes_not(arena, below(lanes, first));
        return lanes_both(arena, below(lanes, affine_add_constant(arena, first, 1)), after);
    }
    if (factor < 0)
        return below(lanes, affine_add_constant(arena, affine_floor(arena, first, -factor), 1));
    first = affine_add_constant(arena, affine_scale(arena, first, -1), factor - 1);
    return lanes_not(arena, below(lanes, affine_floor(arena, first, factor)));
}

static bool is_comparison(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && expr->op >= OP_LT && expr->op <= OP_NE;
}

static bool compares_indices(const struct tree_expr *expr)
{
    for (int k = 0; k < expr->n_arg; k++)
        if (expr->arg[k]->type != TYPE_I64 || (expr->arg[k]->kind != TREE_INDEX && expr->arg[k]->kind != TREE_INT))
            return false;
    return is_comparison(expr);
}

static const struct affine *affine_of_index(struct arena *arena, const struct tree_expr *expr)
{
    return expr->kind == TREE_INT ? affine_constant(arena, expr->integer) : expr->affine;
}

/* A comparison of values that are affine in the number of the lane. */
static const struct tree_expr *index_comparison(struct lanes *lanes, const struct tree_expr *expr)
{
    struct arena *arena = lanes->lowering->arena;
    const struct affine *a = affine_of_index(arena, expr->arg[0]), *b = affine_of_index(arena, expr->arg[1]);
    const bool less = expr->op == OP_LT || expr->op == OP_LE, strict = expr->op == OP_LT || expr->op == OP_GT;
    struct condition condition = {less ? affine_sub(arena, b, a) : affine_sub(arena, a, b),
                                  expr->op == OP_EQ || expr->op == OP_NE};
    const struct tree_expr *result;

    condition.affine = affine_add_constant(arena, condition.affine, strict ? -1 : 0);
    result = condition.affine ? lanes_condition(lanes, &condition) : NULL;
    return result && expr->op == OP_NE ? lanes_not(arena, result) : result;
}

bool lanes_divides(const struct tree_expr *expr)
{
    const bool divides =
        expr->kind == TREE_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD) && !type_is_float(expr->type);

    return divides && (expr->arg[1]->kind != TREE_INT || expr->arg[1]->integer == 0 || expr->arg[1]->integer == -1);
}

static void find_division(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= lanes_divides(expr);
}

/* a && b, a || b */
static bool joins(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && (expr->op == OP_LAND || expr->op == OP_LOR);
}

/* Arguments from here on run under a condition. */
static int sure_args(const struct tree_expr *expr)
{
    return joins(expr) || expr->kind == TREE_SELECT ? 1 : expr->n_arg;
}

bool lanes_divides_sometimes(const struct tree_expr *expr)
{
    bool divides = false;

    for (int k = 0; k < expr->n_arg; k++) {
        if (k < sure_args(expr))
            divides |= lanes_divides_sometimes(expr->arg[k]);
        else
            tree_expr_for_each(expr->arg[k], find_division, &divides);
    }
    return divides;
}

/* How far values of type are apart may be negative, and takes 32 bits where there are as many such lanes. */
static enum type distance_type(const struct lanes *lanes, enum type type)
{
    if (type_bits(type) < 32 && !simd_type_of(lanes->simd, TYPE_I32, lanes->n))
        return type;
    return type_bits(type) == 64 ? TYPE_I64 : TYPE_I32;
}

/* A value with floors of the lane's number: that of lane 0, and how far it is to the others. */
static const struct tree_expr *curved(struct lanes *lanes, const struct tree_expr *expr)
{
    struct arena *arena = lanes->lowering->arena;
    const struct tree_expr *distances = lanes_distances(lanes, expr->affine, distance_type(lanes, expr->type));
    struct tree_expr *first = tree_expr_new(arena, TREE_INDEX, expr->type), *sum;

    if (!distances) {
        lanes_refuse(lanes, NULL, "a value of the loop that is not affine has no form in vectors");
        return NULL;
    }
    distances = tree_expr_cast(arena, expr->type, distances);
    first->affine = lanes_first(lanes, expr->affine);
    if (affine_is_constant(first->affine, &first->integer) && first->integer == 0)
        return distances;
    sum = operation(arena, TREE_BINARY, OP_ADD, first, distances);
    sum->type = expr->type;
    return sum;
}

static const struct tree_expr *ramp(struct lanes *lanes, const struct tree_expr *expr)
{
    struct tree_expr *result = tree_expr_new(lanes->lowering->arena, TREE_RAMP, expr->type);

    if (!type_is_float(expr->type) && !lanes_factor(lanes, expr->affine, &result->integer))
        return curved(lanes, expr);
    if (type_is_float(expr->type)) {
        lanes_refuse(lanes, NULL, "a value of the loop that is not affine has no form in vectors");
        return NULL;
    }
    result->affine = lanes_first(lanes, expr->affine);
    return result;
}

/* What a name in vectors stands for the scalar of each lane, if it does. */
static const struct tree_expr *own_value(struct lanes *lanes, const struct tree_expr *expr)
{
    const struct lane_own *own = expr->kind == TREE_LOAD ? lanes_own(lanes, &expr->element) : NULL;
    struct tree_expr *named = own ? tree_expr_new(lanes->lowering->arena, TREE_NAMED, expr->type) : NULL;

    if (own)
        named->var = own->var;
    return named;
}

static const struct tree_expr *with_args(struct lanes *lanes, const struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(lanes->lowering->arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(lanes->lowering->arena, struct tree_expr);

    *copy = *expr;
    for (int k = 0; k < expr->n_arg; k++) {
        arg[k] = lanes_expr(lanes, expr->arg[k]);
        if (!arg[k])
            return NULL;
    }
    copy->arg = arg;
    if (joins(expr) && !tree_expr_uniform(copy) && !lanes_check_side(lanes, arg[1]))
        return NULL;
    if (expr->kind == TREE_LOAD)
        copy->element = lanes_element(lanes, &expr->element);
    return copy;
}

static void find_load(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD && expr->element.array->n_dim > 0;
}

static bool has_load(const struct tree_expr *expr)
{
    bool found = false;

    tree_expr_for_each(expr, find_load, &found);
    return found;
}

struct node *lanes_name_mask(struct lanes *lanes, const struct tree_expr *mask, enum type type,
                             const struct tree_expr **name)
{
    struct arena *arena = lanes->lowering->arena;
    struct vector *vector = ARENA_NEW(arena, struct vector);
    struct tree_expr *named = tree_expr_new(arena, TREE_NAMED, type);
    struct node *let = ARENA_NEW(arena, struct node);

    *vector = (struct vector){.lanes = lanes->n, .count = lanes->count, .active = lanes->active, .truth = type};
    named->var = lower_new_var(lanes->lowering, VAR_VALUE, names_unique(&lanes->lowering->taken, "mask"));
    *let = (struct node){.kind = NODE_LET,
                         .op = OP_NONE,
                         .child = ARENA_ARRAY(arena, 1, const struct node *),
                         .n_child = 1,
                         .var = named->var,
                         .value = mask,
                         .vector = vector};
    *name = named;
    return let;
}

/* c ? a : b; the condition gets a name where loads on its sides are to be masked by it, too. */
static const struct tree_expr *choice(struct lanes *lanes, const struct tree_expr *expr)
{
    const bool chosen = lanes->chosen;
    const struct tree_expr *truth = lanes_expr(lanes, expr->arg[0]);
    struct tree_expr *copy = ARENA_NEW(lanes->lowering->arena, struct tree_expr);
    const struct tree_expr **arg = ARENA_ARRAY(lanes->lowering->arena, 3, const struct tree_expr *);
    const bool loads = has_load(expr->arg[1]) || has_load(expr->arg[2]);

    if (truth && !chosen && loads && !tree_expr_uniform(truth))
        VEC_PUSH(lanes->lowering->arena, &lanes->masks, lanes_name_mask(lanes, truth, expr->type, &truth));
    lanes->chosen = true;
    *copy = *expr;
    copy->arg = arg;
    arg[0] = truth;
    for (int k = 1; k < 3; k++)
        arg[k] = lanes_expr(lanes, expr->arg[k]);
    lanes->chosen = chosen;
    for (int k = 1; k < 3 && truth && !tree_expr_uniform(truth); k++)
        arg[k] = lanes_check_side(lanes, arg[k]);
    return truth && arg[1] && arg[2] ? copy : NULL;
}

const struct tree_expr *lanes_expr(struct lanes *lanes, const struct tree_expr *expr)
{
    const struct tree_expr *own = own_value(lanes, expr);

    if (own)
        return own;
    if (expr->n_arg == 0 && !lanes_vary(lanes, expr))
        return expr;
    if (expr->kind == TREE_LOAD && lanes_vary(lanes, expr)) {
        const struct tree_expr *apart = lanes_load_apart(lanes, expr);
        if (apart)
            return apart;
    }
    if (compares_indices(expr) && uses_lane(lanes, expr))
        return index_comparison(lanes, expr);
    if (expr->kind == TREE_SELECT)
        return choice(lanes, expr);
    return expr->kind == TREE_INDEX ? ramp(lanes, expr) : with_args(lanes, expr);
}
