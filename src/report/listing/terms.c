#include "report/listing/terms.h"

#include "base/vec.h"

#include <inttypes.h>

/* factor * (an atom, or the remainder of operand by divisor) */
struct summand {
    int64_t factor;
    const struct atom *atom; /* NULL: a remainder */
    const struct affine *operand;
    int64_t divisor;
};

/* The summands, in the order in which they are printed, and a constant. */
struct sum {
    VEC(struct summand) part;
    int64_t constant;
};

/* q * (floor(e / d) mod m) is q * floor(e / d) - q * m * floor(e / (d * m)): the remainder of which term k of a is the
 * second half; *whole is the first one. */
static bool is_remainder_of_floor(const struct affine *a, int k, struct summand *part, const struct affine_term **whole)
{
    const struct affine_term *last = &a->term[k];

    for (int c = 0; c < a->n_term; c++) {
        const struct affine_term *first = &a->term[c];
        const int64_t modulus = -last->factor / first->factor;

        if (c == k || first->atom->kind != ATOM_FLOOR || modulus < 2 || last->factor != -modulus * first->factor ||
            last->atom->divisor / modulus != first->atom->divisor || last->atom->divisor % modulus ||
            !affine_equal(first->atom->arg[0], last->atom->arg[0]))
            continue;
        *part = (struct summand){first->factor, NULL, NULL, modulus};
        *whole = first;
        return true;
    }
    return false;
}

/* Takes q * (floor(e / d) mod m) out of *a. */
static bool take_remainder_of_floor(struct arena *arena, const struct affine **a, struct summand *part)
{
    const struct affine_term *first;

    for (int k = 0; k < (*a)->n_term; k++) {
        const struct affine_term *last = &(*a)->term[k];
        const struct affine *both;

        if (last->atom->kind != ATOM_FLOOR || !is_remainder_of_floor(*a, k, part, &first))
            continue;
        part->operand = affine_atom(arena, first->atom);
        both = affine_combine(arena, part->operand, first->factor, affine_atom(arena, last->atom), last->factor);
        both = both ? affine_sub(arena, *a, both) : NULL;
        *a = both ? both : *a;
        return both;
    }
    return false;
}

/* Takes q * (e mod d) out of *a, where that makes it shorter: one of its terms is -q * d * floor(e / d). */
static bool take_remainder(struct arena *arena, const struct affine **a, struct summand *part)
{
    for (int k = 0; k < (*a)->n_term; k++) {
        const struct atom *atom = (*a)->term[k].atom;
        const struct affine *remainder, *rest;

        if (atom->kind != ATOM_FLOOR || (*a)->term[k].factor % atom->divisor)
            continue;
        *part = (struct summand){-(*a)->term[k].factor / atom->divisor, NULL, atom->arg[0], atom->divisor};
        remainder = affine_scale(arena, affine_mod(arena, atom->arg[0], atom->divisor), part->factor);
        rest = remainder ? affine_sub(arena, *a, remainder) : NULL;
        if (!rest || affine_terms(rest) + affine_terms(atom->arg[0]) >= affine_terms(*a))
            continue;
        *a = rest;
        return true;
    }
    return false;
}

/* How far outside a summand is bound: parameters, loops from the outermost on, then what is no variable. */
static int rank(const struct around *around, const struct summand *part)
{
    int inside = 0, n = 1;

    if (!part->atom || part->atom->kind != ATOM_VAR)
        return INT32_MAX;
    for (const struct bound_var *bound = around->facts->bound; bound; bound = bound->outer, n++)
        if (bound->var == part->atom->var)
            inside = n;
    return part->atom->var->kind == VAR_PARAM || !inside ? 0 : n - inside;
}

static bool stands_before(const struct around *around, const struct summand *a, const struct summand *b)
{
    if ((a->factor > 0) != (b->factor > 0))
        return a->factor > 0;
    return rank(around, a) < rank(around, b);
}

static void insert(const struct around *around, struct sum *sum, struct summand part)
{
    int at = sum->part.n;

    VEC_PUSH(around->arena, &sum->part, part);
    for (; at > 0 && stands_before(around, &part, &sum->part.at[at - 1]); at--)
        sum->part.at[at] = sum->part.at[at - 1];
    sum->part.at[at] = part;
}

/* kk / 8 for 8 * (kk / 64), where kk is a multiple of 64. */
static struct summand shortest(const struct around *around, const struct affine_term *term)
{
    struct arena *arena = around->arena;
    const struct atom *atom = term->atom;
    const int64_t common = atom->kind == ATOM_FLOOR ? common_divisor(term->factor, atom->divisor) : 1;
    const struct affine *shorter;

    if (common > 1 && common < atom->divisor) {
        const struct span span = span_of(arena, around->facts->bound, atom->arg[0]);

        shorter = affine_floor(arena, atom->arg[0], atom->divisor / common);
        if (span.modulus % atom->divisor == 0 && span.residue % atom->divisor == 0 && shorter && shorter->n_term == 1 &&
            !shorter->constant)
            return (struct summand){term->factor / common * shorter->term[0].factor, shorter->term[0].atom, NULL, 0};
    }
    return (struct summand){term->factor, atom, NULL, 0};
}

static struct sum sum_of(const struct around *around, const struct affine *value)
{
    const struct affine *a = simplest(around, value);
    struct sum sum = {0};
    struct summand part;

    while (take_remainder(around->arena, &a, &part) || take_remainder_of_floor(around->arena, &a, &part))
        insert(around, &sum, part);
    for (int k = 0; k < a->n_term; k++)
        insert(around, &sum, shortest(around, &a->term[k]));
    sum.constant = a->constant;
    return sum;
}

static void add_division(const struct around *around, const struct affine *operand, char op, int64_t divisor,
                         bool bracketed, struct text *out)
{
    struct text inner = {0};
    const bool composite = terms_print(around, operand, &inner);

    text_addf(out, "%s%s%s%s", bracketed ? "(" : "", composite ? "(" : "", text_str(&inner), composite ? ")" : "");
    text_addf(out, " %c %" PRId64 "%s", op, divisor, bracketed ? ")" : "");
    text_free(&inner);
}

static void add_summand(const struct around *around, const struct summand *part, struct text *out)
{
    const int64_t size = part->factor < 0 ? -part->factor : part->factor;
    const struct atom *atom = part->atom;

    if (size != 1)
        text_addf(out, "%" PRId64 " * ", size);
    if (!atom) {
        add_division(around, part->operand, '%', part->divisor, size != 1, out);
    } else if (atom->kind == ATOM_VAR) {
        text_add(out, atom->var->name);
    } else if (atom->kind == ATOM_FLOOR) {
        add_division(around, atom->arg[0], '/', atom->divisor, size != 1, out);
    } else {
        text_add(out, atom->kind == ATOM_MIN ? "min(" : "max(");
        for (int k = 0; k < atom->n_arg; k++) {
            text_add(out, k ? ", " : "");
            terms_print(around, atom->arg[k], out);
        }
        text_char(out, ')');
    }
}

static bool is_composite(const struct sum *sum)
{
    const struct summand *only = sum->part.at;

    if (sum->part.n != 1 || sum->constant)
        return sum->part.n > 0;
    return only->factor != 1 || !only->atom || only->atom->kind == ATOM_FLOOR;
}

static void add_constant(int64_t constant, bool first, struct text *out)
{
    if (first)
        text_addf(out, "%" PRId64, constant);
    else if (constant)
        text_addf(out, constant < 0 ? " - %" PRIu64 : " + %" PRIu64,
                  constant < 0 ? 0 - (uint64_t)constant : (uint64_t)constant);
}

bool terms_print(const struct around *around, const struct affine *value, struct text *out)
{
    const struct sum sum = sum_of(around, value);
    const bool leads = sum.part.n > 0 && sum.part.at[0].factor < 0 && sum.constant > 0; /* "12 - j" */

    if (leads)
        add_constant(sum.constant, true, out);
    for (int k = 0; k < sum.part.n; k++) {
        const bool negative = sum.part.at[k].factor < 0, first = k == 0 && !leads;

        text_add(out, first ? (negative ? "-" : "") : negative ? " - " : " + ");
        add_summand(around, &sum.part.at[k], out);
    }
    if (!leads)
        add_constant(sum.constant, sum.part.n == 0, out);
    return is_composite(&sum);
}

/* The summands of one sign, as a sum of their own, and how far inside the innermost one is bound. */
static int add_side(const struct around *around, const struct sum *sum, bool negative, struct text *out)
{
    int inside = -1;

    for (int k = 0; k < sum->part.n; k++) {
        const struct summand *part = &sum->part.at[k];

        if ((part->factor < 0) != negative)
            continue;
        text_add(out, inside < 0 ? "" : " + ");
        add_summand(around, part, out);
        inside = rank(around, part) > inside ? rank(around, part) : inside;
    }
    return inside;
}

/* left + constant >= right, or == */
static void compare(const struct text *left, const struct text *right, int64_t constant, bool equal, bool turned,
                    struct text *out)
{
    const bool strict = !equal && constant == -1 && right->size;
    struct text a = {0}, b = {0};

    text_add(&a, text_str(left));
    text_add(&b, text_str(right));
    if (!right->size || (constant < 0 && !strict))
        add_constant(-constant, !right->size, &b);
    else if (!left->size || constant > 0)
        add_constant(constant, !left->size, &a);
    text_addf(out, "%s %s%s %s", text_str(turned ? &b : &a),
              equal    ? "="
              : turned ? "<"
                       : ">",
              strict ? "" : "=", text_str(turned ? &a : &b));
    text_free(&a);
    text_free(&b);
}

/* Of an equation: i % 3 == 1 for (i + 1) % 3 == 2. */
static void without_offset(const struct around *around, struct sum *sum)
{
    struct summand *only = sum->part.at;
    const struct affine *bare;
    int64_t rest;

    if (sum->part.n != 1 || only->atom || (only->factor != 1 && only->factor != -1))
        return;
    bare = affine_add_constant(around->arena, only->operand, -only->operand->constant);
    if (!bare || __builtin_add_overflow(sum->constant * only->factor, only->operand->constant % only->divisor, &rest))
        return;
    only->operand = bare;
    sum->constant = rest - floor_div(rest, only->divisor) * only->divisor;
    sum->constant = sum->constant ? sum->constant - only->divisor : 0;
    only->factor = 1;
}

void terms_print_condition(const struct around *around, const struct condition *condition, struct text *out)
{
    struct sum sum = sum_of(around, condition->affine);
    struct text more = {0}, less = {0};
    int added, subtracted;

    if (condition->equal)
        without_offset(around, &sum);
    added = add_side(around, &sum, false, &more);
    subtracted = add_side(around, &sum, true, &less);
    compare(&more, &less, sum.constant, condition->equal, subtracted >= added && subtracted >= 0, out);
    text_free(&more);
    text_free(&less);
}
