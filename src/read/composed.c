/* Functions that stand for an expression of others, which is what statements have from then on. */
#include "read/parser.h"

#include <string.h>

static struct expr *number_one(struct parser *parser, int first)
{
    struct expr *expr = parser_new(parser, EXPR_INT, first);

    expr->integer = 1;
    return expr;
}

static struct expr *operation(struct parser *parser, enum expr_op op, struct expr *a, struct expr *b, int first)
{
    struct expr *expr = parser_new(parser, b ? EXPR_BINARY : EXPR_UNARY, first);

    expr->op = op;
    parser_args(parser, expr, (struct expr *[]){a, b}, b ? 2 : 1);
    return expr;
}

static struct expr *call(struct parser *parser, enum function function, struct expr *x, int first)
{
    struct expr *expr = parser_new(parser, EXPR_CALL, first);

    expr->function = function;
    parser_args(parser, expr, &x, 1);
    return expr;
}

/* x != x */
static struct expr *is_nan(struct parser *parser, struct expr *x, int first)
{
    struct expr *same = parser_copy(parser, x, first);

    return same ? operation(parser, OP_NE, x, same, first) : NULL;
}

/* x - x: 0 where x is finite, else NaN */
static struct expr *zero_if_finite(struct parser *parser, struct expr *x, int first)
{
    struct expr *same = parser_copy(parser, x, first);

    return same ? operation(parser, OP_SUB, x, same, first) : NULL;
}

/* x - x == 0 */
static struct expr *is_finite(struct parser *parser, struct expr *x, int first)
{
    struct expr *zero = parser_new(parser, EXPR_INT, first), *difference = zero_if_finite(parser, x, first);

    return difference ? operation(parser, OP_EQ, difference, zero, first) : NULL;
}

/* x == x && x - x != 0 */
static struct expr *is_infinite(struct parser *parser, struct expr *x, int first)
{
    struct expr *zero = parser_new(parser, EXPR_INT, first), *left = parser_copy(parser, x, first),
                *right = parser_copy(parser, x, first), *difference = zero_if_finite(parser, x, first);

    if (!left || !right || !difference)
        return NULL;
    return operation(parser, OP_LAND, operation(parser, OP_EQ, left, right, first),
                     operation(parser, OP_NE, difference, zero, first), first);
}

/* 1 / sqrt(x) */
static struct expr *reciprocal_root(struct parser *parser, struct expr *x, int first)
{
    return operation(parser, OP_DIV, number_one(parser, first), call(parser, FUNCTION_SQRT, x, first), first);
}

/* 1 / (1 + exp(-x)) */
static struct expr *sigmoid(struct parser *parser, struct expr *x, int first)
{
    struct expr *power = call(parser, FUNCTION_EXP, operation(parser, OP_NEG, x, NULL, first), first);

    return operation(parser, OP_DIV, number_one(parser, first),
                     operation(parser, OP_ADD, number_one(parser, first), power, first), first);
}

static const struct composed {
    const char *name;
    struct expr *(*make)(struct parser *parser, struct expr *x, int first);
} composed[] = {{"isnan", is_nan},
                {"isfinite", is_finite},
                {"isinf", is_infinite},
                {"rsqrt", reciprocal_root},
                {"sigmoid", sigmoid}};

const char *composed_name(int k)
{
    return k < (int)(sizeof(composed) / sizeof(composed[0])) ? composed[k].name : NULL;
}

int composed_by_name(const char *name)
{
    for (int k = 0; composed_name(k); k++)
        if (strcmp(composed_name(k), name) == 0)
            return k;
    return -1;
}

struct expr *parser_composed(struct parser *parser, int k, struct expr *x, int first)
{
    struct expr *expr = composed[k].make(parser, x, first);

    return parser->failed ? NULL : expr;
}
