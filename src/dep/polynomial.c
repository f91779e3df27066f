#include "dep/polynomial.h"

#include <isl/val.h>

struct term {
    int64_t coefficient; /* not 0 */
    const int *power;    /* of each parameter */
};

struct polynomial {
    const struct program *program;
    VEC(struct term) term; /* sorted, powers differ */
};

static int degree(const struct polynomial *polynomial, const int *power)
{
    int sum = 0;

    for (int k = 0; k < polynomial->program->n_param; k++)
        sum += power[k];
    return sum;
}

/* Negative when a's powers are printed before b's. */
static int compare(const struct polynomial *polynomial, const int *a, const int *b)
{
    const int degrees = degree(polynomial, b) - degree(polynomial, a);

    for (int k = 0; degrees == 0 && k < polynomial->program->n_param; k++)
        if (a[k] != b[k])
            return b[k] - a[k];
    return degrees;
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

    while (at < polynomial->term.n && compare(polynomial, polynomial->term.at[at].power, term.power) < 0)
        at++;
    if (at < polynomial->term.n && compare(polynomial, polynomial->term.at[at].power, term.power) == 0) {
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

static int *powers(struct arena *arena, const struct program *program)
{
    return ARENA_ARRAY(arena, program->n_param + 1, int);
}

const struct polynomial *polynomial_constant(struct arena *arena, const struct program *program, int64_t value)
{
    struct polynomial *polynomial = zero(arena, program);

    add_term(arena, polynomial, (struct term){value, powers(arena, program)});
    return polynomial;
}

static bool integer(__isl_take isl_val *val, int64_t *value)
{
    const bool is = isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, INT32_MAX) <= 0 &&
                    isl_val_cmp_si(val, -INT32_MAX) >= 0;

    *value = is ? isl_val_get_num_si(val) : 0;
    isl_val_free(val);
    return is;
}

const struct polynomial *polynomial_from_aff(struct arena *arena, const struct program *program,
                                             __isl_keep isl_aff *aff)
{
    struct polynomial *polynomial = zero(arena, program);
    int64_t value;

    if (isl_aff_dim(aff, isl_dim_div) != 0 || !integer(isl_aff_get_constant_val(aff), &value))
        return NULL;
    add_term(arena, polynomial, (struct term){value, powers(arena, program)});
    for (int k = 0; k < program->n_param; k++) {
        int *power = powers(arena, program);
        power[k] = 1;
        if (!integer(isl_aff_get_coefficient_val(aff, isl_dim_param, k), &value))
            return NULL;
        add_term(arena, polynomial, (struct term){value, power});
    }
    return polynomial;
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
    int *power = powers(arena, product->program);
    struct term term = {.power = power};

    for (int k = 0; k < product->program->n_param; k++)
        power[k] = a->power[k] + b->power[k];
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
    if (!polynomial || polynomial->term.n > 1 ||
        (polynomial->term.n == 1 && degree(polynomial, polynomial->term.at[0].power) > 0))
        return false;
    *value = polynomial->term.n ? polynomial->term.at[0].coefficient : 0;
    return true;
}

static void print_term(struct text *out, const struct polynomial *polynomial, const struct term *term, bool first)
{
    const bool constant = degree(polynomial, term->power) == 0;
    const int64_t size = term->coefficient < 0 ? -term->coefficient : term->coefficient;
    const char *between = "";

    text_add(out, term->coefficient >= 0 ? (first ? "" : " + ") : first ? "-" : " - ");
    if (size != 1 || constant) {
        text_addf(out, "%lld", (long long)size);
        between = " * ";
    }
    for (int k = 0; k < polynomial->program->n_param; k++)
        for (int p = 0; p < term->power[k]; p++) {
            text_addf(out, "%s%s", between, polynomial->program->param[k].name);
            between = " * ";
        }
}

void polynomial_print(struct text *out, const struct polynomial *polynomial)
{
    if (!polynomial || polynomial->term.n == 0)
        text_add(out, polynomial ? "0" : "?");
    for (int k = 0; polynomial && k < polynomial->term.n; k++)
        print_term(out, polynomial, &polynomial->term.at[k], k == 0);
}
