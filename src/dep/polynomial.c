#include "dep/polynomial.h"

#include "poly/number.h"

#include <isl/val.h>
#include <string.h>

/* A parameter, or a rounded quotient of parameters. */
struct factor {
    int rank;         /* number of the parameter; quotients are behind them all */
    const char *text; /* "N", "ceil(N/32)" */
};

struct term {
    int64_t coefficient;         /* not 0 */
    const struct factor *factor; /* sorted */
    int n;
};

struct polynomial {
    const struct program *program;
    VEC(struct term) term; /* sorted, factors differ */
};

static int compare_factors(const struct factor *a, const struct factor *b)
{
    return a->rank != b->rank ? a->rank - b->rank : strcmp(a->text, b->text);
}

/* Negative when a is printed before b. */
static int compare(const struct term *a, const struct term *b)
{
    int order = b->n - a->n;

    for (int k = 0; order == 0 && k < a->n; k++)
        order = compare_factors(&a->factor[k], &b->factor[k]);
    return order;
}

static struct polynomial *zero(struct arena *arena, const struct program *program)
{
    struct polynomial *polynomial = ARENA_NEW(arena, struct polynomial);

    *polynomial = (struct polynomial){.program = program};
    return polynomial;
}

static void remove_term(struct polynomial *polynomial, int at)
{
    for (polynomial->term.n--; at < polynomial->term.n; at++)
        polynomial->term.at[at] = polynomial->term.at[at + 1];
}

/* False when a coefficient becomes too large. */
static bool add_term(struct arena *arena, struct polynomial *polynomial, struct term term)
{
    int at = 0;

    while (at < polynomial->term.n && compare(&polynomial->term.at[at], &term) < 0)
        at++;
    if (at < polynomial->term.n && compare(&polynomial->term.at[at], &term) == 0) {
        int64_t *coefficient = &polynomial->term.at[at].coefficient;
        if (__builtin_add_overflow(*coefficient, term.coefficient, coefficient))
            return false;
        if (*coefficient == 0)
            remove_term(polynomial, at);
        return true;
    }
    if (term.coefficient == 0)
        return true;
    VEC_PUSH(arena, &polynomial->term, term);
    for (int k = polynomial->term.n - 1; k > at; k--)
        polynomial->term.at[k] = polynomial->term.at[k - 1];
    polynomial->term.at[at] = term;
    return true;
}

const struct polynomial *polynomial_constant(struct arena *arena, const struct program *program, int64_t value)
{
    struct polynomial *polynomial = zero(arena, program);

    add_term(arena, polynomial, (struct term){.coefficient = value});
    return polynomial;
}

/* A number of a quotient, which is calculated with. */
static bool small_number(__isl_take isl_val *val, int64_t *value)
{
    return poly_number(val, value) && *value <= INT32_MAX && *value >= -INT32_MAX;
}

static bool add_factor(struct arena *arena, struct polynomial *polynomial, int64_t coefficient, int rank,
                       const char *text)
{
    struct factor *factor = ARENA_NEW(arena, struct factor);

    *factor = (struct factor){rank, text};
    return add_term(arena, polynomial, (struct term){coefficient, factor, 1});
}

/* What is rounded: (sum of numerator * parameter + constant) / denominator */
struct quotient {
    int64_t *numerator, constant, denominator;
};

static bool read_quotient(struct arena *arena, const struct program *program, __isl_take isl_aff *div,
                          struct quotient *quotient)
{
    const unsigned n_div = (unsigned)isl_aff_dim(div, isl_dim_div);
    bool good = isl_aff_involves_dims(div, isl_dim_div, 0, n_div) == isl_bool_false;
    isl_val *denominator = isl_aff_get_denominator_val(div);

    div = isl_aff_scale_val(div, isl_val_copy(denominator));
    quotient->numerator = ARENA_ARRAY(arena, program->n_param + 1, int64_t);
    good = small_number(denominator, &quotient->denominator) && good &&
           small_number(isl_aff_get_constant_val(div), &quotient->constant);
    for (int k = 0; k < program->n_param && good; k++)
        good = small_number(isl_aff_get_coefficient_val(div, isl_dim_param, k), &quotient->numerator[k]);
    isl_aff_free(div);
    return good;
}

/* The sign of the first parameter in it. */
static int leading_sign(const struct program *program, const struct quotient *quotient)
{
    for (int k = 0; k < program->n_param; k++)
        if (quotient->numerator[k])
            return quotient->numerator[k] < 0 ? -1 : 1;
    return 1;
}

/* "ceil(N/32)", "floor((M + 2 * N)/4)" */
static const char *quotient_text(struct arena *arena, const struct program *program, const struct quotient *quotient,
                                 bool up)
{
    struct polynomial *sum = zero(arena, program);
    struct text text = {0};
    const char *kept;

    for (int k = 0; k < program->n_param; k++)
        add_factor(arena, sum, quotient->numerator[k], k, program->param[k].name);
    add_term(arena, sum, (struct term){.coefficient = quotient->constant});
    polynomial_print(&text, sum);
    kept = arena_printf(arena, sum->term.n > 1 ? "%s((%s)/%lld)" : "%s(%s/%lld)", up ? "ceil" : "floor",
                        text_str(&text), (long long)quotient->denominator);
    text_free(&text);
    return kept;
}

/* coefficient * floor(quotient), where a quotient that grows with its first parameter, and as few constants as
 * possible, make one text of what is the same. */
static bool add_floor(struct arena *arena, struct polynomial *polynomial, int64_t coefficient, struct quotient quotient)
{
    const struct program *program = polynomial->program;
    const int64_t d = quotient.denominator;
    const bool negate = leading_sign(program, &quotient) < 0;
    int64_t rest, whole;
    bool up;

    for (int k = 0; negate && k < program->n_param; k++)
        quotient.numerator[k] = -quotient.numerator[k];
    quotient.constant = negate ? -quotient.constant : quotient.constant;
    coefficient = negate ? -coefficient : coefficient;
    if (negate) /* -floor(-x / d) = ceil(x / d) = floor((x + d - 1) / d) */
        quotient.constant += d - 1;
    rest = (quotient.constant % d + d) % d;
    whole = (quotient.constant - rest) / d;
    up = rest > d / 2;
    quotient.constant = up ? rest - (d - 1) : rest;
    return add_term(arena, polynomial, (struct term){.coefficient = coefficient * whole}) &&
           add_factor(arena, polynomial, coefficient, program->n_param, quotient_text(arena, program, &quotient, up));
}

static bool add_div(struct arena *arena, struct polynomial *polynomial, __isl_keep isl_aff *aff, int k)
{
    struct quotient quotient;
    int64_t coefficient;

    if (!small_number(isl_aff_get_coefficient_val(aff, isl_dim_div, k), &coefficient))
        return false;
    return coefficient == 0 || (read_quotient(arena, polynomial->program, isl_aff_get_div(aff, k), &quotient) &&
                                add_floor(arena, polynomial, coefficient, quotient));
}

const struct polynomial *polynomial_from_aff(struct arena *arena, const struct program *program,
                                             __isl_keep isl_aff *aff)
{
    struct polynomial *polynomial = zero(arena, program);
    int64_t value;
    bool good = poly_number(isl_aff_get_constant_val(aff), &value) &&
                add_term(arena, polynomial, (struct term){.coefficient = value});

    for (int k = 0; k < program->n_param && good; k++)
        good = poly_number(isl_aff_get_coefficient_val(aff, isl_dim_param, k), &value) &&
               add_factor(arena, polynomial, value, k, program->param[k].name);
    for (int k = 0; k < (int)isl_aff_dim(aff, isl_dim_div) && good; k++)
        good = add_div(arena, polynomial, aff, k);
    return good ? polynomial : NULL;
}

const struct polynomial *polynomial_sum(struct arena *arena, const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial *sum;

    if (!a || !b)
        return NULL;
    sum = zero(arena, a->program);
    for (int k = 0; k < a->term.n; k++)
        add_term(arena, sum, a->term.at[k]);
    for (int k = 0; k < b->term.n; k++)
        if (!add_term(arena, sum, b->term.at[k]))
            return NULL;
    return sum;
}

static bool multiply(struct arena *arena, struct polynomial *product, const struct term *a, const struct term *b)
{
    struct factor *factor = ARENA_ARRAY(arena, a->n + b->n + 1, struct factor);
    struct term term = {.factor = factor, .n = a->n + b->n};

    for (int k = 0, i = 0, j = 0; k < term.n; k++) {
        const bool first = j == b->n || (i < a->n && compare_factors(&a->factor[i], &b->factor[j]) <= 0);
        factor[k] = first ? a->factor[i++] : b->factor[j++];
    }
    return !__builtin_mul_overflow(a->coefficient, b->coefficient, &term.coefficient) && add_term(arena, product, term);
}

const struct polynomial *polynomial_product(struct arena *arena, const struct polynomial *a, const struct polynomial *b)
{
    struct polynomial *product;

    if (!a || !b)
        return NULL;
    product = zero(arena, a->program);
    for (int i = 0; i < a->term.n; i++)
        for (int j = 0; j < b->term.n; j++)
            if (!multiply(arena, product, &a->term.at[i], &b->term.at[j]))
                return NULL;
    return product;
}

bool polynomial_is_constant(const struct polynomial *polynomial, int64_t *value)
{
    if (!polynomial || polynomial->term.n > 1 || (polynomial->term.n == 1 && polynomial->term.at[0].n > 0))
        return false;
    *value = polynomial->term.n ? polynomial->term.at[0].coefficient : 0;
    return true;
}

bool polynomial_is_equal(const struct polynomial *a, const struct polynomial *b)
{
    if (!a || !b || a->term.n != b->term.n)
        return false;
    for (int k = 0; k < a->term.n; k++)
        if (a->term.at[k].coefficient != b->term.at[k].coefficient || compare(&a->term.at[k], &b->term.at[k]) != 0)
            return false;
    return true;
}

static void print_term(struct text *out, const struct term *term, bool first)
{
    const uint64_t value = (uint64_t)term->coefficient, size = term->coefficient < 0 ? -value : value;
    const bool shown = size != 1 || term->n == 0;

    text_add(out, term->coefficient >= 0 ? (first ? "" : " + ") : first ? "-" : " - ");
    if (shown)
        text_addf(out, "%llu", (unsigned long long)size);
    for (int k = 0; k < term->n; k++)
        text_addf(out, "%s%s", k || shown ? " * " : "", term->factor[k].text);
}

void polynomial_print(struct text *out, const struct polynomial *polynomial)
{
    if (!polynomial || polynomial->term.n == 0)
        text_add(out, polynomial ? "0" : "?");
    for (int k = 0; polynomial && k < polynomial->term.n; k++)
        print_term(out, &polynomial->term.at[k], k == 0);
}
