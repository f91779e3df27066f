#include "report/listing/simple.h"

enum { MOST_ROUNDS = 4 };

static const struct affine *simple(const struct around *around, const struct affine *a);

/* The terms of a, and its constant, that are multiples of unit whatever the loops around are at. */
static const struct affine *multiples(const struct around *around, const struct affine *a, int64_t unit)
{
    const struct affine *sum = affine_constant(around->arena, floor_div(a->constant, unit) * unit);

    for (int k = 0; k < a->n_term && sum; k++) {
        const struct affine *term =
            affine_scale(around->arena, affine_atom(around->arena, a->term[k].atom), a->term[k].factor);
        const struct span span = term ? span_of(around->arena, around->facts->bound, term) : span_any();

        if (span.modulus % unit == 0 && span.residue % unit == 0)
            sum = affine_add(around->arena, sum, term);
    }
    return sum;
}

/* factor * atom / divisor, atom being a multiple: by the largest number that it is a multiple of, so that equal ones
 * meet. */
static const struct affine *whole_quotient(const struct around *around, const struct atom *atom, int64_t divisor,
                                           int64_t factor)
{
    struct arena *arena = around->arena;
    const struct affine *term = affine_atom(arena, atom);
    const struct span span = span_of(arena, around->facts->bound, term);
    const int64_t grid = common_divisor(span.modulus, span.residue);

    if (factor % divisor == 0)
        return affine_scale(arena, term, factor / divisor);
    if (grid % divisor)
        return affine_scale(arena, affine_floor(arena, term, divisor), factor);
    return affine_scale(arena, affine_scale(arena, affine_floor(arena, term, grid), grid / divisor), factor);
}

/* factor * multiple / divisor, each term being a multiple. */
static const struct affine *quotient(const struct around *around, const struct affine *multiple, int64_t divisor,
                                     int64_t factor)
{
    struct arena *arena = around->arena;
    const struct affine *sum = affine_scale(arena, affine_constant(arena, multiple->constant / divisor), factor);

    for (int k = 0; k < multiple->n_term && sum; k++) {
        const struct affine_term *term = &multiple->term[k];
        const int64_t once = common_divisor(term->factor, divisor);
        const struct affine *whole = whole_quotient(around, term->atom, divisor / once, factor);

        sum = affine_add(arena, sum, affine_scale(arena, whole, term->factor / once));
    }
    return sum;
}

/* Is it less than unit? What is far from that by what its loops can be each is not asked further. */
static bool is_below(const struct around *around, const struct affine *rest, const struct span *span, int64_t unit)
{
    const struct affine *left;

    if (span->high < unit || span->high >= 2 * unit)
        return span->high < unit;
    left = affine_add_constant(around->arena, affine_scale(around->arena, rest, -1), unit - 1);
    return left && facts_imply(around->facts, left);
}

/* factor * floor(a / divisor), where the terms that are multiples of unit decide it; NULL: they do not, or overflow. */
static const struct affine *floor_by_units(const struct around *around, const struct affine *a, int64_t divisor,
                                           int64_t factor, int64_t unit)
{
    struct arena *arena = around->arena;
    const struct affine *multiple = multiples(around, a, unit);
    const struct affine *rest = multiple ? affine_sub(arena, a, multiple) : NULL;
    const struct span span = rest ? span_of(arena, around->facts->bound, rest) : span_any();

    if (span.low < 0 || !is_below(around, rest, &span, unit))
        return NULL;
    if (unit == divisor)
        return quotient(around, multiple, divisor, factor);
    multiple = quotient(around, multiple, unit, 1);
    return multiple ? affine_scale(arena, affine_floor(arena, multiple, divisor / unit), factor) : NULL;
}

/* factor * floor(a / divisor), where the factor undoes the division of all that is a multiple. */
static const struct affine *undone(const struct around *around, const struct affine *a, int64_t divisor, int64_t factor)
{
    struct arena *arena = around->arena;
    const struct span span = span_of(arena, around->facts->bound, a);
    const bool whole = span.modulus % divisor == 0 && span.residue % divisor == 0;
    const struct affine *multiple = whole ? a : multiples(around, a, divisor);
    const struct affine *rest = multiple ? affine_sub(arena, a, multiple) : NULL;

    rest = rest ? affine_scale(arena, affine_floor(arena, rest, divisor), factor) : NULL;
    return rest ? affine_add(arena, rest, affine_scale(arena, multiple, factor / divisor)) : NULL;
}

/* factor * floor(a / divisor): multiples of the divisor, or of the largest part of it that does, stand alone where the
 * rest is less. */
static const struct affine *simple_floor(const struct around *around, const struct affine *a, int64_t divisor,
                                         int64_t factor)
{
    const struct affine *found = floor_by_units(around, a, divisor, factor, divisor);
    int64_t largest = found ? divisor : 1;

    if (!found && factor % divisor == 0)
        return undone(around, a, divisor, factor);
    for (int k = 0; k < a->n_term; k++) {
        const struct affine *term = affine_atom(around->arena, a->term[k].atom);
        const struct span span = span_of(around->arena, around->facts->bound, term);
        const int64_t unit = common_divisor(common_divisor(span.modulus, span.residue), divisor);
        const struct affine *simpler = unit > largest ? floor_by_units(around, a, divisor, factor, unit) : NULL;

        found = simpler ? simpler : found;
        largest = simpler ? unit : largest;
    }
    return found ? found : affine_scale(around->arena, affine_floor(around->arena, a, divisor), factor);
}

static const struct affine *simple_term(const struct around *around, const struct affine_term *term)
{
    const struct atom *atom = term->atom;
    const struct affine **arg = ARENA_ARRAY(around->arena, atom->n_arg, const struct affine *);

    for (int k = 0; k < atom->n_arg; k++) {
        arg[k] = simple(around, atom->arg[k]);
        if (!arg[k])
            return NULL;
    }
    if (atom->kind == ATOM_FLOOR)
        return simple_floor(around, arg[0], atom->divisor, term->factor);
    return affine_scale(around->arena,
                        atom->kind == ATOM_VAR ? affine_atom(around->arena, atom)
                                               : affine_extreme(around->arena, atom->kind, arg, atom->n_arg),
                        term->factor);
}

/* NULL: it overflows. */
static const struct affine *simple(const struct around *around, const struct affine *a)
{
    const struct affine *sum = affine_constant(around->arena, a->constant);

    for (int k = 0; k < a->n_term && sum; k++)
        sum = affine_add(around->arena, sum, simple_term(around, &a->term[k]));
    return sum;
}

const struct affine *simplest(const struct around *around, const struct affine *a)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const struct affine *next = simple(around, a);

        next = next ? affine_alternate(around->arena, next) : NULL;
        if (!next || affine_equal(next, a))
            break;
        a = next;
    }
    return a;
}
