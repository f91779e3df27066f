#include "target/clike/expr.h"

#include "program/permit.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "target/clike/vector/vector.h"

struct op_row {
    const char *symbol;
    enum precedence precedence;
};

static const struct op_row ops[] = {
    [OP_ADD] = {"+", PREC_SUM},     [OP_SUB] = {"-", PREC_SUM},      [OP_MUL] = {"*", PREC_PRODUCT},
    [OP_DIV] = {"/", PREC_PRODUCT}, [OP_MOD] = {"%", PREC_PRODUCT},  [OP_SHL] = {"<<", PREC_SHIFT},
    [OP_SHR] = {">>", PREC_SHIFT},  [OP_AND] = {"&", PREC_AND},      [OP_OR] = {"|", PREC_OR},
    [OP_XOR] = {"^", PREC_XOR},     [OP_LT] = {"<", PREC_RELATION},  [OP_LE] = {"<=", PREC_RELATION},
    [OP_GT] = {">", PREC_RELATION}, [OP_GE] = {">=", PREC_RELATION}, [OP_EQ] = {"==", PREC_EQUAL},
    [OP_NE] = {"!=", PREC_EQUAL},   [OP_LAND] = {"&&", PREC_LAND},   [OP_LOR] = {"||", PREC_LOR},
};

/* The types a literal's shortest form has. */
static struct expr_text literal(struct emitter *emitter, const struct tree_expr *expr, bool bare)
{
    struct text out = {0};
    struct expr_text result = expr_primary(NULL, expr->type);

    if (expr->kind == TREE_REAL)
        c_real_literal(&out, expr->type, expr->spelling);
    else
        c_int_literal(&out, expr->type, expr->integer, bare);
    result.text = arena_copy(emitter->arena, text_str(&out));
    result.precedence = result.text[0] == '-' ? PREC_UNARY : PREC_PRIMARY;
    emitter->uses_bool |= expr->type == TYPE_BOOL;
    emitter->uses_math |= expr->kind == TREE_REAL && strstr(expr->spelling, "INFINITY") != NULL;
    if (expr->type == TYPE_F16 || expr->type == TYPE_BF16)
        result.type = TYPE_F32;
    else if (expr->type == TYPE_I64 && bare && expr->integer > INT32_MIN && expr->integer <= INT32_MAX)
        result.type = TYPE_I32;
    else if (expr->type == TYPE_U64 && bare && expr->integer >= 0 && expr->integer <= UINT32_MAX)
        result.type = TYPE_U32;
    text_free(&out);
    return result;
}

static struct expr_text index_value(struct emitter *emitter, const struct tree_expr *expr)
{
    const struct index_text index = index_affine(emitter, expr->affine);

    return (
        struct expr_text){.text = index.text, .precedence = index.precedence, .type = index.wide ? TYPE_I64 : TYPE_I32};
}

/* Does expr name an argument that is passed by value? */
static bool is_value_argument(struct emitter *emitter, const struct tree_expr *expr)
{
    const struct array *array = expr->kind == TREE_LOAD ? expr->element.array : NULL;

    return expr->kind == TREE_SCALAR ||
           (array && array_is_argument(array) && storage_of(emitter, array) == STORAGE_VALUE);
}

static struct expr_text loaded(struct emitter *emitter, const struct tree_expr *expr)
{
    const bool value = is_value_argument(emitter, expr);
    struct expr_text result = expr_primary(NULL, value ? emitter_value_type(emitter, expr->type) : expr->type);

    result.text = element_text(emitter, &expr->element, &result.precedence);
    return result;
}

static bool is_relation(enum expr_op op)
{
    return op >= OP_LT && op <= OP_NE;
}

static bool is_shift(enum expr_op op)
{
    return op == OP_SHL || op == OP_SHR;
}

/* Would gcc or a reader want parentheses round an operand of another operator, though C does not? */
static bool is_subtle(enum precedence outer, enum precedence inner)
{
    switch (outer) {
    case PREC_LOR:
        return inner == PREC_LAND;
    case PREC_OR:
    case PREC_XOR:
    case PREC_AND:
        return inner != outer && inner < PREC_UNARY;
    case PREC_EQUAL:
    case PREC_RELATION:
        return inner <= PREC_SHIFT;
    case PREC_SHIFT:
        return inner < PREC_UNARY;
    default:
        return false;
    }
}

static const char *operand_text(struct emitter *emitter, struct expr_text operand, enum precedence outer, bool right)
{
    const bool subtle = is_subtle(outer, operand.precedence);
    const int needed = subtle ? PREC_PRIMARY : (int)outer + (right ? 1 : 0);

    return parenthesised(emitter, operand.text, operand.precedence, (enum precedence)needed);
}

static struct expr_text joined(struct emitter *emitter, enum expr_op op, struct expr_text left, struct expr_text right)
{
    const enum precedence precedence = ops[op].precedence;
    const bool logic = op == OP_LAND || op == OP_LOR, truth = logic || is_relation(op);
    const enum type type = truth          ? TYPE_I32
                           : is_shift(op) ? type_promote(left.type)
                                          : c_common_type(left.type, right.type);
    const bool bits = convert_bits(emitter, op, &left, right);
    const char *text = operand_text(emitter, left, precedence, false);

    text = arena_printf(emitter->arena, "%s %s %s", text, ops[op].symbol,
                        operand_text(emitter, right, precedence, !logic));
    const bool is_short = !truth && (expr_is_short(left) || expr_is_short(right));
    return (struct expr_text){text, precedence, type, truth, bits, is_short};
}

/* Two operands that C is to combine in their common type, or (values: they are only compared or chosen from) in any
 * type that has both values. */
static void combine(struct emitter *emitter, const struct tree_expr *const *arg, bool values, struct expr_text *left,
                    struct expr_text *right)
{
    const enum type wanted = c_common_type(type_promote(arg[0]->type), type_promote(arg[1]->type));

    *left = expr_bare(emitter, arg[0]);
    *right = expr_bare(emitter, arg[1]);
    const enum type common = c_common_type(left->type, right->type);
    if (common == wanted || (values && c_widens(left->type, common) && c_widens(right->type, common)))
        return;
    *left = convert_to(emitter, expr_exact(emitter, arg[0]), wanted);
    if (c_common_type(left->type, right->type) != wanted)
        *right = convert_to(emitter, expr_exact(emitter, arg[1]), wanted);
}

/* The same without what compilers warn of. */
static void balance(struct emitter *emitter, const struct tree_expr *const *arg, bool values, struct expr_text *left,
                    struct expr_text *right)
{
    combine(emitter, arg, values, left, right);
    const enum type common = c_common_type(left->type, right->type);
    *left = convert_doubted(emitter, *left, common);
    *right = convert_doubted(emitter, *right, common);
}

static struct expr_text shifted(struct emitter *emitter, const struct tree_expr *expr)
{
    struct expr_text left = expr_bare(emitter, expr->arg[0]);

    if (type_promote(left.type) != expr->type)
        left = expr_exact(emitter, expr->arg[0]);
    return joined(emitter, expr->op, left, expr_bare(emitter, expr->arg[1]));
}

/* Is expr the value, or a factor of the product that it is? */
static bool is_factor(const struct tree_expr *value, const struct tree_expr *expr)
{
    if (value == expr)
        return true;
    if (!value || (value->kind != TREE_CAST && (value->kind != TREE_BINARY || value->op != OP_MUL)))
        return false;
    return is_factor(value->arg[0], expr) || (value->kind == TREE_BINARY && is_factor(value->arg[1], expr));
}

/* Are products calls that the compiler keeps apart from sums? */
static bool has_exact_products(const struct emitter *emitter)
{
    const struct device_words *device = emitter->dialect->device;

    return device && device->product[0];
}

/* A product that the compiler keeps apart from sums. */
static struct expr_text exact_product(struct emitter *emitter, struct expr_text left, struct expr_text right)
{
    const enum type type = c_common_type(left.type, right.type);
    const char *args = arena_printf(emitter->arena, "%s, %s", left.text, right.text);

    return expr_call(emitter, emitter->dialect->device->product[type == TYPE_F64], args, type);
}

static bool is_rounded(const struct emitter *emitter, const struct tree_expr *expr)
{
    for (int k = 0; k < emitter->rounded.n; k++)
        if (emitter->rounded.at[k] == expr)
            return true;
    return false;
}

/* A product that gcc keeps apart from sums. */
static struct expr_text rounded(struct emitter *emitter, struct expr_text product)
{
    return expr_call(emitter, helper_use(&emitter->helpers, HELPER_ROUNDED, product.type), product.text, product.type);
}

static struct expr_text binary(struct emitter *emitter, const struct tree_expr *expr)
{
    struct expr_text left, right;

    if (is_shift(expr->op))
        return shifted(emitter, expr);
    if (expr->op == OP_LAND || expr->op == OP_LOR)
        return joined(emitter, expr->op, expr_truth(emitter, expr->arg[0]), expr_truth(emitter, expr->arg[1]));
    balance(emitter, expr->arg, is_relation(expr->op), &left, &right);
    if (expr->op == OP_MUL && has_exact_products(emitter) && !(expr->permit & PERMIT_CONTRACT) &&
        !is_factor(emitter->last, expr) && type_is_float(c_common_type(left.type, right.type)))
        return exact_product(emitter, left, right);
    const struct expr_text text = joined(emitter, expr->op, left, right);
    return expr->op == OP_MUL && is_rounded(emitter, expr) ? rounded(emitter, text) : text;
}

static struct expr_text negation(struct emitter *emitter, struct expr_text operand)
{
    const enum type type = type_promote(operand.type);

    return expr_call(emitter, helper_use(&emitter->helpers, HELPER_MINUS, type), operand.text, type);
}

static struct expr_text unary(struct emitter *emitter, const struct tree_expr *expr)
{
    struct expr_text operand = expr_bare(emitter, expr->arg[0]);
    enum precedence needed = PREC_UNARY;

    if (expr->op == OP_LNOT && type_is_float(operand.type))
        return convert_zero_test(emitter, operand, "==");
    if (expr->op != OP_LNOT && type_promote(operand.type) != type_promote(expr->type))
        operand = expr_exact(emitter, expr->arg[0]);
    else if (expr->op != OP_LNOT && operand.truth)
        operand = convert_number(emitter, operand);
    if (expr->op == OP_NEG && emitter->hides_signs && c_is_int(operand.type))
        return negation(emitter, operand);
    if (operand.text[0] == '-')
        needed = PREC_PRIMARY;
    const char *text = parenthesised(emitter, operand.text, operand.precedence, needed);
    text = arena_printf(emitter->arena, "%s%s", op_symbol(expr->op), text);
    const bool truth = expr->op == OP_LNOT;
    return (struct expr_text){text,  PREC_UNARY, truth ? TYPE_I32 : type_promote(operand.type),
                              truth, false,      !truth && expr_is_short(operand)};
}

static struct expr_text selected(struct emitter *emitter, const struct tree_expr *expr)
{
    const struct expr_text condition = expr_truth(emitter, expr->arg[0]);
    struct expr_text yes, no;

    balance(emitter, expr->arg + 1, true, &yes, &no);
    const char *text = parenthesised(emitter, condition.text, condition.precedence, PREC_LOR);
    const enum type type = c_common_type(yes.type, no.type);
    text =
        arena_printf(emitter->arena, "%s ? %s : %s", text, parenthesised(emitter, yes.text, yes.precedence, PREC_LOR),
                     parenthesised(emitter, no.text, no.precedence, PREC_SELECT));
    return (struct expr_text){text, PREC_SELECT, type, false, false, expr_is_short(yes) || expr_is_short(no)};
}

static struct expr_text natural(struct emitter *emitter, const struct tree_expr *expr, bool bare);

/* What a cast converts: an f16 that was passed as a float as it is. */
static struct expr_text cast_operand(struct emitter *emitter, const struct tree_expr *expr)
{
    const struct tree_expr *operand = expr->arg[0];

    return is_value_argument(emitter, operand) ? natural(emitter, operand, true) : expr_bare(emitter, operand);
}

static struct expr_text cast(struct emitter *emitter, const struct tree_expr *expr)
{
    if (expr->type == TYPE_BOOL)
        return convert_to(emitter, expr_truth(emitter, expr->arg[0]), TYPE_BOOL);
    return convert_to(emitter, cast_operand(emitter, expr), expr->type);
}

/* The library's name of a real function, without the f of its float form. */
static const char *library_name(enum function function)
{
    return function == FUNCTION_ABS ? "fabs" : function_name(function);
}

/* In kernels double functions have overloads, and templates for operands of several types that only hosts can call. */
static const char *library_argument(struct emitter *emitter, const struct tree_expr *expr, enum type type)
{
    if (emitter->dialect->device && type == TYPE_F64)
        return convert_to(emitter, expr_exact(emitter, expr), type).text;
    return expr_assigned(emitter, expr, type);
}

static struct expr_text library_call(struct emitter *emitter, const struct tree_expr *expr, enum type type)
{
    const char *name = library_name(expr->function), *args = "";

    emitter->uses_math = true;
    for (int k = 0; k < expr->n_arg; k++)
        args =
            arena_printf(emitter->arena, "%s%s%s", args, k ? ", " : "", library_argument(emitter, expr->arg[k], type));
    if (type == TYPE_F32)
        name = arena_printf(emitter->arena, "%sf", name);
    return expr_call(emitter, name, args, type);
}

static struct expr_text helper_call(struct emitter *emitter, enum helper helper, const struct tree_expr *expr,
                                    enum type type)
{
    const char *args = expr_assigned(emitter, expr->arg[0], type);

    if (expr->n_arg > 1)
        args = arena_printf(emitter->arena, "%s, %s", args, expr_assigned(emitter, expr->arg[1], type));
    return expr_call(emitter, helper_use(&emitter->helpers, helper, type), args, type);
}

static struct expr_text called(struct emitter *emitter, const struct tree_expr *expr)
{
    const enum type type = type_promote(expr->type);

    switch (expr->function) {
    case FUNCTION_MIN:
        return helper_call(emitter, HELPER_MIN, expr, type);
    case FUNCTION_MAX:
        return helper_call(emitter, HELPER_MAX, expr, type);
    case FUNCTION_RELU:
        return helper_call(emitter, HELPER_RELU, expr, type);
    case FUNCTION_MOD:
        return helper_call(emitter, HELPER_FLOOR_MOD, expr, TYPE_I64);
    case FUNCTION_FLOOR:
        if (expr->n_arg == 2)
            return helper_call(emitter, HELPER_FLOOR_DIV, expr, TYPE_I64);
        return library_call(emitter, expr, type);
    case FUNCTION_ABS:
        if (type_is_float(type))
            return library_call(emitter, expr, type);
        return type_is_signed(type) ? helper_call(emitter, HELPER_ABS, expr, type) : expr_bare(emitter, expr->arg[0]);
    default:
        return library_call(emitter, expr, type);
    }
}

/* The expression as it comes; bare: literals in their shortest form. */
static struct expr_text natural(struct emitter *emitter, const struct tree_expr *expr, bool bare)
{
    switch (expr->kind) {
    case TREE_INT:
    case TREE_REAL:
        return literal(emitter, expr, bare);
    case TREE_INDEX:
        return index_value(emitter, expr);
    case TREE_SCALAR:
        return expr_primary(expr->scalar->name, emitter_value_type(emitter, expr->type));
    case TREE_LOAD:
        return loaded(emitter, expr);
    case TREE_UNARY:
        return unary(emitter, expr);
    case TREE_BINARY:
        return binary(emitter, expr);
    case TREE_SELECT:
        return selected(emitter, expr);
    case TREE_CAST:
        return cast(emitter, expr);
    case TREE_ANY:
        return (struct expr_text){.text = vector_any_text(emitter, expr),
                                  .precedence = PREC_EQUAL,
                                  .type = TYPE_I32,
                                  .truth = true};
    case TREE_TOTAL:
        return expr_primary(vector_total_text(emitter, expr), expr->type);
    case TREE_NAMED:
        return expr_primary(expr->var->name, expr->type);
    default:
        return called(emitter, expr);
    }
}

struct expr_text expr_exact(struct emitter *emitter, const struct tree_expr *expr)
{
    return convert_to(emitter, natural(emitter, expr, false), expr->type);
}

struct expr_text expr_bare(struct emitter *emitter, const struct tree_expr *expr)
{
    if (expr->kind == TREE_CAST) {
        const struct expr_text inner = cast_operand(emitter, expr);
        if (inner.type == expr->type || expr->arg[0]->type == expr->type || convert_is_widened(inner, expr->type))
            return inner;
    }
    const struct expr_text text = natural(emitter, expr, true);
    return text.type == expr->type || convert_is_widened(text, expr->type) ? text
                                                                           : convert_to(emitter, text, expr->type);
}

const char *expr_assigned(struct emitter *emitter, const struct tree_expr *expr, enum type target)
{
    const struct expr_text bare = expr_bare(emitter, expr);

    if (bare.type == target || convert_is_widened(bare, target) || (bare.truth && target == TYPE_BOOL))
        return bare.text;
    return convert_to(emitter, expr_exact(emitter, expr), target).text;
}

struct expr_text expr_truth(struct emitter *emitter, const struct tree_expr *expr)
{
    return convert_truth(emitter, expr_bare(emitter, expr));
}

bool expr_wraps(enum expr_op op, enum type type)
{
    return (op == OP_ADD || op == OP_SUB || op == OP_MUL) && !type_is_float(type);
}

bool expr_continues(enum expr_op outer, const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && expr_wraps(expr->op, expr->type) && (expr->op == OP_MUL) == (outer == OP_MUL);
}

/* expr, an operation on integers, computed in the unsigned type. */
static struct expr_text unsigned_text(struct emitter *emitter, const struct tree_expr *expr, enum type type)
{
    struct expr_text side[2];

    for (int k = 0; k < 2; k++)
        side[k] = expr_continues(expr->op, expr->arg[k]) ? unsigned_text(emitter, expr->arg[k], type)
                                                         : convert_to(emitter, expr_bare(emitter, expr->arg[k]), type);
    return joined(emitter, expr->op, side[0], side[1]);
}

static const char *wrapped(struct emitter *emitter, const struct tree_expr *value, enum type target)
{
    const struct tree_expr *inner = value->kind == TREE_CAST ? value->arg[0] : value;

    if (inner->kind != TREE_BINARY || !expr_wraps(inner->op, inner->type))
        return expr_assigned(emitter, value, target);
    return convert_to(emitter, unsigned_text(emitter, inner, c_unsigned_type(inner->type)), target).text;
}

static bool is_rounded_update(const struct emitter *emitter, const struct node *assign)
{
    for (int k = 0; k < emitter->rounded_updates.n; k++)
        if (emitter->rounded_updates.at[k] == assign)
            return true;
    return false;
}

/* target op value as an expression, for an operation that C would do in a signed type. */
static const struct tree_expr *spelt_out(struct emitter *emitter, const struct node *assign)
{
    struct tree_expr *load = ARENA_NEW(emitter->arena, struct tree_expr);
    struct tree_expr *result = ARENA_NEW(emitter->arena, struct tree_expr);
    const struct tree_expr **arg = ARENA_ARRAY(emitter->arena, 2, const struct tree_expr *);

    *load = (struct tree_expr){.kind = TREE_LOAD, .type = assign->target.array->type, .element = assign->target};
    arg[0] = load;
    arg[1] = assign->value;
    *result = (struct tree_expr){.kind = TREE_BINARY, .type = load->type, .op = assign->op, .arg = arg, .n_arg = 2};
    if (is_rounded_update(emitter, assign))
        VEC_PUSH(emitter->arena, &emitter->rounded, result);
    return result;
}

/* `x *= e` where products are calls. */
static bool is_exact_product(const struct emitter *emitter, const struct node *assign)
{
    if (is_rounded_update(emitter, assign))
        return true;
    return has_exact_products(emitter) && assign->op == OP_MUL && type_is_float(assign->target.array->type) &&
           !(statement_permit(emitter->program, assign->statement) & PERMIT_CONTRACT);
}

static enum type assigned_type(const struct node *assign)
{
    return assign->into ? assign->into->type : assign->target.array->type;
}

/* Is the value stored in an argument that nothing reads? */
static bool is_last(const struct emitter *emitter, const struct node *assign)
{
    const ptrdiff_t array = assign->target.array - emitter->program->array;

    return !assign->into && assign->op == OP_NONE && array_is_argument(assign->target.array) &&
           !emitter->array_read[array] && !emitter->array_updated[array];
}

static const char *value_text(struct emitter *emitter, const struct node *assign, bool wrap)
{
    const enum type type = assigned_type(assign);

    if (is_shift(assign->op))
        return expr_bare(emitter, assign->value).text;
    if (!wrap && is_exact_product(emitter, assign))
        return expr_assigned(emitter, spelt_out(emitter, assign), type);
    if (!wrap)
        return expr_assigned(emitter, assign->value, type);
    return wrapped(emitter, assign->op == OP_NONE ? assign->value : spelt_out(emitter, assign), type);
}

/* Does C compute the assignment in a signed type? Factors of 16 bits become int, which their product may not fit. */
static bool is_signed(const struct node *assign, enum type type)
{
    const struct tree_expr *value = assign->value->kind == TREE_CAST ? assign->value->arg[0] : assign->value;
    const bool is_product =
        assign->op == OP_NONE ? value->kind == TREE_BINARY && value->op == OP_MUL : assign->op == OP_MUL;

    return type_is_signed(type) || (type == TYPE_U16 && is_product);
}

const char *assignment_text(struct emitter *emitter, const struct node *assign)
{
    const enum type type = assigned_type(assign);
    const bool wrap =
        assign->wrap && is_signed(assign, type) && (assign->op == OP_NONE || expr_wraps(assign->op, type));
    enum precedence precedence;
    const char *target = assign->into ? assign->into->var->name : element_text(emitter, &assign->target, &precedence);
    const char *value;
    const bool spelt = wrap || is_exact_product(emitter, assign);
    const char *op = spelt || assign->op == OP_NONE ? "" : op_symbol(assign->op);

    emitter->last = is_last(emitter, assign) ? assign->value : NULL;
    value = value_text(emitter, assign, wrap);
    emitter->last = NULL;
    value = *op ? value : convert_kept(emitter, target, value, emitter_type(emitter, type));
    return arena_printf(emitter->arena, "%s %s= %s;", target, op, value);
}
