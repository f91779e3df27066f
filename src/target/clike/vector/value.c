#include "target/clike/vector/each.h"

#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/vector/vector.h"
#include "tree/visit.h"

#include <inttypes.h>

bool vec_may_contract(const struct vec_lanes *lanes, unsigned permit, const struct tree_expr *product)
{
    const struct simd_type *simd = vec_register((struct vec_lanes *)(uintptr_t)lanes, product->type);
    const bool is_product = product->kind == TREE_BINARY && product->op == OP_MUL && type_is_float(product->type) &&
                            !tree_expr_uniform(product);

    return is_product && permit & product->permit & PERMIT_CONTRACT && simd && simd->row[VECTOR_FMA];
}

const char *vec_product_sum(struct vec_lanes *lanes, const struct tree_expr *product, const char *sum)
{
    return vec_instruction(lanes, VECTOR_FMA, product->type,
                           (struct vec_operands){.a = vec_value(lanes, product->arg[0]),
                                                 .b = vec_value(lanes, product->arg[1]),
                                                 .c = sum});
}

const char *vec_binary(struct vec_lanes *lanes, enum expr_op op, enum type type, const char *a, const char *b)
{
    static const struct {
        enum expr_op op;
        enum vector_op vector;
    } rows[] = {{OP_ADD, VECTOR_ADD}, {OP_SUB, VECTOR_SUB}, {OP_MUL, VECTOR_MUL}, {OP_DIV, VECTOR_DIV},
                {OP_MOD, VECTOR_MOD}, {OP_AND, VECTOR_AND}, {OP_OR, VECTOR_OR},   {OP_XOR, VECTOR_XOR},
                {OP_SHL, VECTOR_SHL}, {OP_SHR, VECTOR_SHR}, {OP_MIN, VECTOR_MIN}, {OP_MAX, VECTOR_MAX}};

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        if (rows[k].op == op)
            return vec_instruction(lanes, rows[k].vector, type, (struct vec_operands){.a = a, .b = b});
    return vec_lack(lanes, op_symbol(op), type);
}

/* A scalar may stay one where vectors have C's operators, but not where each lane is divided by a function. */
const char *vec_operand(struct vec_lanes *lanes, enum expr_op op, const struct tree_expr *expr,
                        const struct tree_expr *other)
{
    const bool by_function = (op == OP_DIV || op == OP_MOD) && !type_is_float(expr->type);

    if (!lanes->emitter->simd->operators || by_function || !tree_expr_uniform(expr) || tree_expr_uniform(other))
        return vec_value(lanes, expr);
    const struct expr_text exact = expr_exact(lanes->emitter, expr);
    return parenthesised(lanes->emitter, exact.text, exact.precedence, PREC_UNARY);
}

struct function_row {
    enum function function;
    enum vector_op op;
    bool approximates;
};

/* The row of a function; one that has none is the library's. */
static const struct function_row *function_row(enum function function)
{
    static const struct function_row rows[] = {
        {FUNCTION_MIN, VECTOR_MIN, false},   {FUNCTION_MAX, VECTOR_MAX, false},     {FUNCTION_ABS, VECTOR_ABS, false},
        {FUNCTION_SQRT, VECTOR_SQRT, false}, {FUNCTION_EXP, VECTOR_EXP, true},      {FUNCTION_LOG, VECTOR_LOG, true},
        {FUNCTION_POW, VECTOR_POW, true},    {FUNCTION_FLOOR, VECTOR_FLOOR, false}, {FUNCTION_CEIL, VECTOR_CEIL, false},
        {FUNCTION_SIN, VECTOR_SIN, true},    {FUNCTION_ROUND, VECTOR_ROUND, false}, {FUNCTION_COS, VECTOR_COS, true},
        {FUNCTION_TANH, VECTOR_TANH, true},  {FUNCTION_FMA, VECTOR_FMA, false},     {FUNCTION_RELU, VECTOR_MAX, false},
    };

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        if (rows[k].function == function)
            return &rows[k];
    return NULL;
}

/* By the set's row; where there is none, or it is an approximation that nobody permits, the library is called. */
static const char *call_text(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    const struct simd_type *simd = vec_register(lanes, expr->type);
    const struct function_row *row = function_row(expr->function);
    const bool permitted = expr->permit & PERMIT_APPROXIMATE;
    struct vec_operands operands = {.a = vec_value(lanes, expr->arg[0])};

    operands.b = expr->n_arg > 1 ? vec_value(lanes, expr->arg[1]) : NULL;
    operands.c = expr->n_arg > 2 ? vec_value(lanes, expr->arg[2]) : NULL;
    if (expr->function == FUNCTION_RELU)
        operands.b = vec_instruction(lanes, VECTOR_ZERO, expr->type, operands);
    if (expr->function == FUNCTION_ABS && !type_is_float(expr->type) && !type_is_signed(expr->type))
        return operands.a;
    if (expr->function == FUNCTION_MOD || (expr->function == FUNCTION_FLOOR && expr->n_arg > 1))
        return vec_lack(lanes, function_name(expr->function), expr->type);
    if (!row ||
        (function_is_library(expr->function) && (!simd || !simd->row[row->op] || (row->approximates && !permitted))))
        return vec_each(lanes, expr->function, expr->type, operands);
    return vec_instruction(lanes, row->op, expr->type, operands);
}

const struct tree_expr *vec_count(struct vec_lanes *lanes, enum expr_op op, enum type type,
                                  const struct tree_expr *count)
{
    const bool shifts = op == OP_SHL || op == OP_SHR;
    const bool fits = count->type == type || (lanes->emitter->simd->operators && count->kind == TREE_INT);
    struct tree_expr *literal;

    if (!shifts || fits)
        return count;
    if (count->kind != TREE_INT)
        return tree_expr_cast(lanes->emitter->arena, type, count);
    literal = ARENA_NEW(lanes->emitter->arena, struct tree_expr);
    *literal = *count;
    literal->type = type;
    return literal;
}

/* Is the load a pointer to all lanes that is followed? */
static bool is_pointer_followed(const struct vec_lanes *lanes, const struct tree_expr *expr)
{
    return expr->kind == TREE_LOAD && expr->element.lane_step == 1 && !expr->element.parts &&
           !vector_array(lanes->emitter, expr->element.array) && !vec_is_masked(lanes);
}

/* Has the text of expr, where operators are C's, the type of vectors in memory? To gcc a vector that a pointer leads to
 * is of another type than one that is computed, and so is what operators make of it. */
static bool has_type_in_memory(const struct vec_lanes *lanes, const struct tree_expr *expr)
{
    if (expr->kind == TREE_SELECT && tree_expr_uniform(expr->arg[0]))
        return is_pointer_followed(lanes, expr->arg[1]) && is_pointer_followed(lanes, expr->arg[2]);
    if (expr->kind != TREE_BINARY && expr->kind != TREE_UNARY)
        return is_pointer_followed(lanes, expr);
    for (int k = 0; k < expr->n_arg; k++)
        if (has_type_in_memory(lanes, expr->arg[k]))
            return true;
    return false;
}

/* A side of a choice of vectors, both of which must be of one type. */
static const char *side_text(struct vec_lanes *lanes, const struct tree_expr *side, const struct tree_expr *other)
{
    const struct simd_type *simd = vec_register(lanes, side->type);
    const bool same = is_pointer_followed(lanes, side) && is_pointer_followed(lanes, other);
    const bool cast = simd && lanes->emitter->simd->operators && !same && has_type_in_memory(lanes, side);
    const char *text = vec_value(lanes, side);

    return cast ? arena_printf(lanes->emitter->arena, "(%s)%s", simd->name, text) : text;
}

/* A choice that is the same in all lanes. */
static const char *uniform_select_text(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    struct emitter *emitter = lanes->emitter;
    const struct expr_text truth = expr_truth(emitter, expr->arg[0]);

    return arena_printf(emitter->arena, "(%s ? %s : %s)",
                        parenthesised(emitter, truth.text, truth.precedence, PREC_LOR),
                        side_text(lanes, expr->arg[1], expr->arg[2]), side_text(lanes, expr->arg[2], expr->arg[1]));
}

/* Each side reads memory for its own lanes only. */
static const char *select_text(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    struct emitter *emitter = lanes->emitter;
    const enum type type = expr->type;
    const struct tree_expr *truth = expr->arg[0];
    struct vec_lanes yes = *lanes, no = *lanes;

    if (tree_expr_uniform(truth))
        return uniform_select_text(lanes, expr);
    yes.condition = vec_logical(emitter->arena, OP_LAND, lanes->condition, truth);
    no.condition =
        vec_logical(emitter->arena, OP_LAND, lanes->condition, vec_logical(emitter->arena, OP_LNOT, truth, NULL));
    return vec_choice(lanes, type, vec_truth(lanes, truth, type), vec_value(&yes, expr->arg[1]),
                      vec_value(&no, expr->arg[2]));
}

static const char *numbers_text(struct vec_lanes *lanes, const int64_t *list)
{
    const char *text = "";

    for (int k = 0; k < lanes->vector->lanes; k++)
        text = arena_printf(lanes->emitter->arena, "%s%s%" PRId64, text, k ? ", " : "", list[k]);
    return text;
}

/* `_mm512_add_epi32(_mm512_set1_epi32(i), _mm512_setr_epi32(0, 1, ..))` */
static const char *ramp_text(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    struct tree_expr first = *expr;
    const char *list;
    int64_t constant;

    first.kind = TREE_INDEX;
    if (expr->list)
        return vec_instruction(lanes, VECTOR_LIST, expr->type,
                               (struct vec_operands){.a = numbers_text(lanes, expr->list)});
    if (affine_is_constant(expr->affine, &constant))
        return vec_instruction(lanes, VECTOR_LIST, expr->type,
                               (struct vec_operands){.a = vec_numbers(lanes, constant, expr->integer)});
    /* Numbers of 8 and 16 bits wrap around, which C's operators must not in a type with a sign. */
    if (lanes->emitter->simd->operators && type_is_signed(expr->type) && type_bits(expr->type) < 32) {
        struct tree_expr ramp = *expr;
        ramp.type = type_unsigned(expr->type);
        return vec_value(lanes, tree_expr_cast(lanes->emitter->arena, expr->type, &ramp));
    }
    list = vec_instruction(lanes, VECTOR_LIST, expr->type,
                           (struct vec_operands){.a = vec_numbers(lanes, 0, expr->integer)});
    return vec_instruction(lanes, VECTOR_ADD, expr->type,
                           (struct vec_operands){.a = vec_splat(lanes, &first), .b = list});
}

const char *vec_dot(struct vec_lanes *lanes, const struct tree_expr *dot, const char *sum)
{
    const struct vec_operands operands = {.a = vec_value(lanes, dot->arg[0]),
                                          .b = vec_value(lanes, dot->arg[1]),
                                          .c = sum};
    struct emitter *emitter = lanes->emitter;
    const char *row = words_replaced(emitter->arena, dot->dot->row, emitter->renamed.at, emitter->renamed.n);

    vec_need_flags(emitter, dot->dot->flags);
    return vec_filled(lanes, row, &operands, dot->type);
}

const char *vec_name(struct emitter *emitter, const struct var *var, const struct affine *place)
{
    return place ? arena_printf(emitter->arena, "%s[%s]", var->name, index_affine(emitter, place).text) : var->name;
}

/* Of a shift of all lanes by one literal; NULL: the target has no row for it. */
static const char *literal_shift(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    const enum vector_op row = expr->op == OP_SHL ? VECTOR_SHL_ALL : VECTOR_SHR_ALL;
    const struct simd_type *simd = vec_register(lanes, expr->type);
    const struct tree_expr *count = expr->arg[1];

    if ((expr->op != OP_SHL && expr->op != OP_SHR) || count->kind != TREE_INT || count->integer < 1 ||
        count->integer >= type_bits(expr->type) || !simd || !simd->row[row])
        return NULL;
    return vec_instruction(lanes, row, expr->type,
                           (struct vec_operands){.a = vec_value(lanes, expr->arg[0]),
                                                 .c = arena_printf(lanes->emitter->arena, "%" PRId64, count->integer)});
}

static const char *binary_text(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    const char *shifted = literal_shift(lanes, expr);

    if (shifted)
        return shifted;
    if (expr->op == OP_ADD && vec_may_contract(lanes, expr->permit, expr->arg[0]))
        return vec_product_sum(lanes, expr->arg[0], vec_value(lanes, expr->arg[1]));
    if (expr->op == OP_ADD && vec_may_contract(lanes, expr->permit, expr->arg[1]))
        return vec_product_sum(lanes, expr->arg[1], vec_value(lanes, expr->arg[0]));
    return vec_binary(lanes, expr->op, expr->type, vec_operand(lanes, expr->op, expr->arg[0], expr->arg[1]),
                      vec_operand(lanes, expr->op, vec_count(lanes, expr->op, expr->type, expr->arg[1]), expr->arg[0]));
}

const char *vec_value(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    if (tree_expr_uniform(expr))
        return vec_splat(lanes, expr);
    switch (expr->kind) {
    case TREE_LOAD:
        return vec_load(lanes, expr);
    case TREE_NAMED:
        return vec_name(lanes->emitter, expr->var, expr->affine);
    case TREE_RAMP:
        return ramp_text(lanes, expr);
    case TREE_BINARY:
        return binary_text(lanes, expr);
    case TREE_UNARY:
        if (expr->op == OP_NEG || expr->op == OP_NOT)
            return vec_instruction(lanes, expr->op == OP_NEG ? VECTOR_NEG : VECTOR_NOT, expr->type,
                                   (struct vec_operands){.a = vec_value(lanes, expr->arg[0])});
        return vec_lack(lanes, op_symbol(expr->op), expr->type);
    case TREE_CALL:
        return call_text(lanes, expr);
    case TREE_SELECT:
        return select_text(lanes, expr);
    case TREE_CAST:
        return vec_conversion(lanes, vec_value(lanes, expr->arg[0]), expr->arg[0]->type, expr->type);
    default:
        return vec_lack(lanes, "this expression", expr->type);
    }
}
