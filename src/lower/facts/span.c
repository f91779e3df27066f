#include "lower/facts/span.h"

struct span span_of_constant(int64_t value)
{
    return (struct span){value, value, 0, value};
}

struct span span_any(void)
{
    return (struct span){INT64_MIN, INT64_MAX, 1, 0};
}

static int64_t modulo(int64_t a, int64_t b)
{
    return ((a % b) + b) % b;
}

static bool is_unbounded(int64_t bound)
{
    return bound == INT64_MIN || bound == INT64_MAX;
}

/* a + b; otherwise, where one of them is no bound or the sum is too large. */
static int64_t add_bounds(int64_t a, int64_t b, int64_t otherwise)
{
    int64_t sum;

    return is_unbounded(a) || is_unbounded(b) || __builtin_add_overflow(a, b, &sum) ? otherwise : sum;
}

static int64_t scale_bound(int64_t a, int64_t factor, int64_t otherwise)
{
    int64_t product;

    return is_unbounded(a) || __builtin_mul_overflow(a, factor, &product) ? otherwise : product;
}

/* The grid of modulus and residue, none where these became too large. */
static struct span on_grid(struct span span, bool fits, int64_t modulus, int64_t residue)
{
    span.modulus = fits && modulus != INT64_MIN ? (modulus < 0 ? -modulus : modulus) : 1;
    span.residue = fits && span.modulus ? modulo(residue, span.modulus) : residue;
    if (!fits)
        span.residue = 0;
    return span;
}

static struct span add(struct span a, struct span b)
{
    const struct span sum = {.low = add_bounds(a.low, b.low, INT64_MIN), .high = add_bounds(a.high, b.high, INT64_MAX)};
    int64_t residue;
    const bool fits = !__builtin_add_overflow(a.residue, b.residue, &residue);

    return on_grid(sum, fits, common_divisor(a.modulus, b.modulus), residue);
}

static struct span scale(struct span a, int64_t factor)
{
    struct span scaled = {.low = scale_bound(factor > 0 ? a.low : a.high, factor, INT64_MIN),
                          .high = scale_bound(factor > 0 ? a.high : a.low, factor, INT64_MAX)};
    int64_t modulus, residue;
    const bool fits =
        !__builtin_mul_overflow(a.modulus, factor, &modulus) && !__builtin_mul_overflow(a.residue, factor, &residue);

    return on_grid(scaled, fits, fits ? modulus : 1, fits ? residue : 0);
}

static struct span divide(struct span a, int64_t divisor)
{
    struct span quotient = {is_unbounded(a.low) ? INT64_MIN : floor_div(a.low, divisor),
                            is_unbounded(a.high) ? INT64_MAX : floor_div(a.high, divisor), 1, 0};

    if (a.modulus % divisor == 0)
        quotient = on_grid(quotient, true, a.modulus / divisor, floor_div(a.residue, divisor));
    return quotient;
}

/* a modulo divisor. */
static struct span remainder_of(struct span a, int64_t divisor)
{
    const int64_t step = common_divisor(a.modulus, divisor), first = modulo(a.residue, step);

    if (!is_unbounded(a.low) && !is_unbounded(a.high) && a.low >= 0 && a.high < divisor)
        return a;
    return step == divisor ? span_of_constant(first) : (struct span){first, divisor - step + first, step, first};
}

static struct span extreme(enum atom_kind kind, struct span a, struct span b)
{
    const bool least = kind == ATOM_MIN;

    return (struct span){(a.low < b.low) == least ? a.low : b.low, (a.high < b.high) == least ? a.high : b.high, 1, 0};
}

static struct span span_of_atom(struct arena *arena, const struct bound_var *bound, const struct atom *atom)
{
    struct span span;

    if (atom->kind == ATOM_VAR) {
        while (bound && bound->var != atom->var)
            bound = bound->outer;
        return bound ? bound->span : span_any();
    }
    span = span_of(arena, bound, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return divide(span, atom->divisor);
    for (int k = 1; k < atom->n_arg; k++)
        span = extreme(atom->kind, span, span_of(arena, bound, atom->arg[k]));
    return span;
}

/* a less q * (e mod d), where that is shorter: one of its terms is -q * d * floor(e / d). *floor is that term. */
static const struct affine *without_remainder(struct arena *arena, const struct affine *a,
                                              const struct affine_term **floor)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *rest;
        if (atom->kind != ATOM_FLOOR || a->term[k].factor % atom->divisor != 0)
            continue;
        rest = affine_mod(arena, atom->arg[0], atom->divisor);
        rest = affine_add(arena, a, affine_scale(arena, rest, a->term[k].factor / atom->divisor));
        *floor = &a->term[k];
        if (rest && rest->n_term < a->n_term)
            return rest;
    }
    return NULL;
}

struct span span_of(struct arena *arena, const struct bound_var *bound, const struct affine *a)
{
    const struct affine_term *floor = NULL;
    const struct affine *rest = without_remainder(arena, a, &floor);
    struct span sum = span_of_constant(a->constant);

    if (rest) {
        const int64_t divisor = floor->atom->divisor;
        const struct span operand = span_of(arena, bound, floor->atom->arg[0]);
        return add(span_of(arena, bound, rest), scale(remainder_of(operand, divisor), -(floor->factor / divisor)));
    }
    for (int k = 0; k < a->n_term; k++)
        sum = add(sum, scale(span_of_atom(arena, bound, a->term[k].atom), a->term[k].factor));
    return sum;
}

/* Its bounds moved onto its grid. */
static struct span tight(struct span span)
{
    if (span.modulus > 1 && !is_unbounded(span.low))
        span.low = add_bounds(span.low, modulo(span.residue - modulo(span.low, span.modulus), span.modulus), INT64_MIN);
    if (span.modulus > 1 && !is_unbounded(span.high))
        span.high =
            add_bounds(span.high, -modulo(modulo(span.high, span.modulus) - span.residue, span.modulus), INT64_MAX);
    return span;
}

struct span span_of_loop(struct arena *arena, const struct bound_var *bound, const struct affine *lower,
                         const struct affine *upper, int64_t step)
{
    const struct span first = span_of(arena, bound, lower), last = span_of(arena, bound, upper);
    const struct span values = step > 0 ? (struct span){.low = first.low, .high = last.high}
                                        : (struct span){.low = last.low, .high = first.high};

    return tight(on_grid(values, true, common_divisor(first.modulus, step), first.residue));
}
