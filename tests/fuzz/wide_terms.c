/* Expressions of random programs: nodes from one store, with the types that C gives them. */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

static struct term *wide_new(struct wide *wide, enum form form, enum type type)
{
    struct term *term = &wide->term[wide->n_term];

    if (++wide->n_term >= MAX_TERMS)
        abort();
    *term = (struct term){.form = form, .type = type};
    return term;
}

static enum type common(enum type a, enum type b)
{
    a = type_promote(a);
    b = type_promote(b);
    if (a == TYPE_NONE || b == TYPE_NONE)
        return a == TYPE_NONE ? b : a;
    if (a == TYPE_F64 || b == TYPE_F64)
        return TYPE_F64;
    if (type_is_float(a) || type_is_float(b))
        return TYPE_F32;
    if (type_bits(a) != type_bits(b))
        return type_bits(a) > type_bits(b) ? a : b;
    return type_is_signed(a) ? b : a;
}

struct term *wide_int(struct wide *wide, int64_t value, enum type type)
{
    struct term *term = wide_new(wide, FORM_INT, type);

    term->integer = value;
    return term;
}

struct term *wide_real(struct wide *wide, double value, enum type type)
{
    struct term *term = wide_new(wide, FORM_REAL, type);

    term->real = value;
    return term;
}

struct term *wide_loop(struct wide *wide, const struct loop *loop, enum type type)
{
    struct term *term = wide_new(wide, FORM_LOOP, type);

    term->loop = loop;
    return term;
}

struct term *wide_param(struct wide *wide, int number)
{
    struct term *term = wide_new(wide, FORM_PARAM, TYPE_NONE);

    term->number = number;
    return term;
}

struct term *wide_scalar(struct wide *wide, int number)
{
    struct term *term = wide_new(wide, FORM_SCALAR, wide->scalar[number].type);

    has(wide, WIDE_SCALAR);
    term->number = number;
    return term;
}

/* The features of reading or writing an array. */
static void note_array(struct wide *wide, const struct wide_array *array)
{
    const struct wide_array *own = array->of ? array->of : array;

    has(wide, WIDE_BOOL + (enum feature)(array->type - TYPE_BOOL));
    for (int k = 0; k < array->n_dim; k++)
        if (array->shape[k].n + array->shape[k].m == 1 && !array->shape[k].c)
            has(wide, WIDE_EXACT);
    for (int k = 0; k < array->n_dim && array->of; k++) {
        if (array->start[k].n || array->start[k].m || array->start[k].c)
            has(wide, WIDE_VIEW_OFFSET);
        if (array->stride[k] != 1)
            has(wide, WIDE_VIEW_STRIDE);
    }
    if (own->n_block)
        has(wide, WIDE_LAYOUT_BLOCK);
    if (own->turned)
        has(wide, WIDE_LAYOUT_ORDER);
    if (own->strided)
        has(wide, WIDE_LAYOUT_STRIDES);
    if (own->pad)
        has(wide, WIDE_PAD_ARRAY);
    if (own->data)
        has(wide, WIDE_CONST);
    if (strcmp(own->role, "temp") == 0)
        has(wide, WIDE_TEMP);
    if (own->zero)
        has(wide, WIDE_ZERO);
}

struct term *wide_access(struct wide *wide, const struct wide_array *array, struct term *const *subscript)
{
    struct term *term = wide_new(wide, FORM_ACCESS, array->type);

    term->array = array;
    for (int k = 0; k < array->n_dim; k++)
        term->arg[term->n_arg++] = subscript[k];
    note_array(wide, array);
    return term;
}

struct term *wide_unary(struct wide *wide, const char *op, struct term *a)
{
    struct term *term = wide_new(wide, FORM_UNARY, type_promote(a->type));

    if (strcmp(op, "!") == 0 && a->type != TYPE_NONE)
        term->type = TYPE_I32;
    term->op = op;
    term->arg[term->n_arg++] = a;
    return term;
}

static bool gives_truth(const char *op)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"};

    for (size_t k = 0; k < sizeof(ops) / sizeof(*ops); k++)
        if (strcmp(op, ops[k]) == 0)
            return true;
    return false;
}

/* A literal has the type of what stands beside it, whatever it is drawn for. */
static void settle(struct term *literal, const struct term *other)
{
    const enum type type = type_promote(other->type);
    const bool open = literal->form == FORM_INT || literal->form == FORM_REAL;

    if (open && other->form != FORM_INT && other->form != FORM_REAL && type != TYPE_NONE &&
        (literal->form == FORM_INT || type_is_float(type)))
        literal->type = type;
}

struct term *wide_binary(struct wide *wide, const char *op, struct term *a, struct term *b)
{
    const bool index = a->type == TYPE_NONE && b->type == TYPE_NONE;
    const bool shifts = strcmp(op, "<<") == 0 || strcmp(op, ">>") == 0;

    if (!shifts) {
        settle(a, b);
        settle(b, a);
    }
    struct term *term = wide_new(wide, FORM_BINARY, shifts ? type_promote(a->type) : common(a->type, b->type));

    if (gives_truth(op) && !index)
        term->type = TYPE_I32;
    term->op = op;
    term->arg[term->n_arg++] = a;
    term->arg[term->n_arg++] = b;
    return term;
}

struct term *wide_select(struct wide *wide, struct term *condition, struct term *a, struct term *b)
{
    settle(a, b);
    settle(b, a);
    struct term *term = wide_new(wide, FORM_SELECT, common(a->type, b->type));

    term->arg[term->n_arg++] = condition;
    term->arg[term->n_arg++] = a;
    term->arg[term->n_arg++] = b;
    return term;
}

struct term *wide_call(struct wide *wide, const char *function, struct term *a, struct term *b, struct term *c)
{
    for (int k = 0; b && k < 2; k++)
        settle(k ? b : a, k ? a : b);
    struct term *term = wide_new(wide, FORM_CALL, type_promote(a->type));

    term->op = function;
    term->arg[term->n_arg++] = a;
    if (b)
        term->arg[term->n_arg++] = b;
    if (c)
        term->arg[term->n_arg++] = c;
    for (int k = 1; k < term->n_arg; k++)
        term->type = common(term->type, term->arg[k]->type);
    return term;
}

struct term *wide_cast(struct wide *wide, enum type type, struct term *a)
{
    struct term *term = wide_new(wide, FORM_CAST, type);

    has(wide, WIDE_CAST);
    has(wide, WIDE_BOOL + (enum feature)(type - TYPE_BOOL));
    term->arg[term->n_arg++] = a;
    return term;
}

struct term *wide_plus(struct wide *wide, struct term *a, int64_t amount)
{
    if (!amount)
        return a;
    if (amount < 0)
        return wide_binary(wide, "-", a, wide_int(wide, -amount, TYPE_NONE));
    return wide_binary(wide, "+", a, wide_int(wide, amount, TYPE_NONE));
}

/* a + factor * what; a may be NULL */
static struct term *plus_product(struct wide *wide, struct term *a, int64_t factor, struct term *what)
{
    if (!factor)
        return a;
    if (factor != 1 && factor != -1)
        what = wide_binary(wide, "*", wide_int(wide, factor < 0 ? -factor : factor, TYPE_NONE), what);
    if (!a)
        return factor < 0 ? wide_unary(wide, "-", what) : what;
    return wide_binary(wide, factor < 0 ? "-" : "+", a, what);
}

struct term *wide_plus_affine(struct wide *wide, struct term *a, struct affine amount)
{
    a = plus_product(wide, a, amount.n, wide_param(wide, 0));
    a = plus_product(wide, a, amount.m, wide_param(wide, 1));
    return a ? wide_plus(wide, a, amount.c) : wide_int(wide, amount.c, TYPE_NONE);
}

struct term *wide_affine(struct wide *wide, struct affine affine)
{
    return wide_plus_affine(wide, NULL, affine);
}

struct affine extent_add(struct affine a, struct affine b, int64_t factor)
{
    return (struct affine){a.n + factor * b.n, a.m + factor * b.m, a.c + factor * b.c};
}

struct affine extent_plus(struct affine a, int64_t amount)
{
    a.c += amount;
    return a;
}

bool extent_never_negative(const struct wide *wide, struct affine a)
{
    return a.n >= 0 && a.m >= 0 && a.n * wide->least[0] + a.m * wide->least[1] + a.c >= 0;
}
