/* Values: expressions of data, in a working type. */
#include "wide.h"

#include <string.h>

static bool is_real(enum type type)
{
    return type_is_float(type);
}

static struct term *literal(struct wide *wide, enum type type)
{
    type = type_promote(type);
    if (!is_real(type))
        return wide_int(wide, 1 + pick(wide, 7), type);
    if (wide->whole || chance(wide, 40))
        return wide_real(wide, 1 + pick(wide, 4), type);
    return wide_real(wide, 0.25 * (1 + pick(wide, 12)), type);
}

/* What is alone in a function or under an operator has no type of its own. */
static struct term *firm(struct wide *wide, struct term *term, enum type type)
{
    const bool literal = term->form == FORM_INT || term->form == FORM_REAL;

    return literal ? wide_cast(wide, type, term) : term;
}

struct term *value_read(struct wide *wide, const struct sight *sight, const struct wide_array *array)
{
    struct term *at[MAX_DIM] = {NULL};
    const bool plain = chance(wide, 50);

    for (int k = 0; k < array->n_dim; k++)
        at[k] = index_draw(wide, sight, array->shape[k], plain);
    return wide_access(wide, array, at);
}

/* Can a value of type `from` be used where the others have type `to`, without a cast? */
static bool goes_with(enum type to, enum type from)
{
    return from == to || (type_holds(to, from) && is_real(type_promote(to)) == is_real(type_promote(from)));
}

static bool is_readable(const struct wide *wide, const struct wide_array *array)
{
    const struct wide_array *own = array->of ? array->of : array;

    return own->written || own->data || own->zero || strcmp(own->role, "in") == 0 ||
           (own->role[0] == 'i' && !wide->inputs_only);
}

/* Converts what has another type; values that may be too large pass a remainder or a mask first. */
static struct term *converted(struct wide *wide, struct term *term, enum type type)
{
    const enum type from = term->type;

    if (goes_with(type, from))
        return term;
    if (is_real(from) && !is_real(type) && !type_is_signed(type))
        term = wide_call(wide, "abs", term, NULL, NULL);
    if (from == TYPE_F64 && type == TYPE_BF16)
        term = wide_cast(wide, TYPE_F32, term);
    return wide_cast(wide, type, term);
}

static struct term *leaf(struct wide *wide, const struct sight *sight, enum type type)
{
    const int which = pick(wide, 100);

    if (which < 10)
        return type == TYPE_BOOL ? firm(wide, literal(wide, type), type) : literal(wide, type);
    if (which < 20 && wide->n_scalar)
        return converted(wide, wide_scalar(wide, pick(wide, wide->n_scalar)), type);
    if (which < 28 && sight->n && type != TYPE_BOOL) {
        const enum type own = type_promote(type);
        const struct loop *loop = sight->loop[pick(wide, sight->n)];
        if (is_real(own) || type_is_signed(own))
            return converted(wide, wide_cast(wide, own, wide_loop(wide, loop, own)), type);
    }
    for (int k = 0; k < 12; k++) {
        const struct wide_array *array = &wide->array[pick(wide, wide->n_array)];
        if (!is_readable(wide, array) || !never_empty(wide, sight, array) || (array->index && chance(wide, 70)))
            continue;
        if (k < 6 && array->type != type && chance(wide, 70))
            continue;
        if (array->role[0] == 'i' && array->role[2] == 'o' && chance(wide, 60))
            continue;
        return converted(wide, value_read(wide, sight, array), type);
    }
    return firm(wide, literal(wide, type), type);
}

/* The other functions of C's library: no set has instructions for them. */
static struct term *library_function(struct wide *wide, const struct sight *sight, enum type type, int depth)
{
    static const char *const names[] = {"cbrt", "exp2", "expm1", "log2",  "log10", "log1p", "trunc",    "tan",
                                        "asin", "acos", "atan",  "sinh",  "cosh",  "asinh", "acosh",    "atanh",
                                        "erf",  "erfc", "sqrt",  "hypot", "fmod",  "atan2", "copysign", "tgamma"};
    const int which = pick(wide, 24);
    struct term *a = firm(wide, value_draw(wide, sight, type, depth - 1), type);
    struct term *b = which >= 19 && which < 23 ? firm(wide, leaf(wide, sight, type), type) : NULL;

    has(wide, WIDE_LIBRARY);
    return wide_call(wide, names[which], a, b, NULL);
}

static struct term *function_of_real(struct wide *wide, const struct sight *sight, enum type type, int depth)
{
    static const enum feature features[] = {WIDE_SQRT, WIDE_EXP, WIDE_LOG,  WIDE_POW, WIDE_FLOOR, WIDE_CEIL, WIDE_ROUND,
                                            WIDE_SIN,  WIDE_COS, WIDE_TANH, WIDE_FMA, WIDE_ABS,   WIDE_RELU};
    const int exact[] = {0, 4, 5, 6, 10, 11, 12};
    const bool cross = strcmp(wide->simd, "neon") == 0 && !wide->approximate; /* has another library */
    const int which = wide->plain_data ? 10 + pick(wide, 3) : cross ? exact[pick(wide, 7)] : pick(wide, 13);
    const enum feature feature = features[which];
    struct term *a, *b = NULL, *c = NULL;

    if (!wide->plain_data && !cross && !wide->approximate && chance(wide, 12))
        return library_function(wide, sight, type, depth);
    a = value_draw(wide, sight, type, depth - 1);
    a = firm(wide, a, type);
    if (is_real(type) && a->type != TYPE_F64)
        has(wide, WIDE_F32);
    if (((feature == WIDE_SQRT || feature == WIDE_LOG) && chance(wide, 80)) || feature == WIDE_POW) {
        has(wide, WIDE_ABS);
        a = wide_call(wide, "abs", a, NULL, NULL);
    }
    if (wide->approximate && (feature == WIDE_EXP || feature == WIDE_LOG || feature == WIDE_POW ||
                              feature == WIDE_SIN || feature == WIDE_COS))
        a = firm(wide, leaf(wide, sight, type), type);
    if (wide->approximate && (feature == WIDE_LOG || feature == WIDE_POW)) {
        a = wide_call(wide, "abs", a, NULL, NULL);
        a = wide_binary(wide, "+", a, literal(wide, a->type));
    }
    if (feature == WIDE_POW)
        b = wide->approximate ? literal(wide, type) : leaf(wide, sight, type);
    if (b)
        b = firm(wide, b, type);
    if (feature == WIDE_FMA)
        b = firm(wide, leaf(wide, sight, type), type), c = firm(wide, leaf(wide, sight, type), type);
    has(wide, feature);
    return wide_call(wide, wide_feature_name[feature], a, b, c);
}

static struct term *bits_of_integer(struct wide *wide, const struct sight *sight, enum type type, int depth)
{
    static const char *const ops[] = {"&", "|", "^"};
    struct term *a = firm(wide, value_draw(wide, sight, type, depth - 1), type);

    if (chance(wide, 15)) {
        has(wide, WIDE_BITS);
        return wide_unary(wide, "~", a);
    }
    if (chance(wide, 30)) {
        const bool left = !type_is_signed(type_promote(type)) && chance(wide, 50);
        has(wide, WIDE_SHIFT);
        return wide_binary(wide, left ? "<<" : ">>", a, wide_int(wide, 1 + pick(wide, 5), TYPE_I32));
    }
    has(wide, WIDE_BITS);
    return wide_binary(wide, ops[pick(wide, 3)], a, value_draw(wide, sight, type, depth - 1));
}

/* A divisor is a literal, or 1 more than a square, or what is known not to be 0. */
static struct term *quotient(struct wide *wide, const struct sight *sight, enum type type, int depth)
{
    const char *op = is_real(type) || chance(wide, 50) ? "/" : "%";

    if (is_real(type))
        return wide_binary(wide, op, firm(wide, value_draw(wide, sight, type, depth - 1), type),
                           leaf(wide, sight, type));
    has(wide, WIDE_DIVIDE);
    return wide_binary(wide, op, firm(wide, value_draw(wide, sight, type, depth - 1), type),
                       wide_int(wide, 2 + pick(wide, 8), type_promote(type)));
}

static struct term *choice(struct wide *wide, const struct sight *sight, enum type type, int depth)
{
    const int which = pick(wide, 3);
    struct term *a = firm(wide, value_draw(wide, sight, type, depth - 1), type), *b = leaf(wide, sight, type);

    if (which == 0) {
        has(wide, WIDE_SELECT);
        return wide_select(wide, value_condition(wide, sight, depth - 1), a, b);
    }
    has(wide, which == 1 ? WIDE_MIN : WIDE_MAX);
    return wide_call(wide, which == 1 ? "min" : "max", a, b, NULL);
}

struct term *value_condition(struct wide *wide, const struct sight *sight, int depth)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    enum type type = wide->type == TYPE_BOOL ? TYPE_I32 : wide->type;
    struct term *term;

    term = wide_binary(wide, ops[pick(wide, 6)], firm(wide, leaf(wide, sight, type), type),
                       chance(wide, 50) ? literal(wide, type) : leaf(wide, sight, type));
    if (depth > 0 && chance(wide, 25)) {
        struct term *other = value_condition(wide, sight, depth - 1);
        term = wide_binary(wide, chance(wide, 50) ? "&&" : "||", term, other);
    }
    if (chance(wide, 8))
        term = wide_unary(wide, "!", term);
    return term;
}

static struct term *truth(struct wide *wide, const struct sight *sight, int depth)
{
    static const char *const ops[] = {"&", "|", "^"};

    if (depth <= 0 || chance(wide, 30))
        return leaf(wide, sight, TYPE_BOOL);
    if (chance(wide, 40))
        return wide_cast(wide, TYPE_BOOL, value_condition(wide, sight, depth - 1));
    has(wide, WIDE_BITS);
    return wide_cast(wide, TYPE_BOOL,
                     wide_binary(wide, ops[pick(wide, 3)], leaf(wide, sight, TYPE_BOOL), leaf(wide, sight, TYPE_BOOL)));
}

struct term *value_draw(struct wide *wide, const struct sight *sight, enum type type, int depth)
{
    static const char *const ops[] = {"+", "-", "*", "+"};
    const int which = pick(wide, 100);

    if (type == TYPE_BOOL)
        return truth(wide, sight, depth);
    if (depth <= 0 || which < 12)
        return leaf(wide, sight, type);
    if (which < 34)
        return wide_binary(wide, ops[pick(wide, 4)], firm(wide, value_draw(wide, sight, type, depth - 1), type),
                           leaf(wide, sight, type));
    if (which < 72)
        return is_real(type) ? function_of_real(wide, sight, type, depth) : bits_of_integer(wide, sight, type, depth);
    if (which < 84)
        return choice(wide, sight, type, depth);
    if (which < 89 && !wide->plain_data)
        return quotient(wide, sight, type, depth);
    if (which < 93 && type_is_signed(type_promote(type)))
        return wide_unary(wide, "-", firm(wide, value_draw(wide, sight, type, depth - 1), type));
    if (which < 96 && type_is_signed(type_promote(type))) {
        has(wide, WIDE_ABS);
        return wide_call(wide, "abs", firm(wide, value_draw(wide, sight, type, depth - 1), type), NULL, NULL);
    }
    return value_draw(wide, sight, type, depth - 1);
}
