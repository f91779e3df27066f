/* Types and lanes: each operation agrees with its operands, each name with what it stands for. */
#include "tree/verifier.h"

#include "caps/simd.h"
#include "program/program.h"
#include "tree/visit.h"

/* Where an expression stands. */
struct typing {
    struct verifier *verifier;
    int lanes; /* of the vector; 1: there is none */
};

/* What an expression is there. */
struct shape {
    int lanes;  /* 1: the same in all of them */
    bool truth; /* in lanes: a mask */
};

static struct shape shape_of(const struct typing *typing, const struct tree_expr *expr);

static void expect(const struct typing *typing, bool holds, const char *violation)
{
    if (!holds)
        verifier_note(typing->verifier, violation, NULL);
}

static bool is_integer(enum type type)
{
    return type != TYPE_NONE && type != TYPE_BOOL && !type_is_float(type);
}

static bool is_logical(enum expr_op op)
{
    return op == OP_LAND || op == OP_LOR || op == OP_LNOT;
}

static bool is_shift(enum expr_op op)
{
    return op == OP_SHL || op == OP_SHR;
}

static bool takes_integers(enum expr_op op)
{
    return is_shift(op) || op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_NOT || op == OP_MOD;
}

/* A value of it in lanes: bool is a byte there. */
static bool holds(enum type of, enum type type)
{
    return of == type || (of == TYPE_BOOL && type == TYPE_U8);
}

/* The LET that binds var here; NULL, which is noted: it is no name of a value. */
static const struct node *let_of(const struct typing *typing, const struct var *var)
{
    const struct node *binder = var ? typing->verifier->binder[var->id] : NULL;

    if (!binder || binder->kind != NODE_LET)
        verifier_note(typing->verifier, "what is used as the name of a value is none", var);
    return binder && binder->kind == NODE_LET ? binder : NULL;
}

static bool is_mask(const struct node *let)
{
    return let->vector && (let->vector->truth != TYPE_NONE || (let->value->kind == TREE_MASK && !let->value->affine));
}

/* One of `registers` is asked for where there are several, and only there. */
static void check_place(const struct typing *typing, const struct node *let, const struct affine *place)
{
    expect(typing, !place == !let->vector->registers, "one of several vectors is not told, or told of one");
}

static struct shape named(const struct typing *typing, const struct tree_expr *expr)
{
    const struct node *let = let_of(typing, expr->var);

    if (!let)
        return (struct shape){1, false};
    expect(typing, is_mask(let) || expr->type == let->value->type, "a name is of another type than its value");
    if (!let->vector)
        return (struct shape){1, false};
    check_place(typing, let, expr->affine);
    return (struct shape){let->vector->lanes, is_mask(let)};
}

/* The vector of so many lanes and this type that var names. */
static void check_vector_name(const struct typing *typing, const struct var *var, enum type type, int64_t lanes,
                              const struct affine *place)
{
    const struct node *let = let_of(typing, var);

    if (!let)
        return;
    if (!let->vector || is_mask(let) || let->vector->lanes != lanes) {
        verifier_note(typing->verifier, "is no vector of these lanes", var);
        return;
    }
    expect(typing, holds(type, let->value->type), "a vector is of another type than what it stands for");
    check_place(typing, let, place);
}

/* Where an operand has lanes, they are those of the place. */
static struct shape operand(const struct typing *typing, const struct tree_expr *expr)
{
    const struct shape shape = shape_of(typing, expr);

    expect(typing, shape.lanes == 1 || shape.lanes == typing->lanes, "lanes are used where there are other lanes");
    return shape;
}

/* A number in each lane; its lanes. */
static int value(const struct typing *typing, const struct tree_expr *expr, enum type type, const char *violation)
{
    const struct shape shape = operand(typing, expr);

    expect(typing, !shape.truth, "a mask is used as a value");
    expect(typing, expr->type == type, violation);
    return shape.lanes;
}

static int index_value(const struct typing *typing, const struct tree_expr *expr)
{
    const struct shape shape = operand(typing, expr);

    expect(typing, !shape.truth && is_integer(expr->type), "a subscript is no integer");
    return shape.lanes;
}

/* In lanes a condition is a mask. */
static int condition(const struct typing *typing, const struct tree_expr *expr)
{
    const struct shape shape = operand(typing, expr);

    expect(typing, shape.truth || shape.lanes == 1, "a condition in lanes is no mask");
    return shape.lanes;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static void check_lanes_of(const struct typing *typing, const struct element *element)
{
    const int n = element->array->n_dim;

    expect(typing, typing->lanes > 1, "an element has lanes where there is no vector");
    expect(typing, element->n_lane_index == 0 || element->n_lane_index == n * typing->lanes,
           "the subscripts of lanes are not those of all lanes");
    expect(typing, element->parts == 0 || (element->parts == element->lane_step && element->part < element->parts),
           "a group has not as many members as its lanes are apart");
}

/* Its subscripts; how many lanes it has. */
static int check_element(const struct typing *typing, const struct element *element)
{
    const struct array *array = element->array;

    for (int k = 0; k < array->n_dim; k++) {
        if (element->index[k])
            continue;
        if (!element->indirect || !element->indirect[k]) {
            verifier_note(typing->verifier, "an element has no subscript", NULL);
            return 1;
        }
        index_value(typing, element->indirect[k]);
    }
    if (element->lane_step != 0)
        check_lanes_of(typing, element);
    else
        expect(typing, !element->n_lane_index && !element->parts && !element->distance,
               "an element that all lanes share has lanes");
    if (element->distance)
        expect(typing, index_value(typing, element->distance) == typing->lanes && element->lane_step == LANES_APART,
               "distances are not those of the lanes");
    if (element->base) {
        const struct node *pointer = typing->verifier->binder[element->base->id];
        expect(typing, pointer && pointer->kind == NODE_POINTER && pointer->target.array == array,
               "an element counts from what is no pointer into its array");
    }
    return element->lane_step != 0 ? typing->lanes : 1;
}

static struct shape load(const struct typing *typing, const struct tree_expr *expr)
{
    const int lanes = check_element(typing, &expr->element);
    const enum type type = expr->element.array->type;

    if (expr->integer > 0)
        expect(typing, is_integer(expr->type) && type_bits(expr->type) == expr->integer * type_bits(type),
               "neighbours that are loaded as one value do not fill it");
    else
        expect(typing, holds(type, expr->type), "an element is loaded as of another type");
    for (int k = 0; k < expr->n_arg; k++)
        expect(typing,
               index_value(typing, expr->arg[k]) == typing->lanes && expr->element.lane_step == LANES_APART &&
                   type_bits(expr->arg[k]->type) >= 32,
               "distances are not those of the lanes");
    return (struct shape){lanes, false};
}

static struct shape ramp(const struct typing *typing, const struct tree_expr *expr)
{
    expect(typing, typing->lanes > 1, "lanes are numbered where there is no vector");
    expect(typing, !type_is_float(expr->type), "numbers of lanes are no integers");
    expect(typing, !expr->list || expr->integer == typing->lanes, "numbers are not those of all lanes");
    return (struct shape){typing->lanes, false};
}

/* The load of a factor's neighbours, be it by a name; NULL: it is none. */
static const struct tree_expr *group_of(const struct typing *typing, const struct tree_expr *factor)
{
    const struct node *let = factor->kind == TREE_NAMED ? let_of(typing, factor->var) : NULL;

    factor = let ? let->value : factor;
    return factor->kind == TREE_LOAD && factor->integer > 0 ? factor : NULL;
}

/* Groups of neighbours, summed up in each lane. */
static struct shape dot(const struct typing *typing, const struct tree_expr *expr)
{
    const enum type type[] = {expr->dot->a, expr->dot->b};

    expect(typing, expr->type == expr->dot->sum && typing->lanes == expr->dot->lanes,
           "a sum of products is not that of its instruction");
    for (int k = 0; k < 2; k++) {
        const struct tree_expr *group = group_of(typing, expr->arg[k]);
        value(typing, expr->arg[k], TYPE_I32, "a group of factors is no value of 32 bits");
        expect(typing, group && group->integer == expr->dot->depth && group->element.array->type == type[k],
               "factors are not those of their instruction");
    }
    return (struct shape){typing->lanes, false};
}

static struct shape comparison(const struct typing *typing, const struct tree_expr *expr)
{
    const enum type type = expr->arg[0]->type;
    int lanes = value(typing, expr->arg[0], type, "");

    lanes = most(lanes, value(typing, expr->arg[1], type, "values of different types are compared"));
    return (struct shape){lanes, lanes > 1};
}

static struct shape logical(const struct typing *typing, const struct tree_expr *expr)
{
    int lanes = 1;

    for (int k = 0; k < expr->n_arg; k++)
        lanes = most(lanes, condition(typing, expr->arg[k]));
    return (struct shape){lanes, lanes > 1};
}

/* How far it shifts may be of another type. */
static struct shape operation(const struct typing *typing, const struct tree_expr *expr)
{
    int lanes = value(typing, expr->arg[0], expr->type, "an operand is not of its operation's type");

    expect(typing, !takes_integers(expr->op) || !type_is_float(expr->type),
           "an operation of integers is one of floats");
    if (expr->n_arg == 2 && is_shift(expr->op))
        lanes = most(lanes, index_value(typing, expr->arg[1]));
    else if (expr->n_arg == 2)
        lanes = most(lanes, value(typing, expr->arg[1], expr->type, "an operand is not of its operation's type"));
    return (struct shape){lanes, false};
}

static struct shape choice(const struct typing *typing, const struct tree_expr *expr)
{
    int lanes = condition(typing, expr->arg[0]);

    for (int k = 1; k < 3; k++)
        lanes = most(lanes, value(typing, expr->arg[k], expr->type, "a side of a choice is of another type"));
    return (struct shape){lanes, false};
}

static struct shape call(const struct typing *typing, const struct tree_expr *expr)
{
    const bool opaque = expr->function == FUNCTION_TAKE || expr->function == FUNCTION_GIVE;
    int lanes = 1;

    for (int k = 0; k < expr->n_arg; k++)
        lanes = most(lanes, value(typing, expr->arg[k], opaque ? expr->arg[k]->type : expr->type,
                                  "an argument is not of its function's type"));
    return (struct shape){lanes, false};
}

static struct shape total(const struct typing *typing, const struct tree_expr *expr)
{
    expect(typing, typing->lanes == 1, "a total of lanes is computed in lanes");
    check_vector_name(typing, expr->var, expr->type, expr->integer, expr->affine);
    return (struct shape){1, false};
}

/* One condition of all lanes of a mask. */
static struct shape any_lane(const struct typing *typing, const struct tree_expr *expr)
{
    const struct typing lanes = {typing->verifier, (int)expr->integer};

    expect(typing, typing->lanes == 1, "whether any lane is active is asked in lanes");
    expect(typing,
           expr->type == TYPE_BOOL && expr->integer > 1 && shape_of(&lanes, expr->arg[0]).lanes == expr->integer,
           "whether any lane is active is asked of no mask");
    return (struct shape){1, false};
}

static struct shape parts(const struct typing *typing, const struct tree_expr *expr)
{
    const struct element *target = &typing->verifier->at->target;

    expect(typing, typing->verifier->at->value == expr && expr->n_arg == target->parts,
           "members of a group are not what a group is assigned");
    for (int k = 0; k < expr->n_arg; k++)
        value(typing, expr->arg[k], expr->type, "a member of a group is of another type");
    return (struct shape){typing->lanes, false};
}

/* Of the text around, one of each. */
static struct shape operands(const struct typing *typing, const struct tree_expr *expr)
{
    expect(typing, typing->verifier->at->kind == NODE_TEXT, "operands are outside of a text");
    for (int k = 0; k < expr->n_arg; k++)
        value(typing, expr->arg[k], expr->arg[k]->type, "an operand is no value");
    return (struct shape){1, false};
}

static struct shape converted(const struct typing *typing, const struct tree_expr *expr)
{
    const struct shape shape = operand(typing, expr->arg[0]);

    expect(typing, !shape.truth, "a mask is converted");
    return (struct shape){shape.lanes, false};
}

/* Has the type this number? Of 64 bits it has all. */
static bool has_number(enum type type, int64_t number)
{
    const int bits = type == TYPE_BOOL ? 1 : type_bits(type);
    const int64_t half = bits < 64 ? (int64_t)1 << (bits - 1) : 0;

    if (type_is_float(type) || bits == 64)
        return true;
    return type_is_signed(type) ? number >= -half && number < half : number >= 0 && number < 2 * half;
}

static struct shape literal(const struct typing *typing, const struct tree_expr *expr)
{
    expect(typing, expr->kind != TREE_REAL || type_is_float(expr->type), "a real number is of a type of integers");
    expect(typing, expr->kind != TREE_INT || has_number(expr->type, expr->integer), "a number is none of its type");
    expect(typing, expr->kind != TREE_SCALAR || expr->type == expr->scalar->type, "a scalar is of another type");
    expect(typing, expr->kind != TREE_INDEX || expr->affine, "an index has no value");
    return (struct shape){1, false};
}

static struct shape binary(const struct typing *typing, const struct tree_expr *expr)
{
    if (expr->op >= OP_LT && expr->op <= OP_NE)
        return comparison(typing, expr);
    return is_logical(expr->op) ? logical(typing, expr) : operation(typing, expr);
}

/* expr, all of whose parts are looked at. */
static struct shape shape_of(const struct typing *typing, const struct tree_expr *expr)
{
    expect(typing, expr->type != TYPE_NONE, "an expression has no type");
    switch (expr->kind) {
    case TREE_LOAD:
        return load(typing, expr);
    case TREE_DOT:
        return dot(typing, expr);
    case TREE_NAMED:
        return named(typing, expr);
    case TREE_RAMP:
        return ramp(typing, expr);
    case TREE_MASK:
        return (struct shape){typing->lanes, true};
    case TREE_ANY:
        return any_lane(typing, expr);
    case TREE_TOTAL:
        return total(typing, expr);
    case TREE_UNARY:
        return is_logical(expr->op) ? logical(typing, expr) : operation(typing, expr);
    case TREE_BINARY:
        return binary(typing, expr);
    case TREE_SELECT:
        return choice(typing, expr);
    case TREE_CAST:
        return converted(typing, expr);
    case TREE_CALL:
        return call(typing, expr);
    case TREE_PARTS:
        return parts(typing, expr);
    case TREE_OPERANDS:
        return operands(typing, expr);
    default:
        return literal(typing, expr);
    }
}

/* Which lanes are active. */
static void check_vector(const struct typing *typing, const struct vector *vector)
{
    expect(typing, vector->lanes > 1, "a vector has less than two lanes");
    expect(typing, !vector->each || vector->registers > 0, "there are several masks, and one register");
    if (vector->active)
        condition(typing, vector->active);
    if (!vector->mask)
        return;
    const struct node *let = let_of(typing, vector->mask);
    if (!let)
        return;
    if (!is_mask(let) || let->vector->lanes != vector->lanes)
        verifier_note(typing->verifier, "is no mask of these lanes", vector->mask);
    else
        check_place(typing, let, vector->mask_place);
    expect(typing, vector->mask_place || affine_equal(vector->count, let->vector->count),
           "a mask stands for other lanes than are counted");
    expect(typing, vector->mask_type == let->value->type, "a mask is one for lanes of another type");
}

static void check_let(const struct typing *typing, const struct node *let)
{
    const bool mask = let->value->kind == TREE_MASK && !let->value->affine;
    const struct shape shape = mask ? (struct shape){1, false} : operand(typing, let->value);
    const bool truth = let->vector && let->vector->truth != TYPE_NONE;

    expect(typing, shape.lanes == 1 || shape.truth == truth, "a mask and a value are taken for each other");
    expect(typing, let->vector || shape.lanes == 1, "a name of one value is one of lanes");
}

/* The value as the target takes it. */
static void check_assigned(const struct typing *typing, const struct node *assign, enum type type)
{
    if (is_shift(assign->op))
        index_value(typing, assign->value);
    else if (type == TYPE_BOOL && typing->lanes > 1 && assign->value->type == TYPE_U8)
        value(typing, assign->value, TYPE_U8, "");
    else
        value(typing, assign->value, type, "a value is not of the type that it is assigned to");
}

/* What is about whole vectors has all lanes active, and those that are not get anything in registers only. */
static void check_partial(const struct typing *typing, const struct node *assign)
{
    const struct vector *vector = assign->vector;
    const bool in_registers = vector->sum || assign->target.array->in_registers;
    const bool partial = vector->count || vector->active || assign->guard_value;

    expect(typing, !vector->loose || in_registers, "lanes that are not active are stored");
    expect(typing, !partial || (!assign->target.parts && !assign->streams), "a part of a vector is stored as a whole");
}

static void check_assign(const struct typing *typing, const struct node *assign)
{
    const struct vector *vector = assign->vector;
    const int lanes = check_element(typing, &assign->target);

    check_assigned(typing, assign, assign->into ? assign->into->type : assign->target.array->type);
    if (assign->guard_value)
        condition(typing, assign->guard_value);
    if (vector)
        check_partial(typing, assign);
    if (vector && vector->sum)
        check_vector_name(typing, vector->sum, assign->target.array->type, vector->lanes, vector->place);
    else
        expect(typing, !vector || lanes > 1, "all lanes of a vector write one element");
    expect(typing, !assign->target.parts == (assign->value->kind != TREE_PARTS),
           "a group is assigned what are no members of one");
}

/* A loop that ends where a condition does not hold runs its iterations one after the other, and no loop goes on from
 * where it ends. */
static void check_leaving(const struct typing *typing, const struct node *loop)
{
    condition(typing, loop->guard_value);
    expect(typing, !loop->threads && loop->axis == AXIS_NONE && !loop->joined && !loop->simd && !loop->continues,
           "a loop that ends early is no loop by itself");
}

void verify_types(struct verifier *verifier, const struct node *node)
{
    const struct typing typing = {verifier, node->vector ? node->vector->lanes : 1};

    if (node->vector)
        check_vector(&typing, node->vector);
    if (node->kind == NODE_ASSIGN)
        check_assign(&typing, node);
    else if (node->kind == NODE_LET)
        check_let(&typing, node);
    else if (node->kind == NODE_IF && node->value)
        condition(&typing, node->value);
    else if (node->kind == NODE_LOOP && node->guard_value)
        check_leaving(&typing, node);
    else if (node->kind == NODE_POINTER || node->kind == NODE_PREFETCH)
        check_element(&typing, &node->target);
    if (node->threads && node->threads->condition)
        condition(&typing, node->threads->condition);
}
