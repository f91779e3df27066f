#include "read/choose/arith.h"

#include <ctype.h>
#include <string.h>

enum { MOST_NESTED = 50, MOST_DIGITS = 18 };

struct arith {
    struct reader *reader;
    const struct value *string;
    size_t at, end;
    int depth;
    bool failed;
    arith_name *name;
    void *user;
};

static int64_t fail(struct arith *arith, size_t start, const char *what)
{
    const size_t length = arith->at > start ? arith->at - start : 1;

    if (!arith->failed)
        diag_error(arith->reader->diags, "tunable", place_part(arith->string->place, start, length), "%s", what);
    arith->failed = true;
    return 0;
}

static const char *rest(struct arith *arith)
{
    while (arith->at < arith->end && arith->string->string[arith->at] == ' ')
        arith->at++;
    return arith->string->string + arith->at;
}

static bool take(struct arith *arith, const char *symbol)
{
    const size_t length = strlen(symbol);
    const char *text = rest(arith);
    const bool word = isalpha((unsigned char)*symbol) != 0;

    if (arith->failed || arith->at + length > arith->end || strncmp(text, symbol, length) != 0)
        return false;
    if (word && arith->at + length < arith->end && (isalnum((unsigned char)text[length]) || text[length] == '_'))
        return false;
    arith->at += length;
    return true;
}

static int64_t value_of(struct arith *arith, int level);
static int64_t operand(struct arith *arith);

static int64_t number(struct arith *arith)
{
    const size_t start = arith->at;
    int64_t value = 0;

    while (arith->at < arith->end && isdigit((unsigned char)arith->string->string[arith->at])) {
        if (arith->at - start == MOST_DIGITS)
            return fail(arith, start, "this number is too large");
        value = 10 * value + (arith->string->string[arith->at++] - '0');
    }
    return value;
}

static int64_t named(struct arith *arith)
{
    const size_t start = arith->at;
    int64_t value = 0;

    while (arith->at < arith->end &&
           (isalnum((unsigned char)arith->string->string[arith->at]) || arith->string->string[arith->at] == '_'))
        arith->at++;
    if (!arith->failed && !arith->name(arith->user, arith->string->string + start, arith->at - start,
                                       place_part(arith->string->place, start, arith->at - start), &value))
        arith->failed = true;
    return value;
}

enum operation { OR, AND, LE, GE, EQUAL, UNEQUAL, LT, GT, PLUS, MINUS, TIMES, OVER, MODULO, OPERATION_COUNT };

/* By how tightly they bind; a symbol stands before those that it begins with. */
static const struct {
    const char *symbol;
    int level;
    enum operation operation;
} symbols[] = {{"or", 0, OR},    {"||", 0, OR},   {"and", 1, AND},    {"&&", 1, AND},  {"<=", 2, LE}, {">=", 2, GE},
               {"==", 2, EQUAL}, {"=", 2, EQUAL}, {"!=", 2, UNEQUAL}, {"<", 2, LT},    {">", 2, GT},  {"+", 3, PLUS},
               {"-", 3, MINUS},  {"*", 4, TIMES}, {"/", 4, OVER},     {"%", 4, MODULO}};

enum { COMPARISON = 2, LEVELS = 5 };

static int64_t computed(struct arith *arith, size_t start, enum operation operation, int64_t a, int64_t b)
{
    int64_t value = 0;
    bool overflows = false;

    if ((operation == OVER || operation == MODULO) && b <= 0)
        return fail(arith, start, "a divisor is not positive");
    switch (operation) {
    case OR:
        return a || b;
    case AND:
        return a && b;
    case LE:
        return a <= b;
    case GE:
        return a >= b;
    case EQUAL:
        return a == b;
    case UNEQUAL:
        return a != b;
    case LT:
        return a < b;
    case GT:
        return a > b;
    case PLUS:
        overflows = __builtin_add_overflow(a, b, &value);
        break;
    case MINUS:
        overflows = __builtin_sub_overflow(a, b, &value);
        break;
    case TIMES:
        overflows = __builtin_mul_overflow(a, b, &value);
        break;
    case OVER:
        return a / b - (a % b < 0);
    default:
        return a % b + (a % b < 0 ? b : 0);
    }
    return overflows ? fail(arith, start, "this number is too large") : value;
}

/* The number of the operator of that level that comes next, which is stepped over; -1: none does. */
static int take_symbol(struct arith *arith, int level)
{
    for (size_t k = 0; k < sizeof(symbols) / sizeof(symbols[0]); k++)
        if (symbols[k].level == level && take(arith, symbols[k].symbol))
            return (int)k;
    return -1;
}

static int64_t primary(struct arith *arith)
{
    const char *text = rest(arith);
    int64_t value;

    if (take(arith, "-"))
        return computed(arith, arith->at, MINUS, 0, operand(arith));
    if (take(arith, "!"))
        return !operand(arith);
    if (arith->at < arith->end && isdigit((unsigned char)*text))
        return number(arith);
    if (arith->at < arith->end && (isalpha((unsigned char)*text) || *text == '_'))
        return named(arith);
    if (!take(arith, "("))
        return fail(arith, arith->at, "expected a number, a tunable or `(`");
    value = value_of(arith, 0);
    return take(arith, ")") ? value : fail(arith, arith->at, "expected `)`");
}

static int64_t operand(struct arith *arith)
{
    int64_t value = 0;

    if (++arith->depth > MOST_NESTED)
        fail(arith, arith->at, "this is nested too deeply");
    if (!arith->failed)
        value = primary(arith);
    arith->depth--;
    return value;
}

/* What stands behind `not`. */
static int64_t negated(struct arith *arith)
{
    int64_t value = 0;

    if (++arith->depth > MOST_NESTED)
        fail(arith, arith->at, "this is nested too deeply");
    if (!arith->failed)
        value = value_of(arith, COMPARISON);
    arith->depth--;
    return value;
}

/* Operators of that level and of tighter ones. */
static int64_t value_of(struct arith *arith, int level)
{
    const size_t start = (rest(arith), arith->at);
    int64_t value, other;
    int symbol;

    if (level == LEVELS)
        return operand(arith);
    if (level == COMPARISON && take(arith, "not"))
        return !negated(arith);
    value = value_of(arith, level + 1);
    while (!arith->failed && (symbol = take_symbol(arith, level)) >= 0) {
        other = value_of(arith, level + 1);
        value = arith->failed ? 0 : computed(arith, start, symbols[symbol].operation, value, other);
    }
    return value;
}

bool arith_value(struct reader *reader, const struct value *string, size_t start, size_t length, arith_name *name,
                 void *user, int64_t *value)
{
    struct arith arith = {
        .reader = reader, .string = string, .at = start, .end = start + length, .name = name, .user = user};

    *value = value_of(&arith, 0);
    rest(&arith);
    if (!arith.failed && arith.at < arith.end)
        fail(&arith, arith.at, "expected an operator");
    return !arith.failed;
}
