/* Does a condition hold where a load is? Each step takes a quotient, minimum or maximum away:
 *
 *     16 * floor(min(64, N) / 16) - 16 * c >= 0     floor(min(64, N) / 16) >= c
 *                                                   min(64, N) >= 16 * c
 *                                                   64 >= 16 * c and N >= 16 * c
 *
 * until the condition is one that is known, or follows from the ranges of counts. */
#include "lower/finished/same_stored.h"

#include "lower/finished/shape_parts.h"

/* Steps, one inside of the other, and in all, and where no point is known, as what is taken to hold may be impossible;
 * quotients of one argument that are told, one after the other. */
enum { MOST_STEPS = 5, MOST_LOOKS = 64, FEW_LOOKS = 6, LOOKS_OF_NOTHING = 16, MOST_TOLD = 8 };

const struct affine *stored_opposite(struct arena *arena, const struct affine *affine)
{
    return affine ? affine_combine(arena, affine, -1, affine_constant(arena, -1), 1) : NULL;
}

/* Adds the least value of factor * atom by its range to the sum. False: that has no end. */
static bool add_least(const struct shape *shape, const struct atom *atom, int64_t factor, int64_t *sum)
{
    int64_t low, high;

    if (factor == 0)
        return true;
    if (atom->kind != ATOM_VAR)
        return false;
    shape_range(shape, atom->var, &low, &high);
    if (factor > 0 ? low == INT64_MIN : high == INT64_MAX)
        return false;
    return !__builtin_mul_overflow(factor, factor > 0 ? low : high, &low) && !__builtin_add_overflow(*sum, low, sum);
}

/* Is affine at least `less` by the ranges of what both are of? */
static bool is_from(const struct shape *shape, const struct affine *affine, const struct affine *less)
{
    const struct affine_term *a = affine->term, *b = less->term;
    const struct affine_term *end_a = a + affine->n_term, *end_b = b + less->n_term;
    int64_t sum;

    if (__builtin_sub_overflow(affine->constant, less->constant, &sum))
        return false;
    while (a < end_a || b < end_b) {
        const int order = a == end_a ? 1 : b == end_b ? -1 : atom_compare(a->atom, b->atom);
        const struct atom *atom = order <= 0 ? a->atom : b->atom;
        int64_t factor;
        if (__builtin_sub_overflow(order <= 0 ? a->factor : 0, order >= 0 ? b->factor : 0, &factor) ||
            !add_least(shape, atom, factor, &sum))
            return false;
        a += order <= 0;
        b += order >= 0;
    }
    return sum >= 0;
}

static bool is_from_0(const struct shape *shape, const struct affine *affine)
{
    return is_from(shape, affine, &(struct affine){.constant = 0});
}

/* What is the same for two affines whose quotients, minima and maxima are: only then their difference has a range. */
static int64_t without_range(const struct affine *affine)
{
    uint64_t sum = 0;

    for (int k = 0; affine && k < affine->n_term; k++)
        if (affine->term[k].atom->kind != ATOM_VAR)
            sum += (uint64_t)affine->term[k].factor *
                   (uint64_t)(affine->term[k].atom->divisor * 8 + affine->term[k].atom->kind);
    return (int64_t)sum;
}

/* Conditions, and for each what is without a range; NULL: not asked yet. */
struct given {
    const condition_vec *of;
    int64_t *left;
};

/* What is known of a load besides its shape. */
struct knowing {
    struct arena *arena;
    const struct shape *load;
    const condition_vec *more;
    int left;        /* of the steps in all */
    unsigned points; /* stored_points, once found */
    bool found;
    struct given condition, implied, besides; /* the load's, and more */
};

static const int64_t *lefts(const struct knowing *knowing, struct given *given)
{
    if (!given->left) {
        given->left = ARENA_ARRAY(knowing->arena, given->of->n + 1, int64_t);
        for (int k = 0; k < given->of->n; k++)
            given->left[k] = without_range(given->of->at[k].affine);
    }
    return given->left;
}

/* Does affine - less >= 0, or for `equal` = 0, follow from one of the conditions and the ranges of the shape's counts?
 * less: NULL: 0. */
static bool follows(const struct knowing *knowing, struct given *given, const struct affine *affine,
                    const struct affine *less, bool equal)
{
    const uint64_t left = (uint64_t)without_range(affine) - (uint64_t)without_range(less);
    const int64_t *own = lefts(knowing, given);

    for (int k = 0; k < given->of->n && affine; k++) {
        const struct condition *condition = &given->of->at[k];
        if (!condition->affine || (uint64_t)own[k] != left)
            continue;
        affine = less ? affine_sub(knowing->arena, affine, less) : affine;
        less = NULL;
        if (affine && (equal ? condition->equal && affine_equal(affine, condition->affine)
                             : is_from(knowing->load, affine, condition->affine)))
            return true;
    }
    return false;
}

/* Does affine >= 0 follow from one of `more` and one of the conditions together? */
static bool follows_from_two(const struct knowing *knowing, struct given *given, const struct affine *affine)
{
    for (int k = 0; k < knowing->more->n; k++) {
        const struct affine *own = knowing->more->at[k].affine;
        if (own && follows(knowing, given, affine, own, false))
            return true;
    }
    return false;
}

/* The same where the load is, and some conditions more hold. */
static bool is_told(struct knowing *knowing, const struct affine *affine, bool equal)
{
    return (!equal && is_from_0(knowing->load, affine)) || follows(knowing, &knowing->condition, affine, NULL, equal) ||
           (!equal && follows(knowing, &knowing->implied, affine, NULL, false)) ||
           follows(knowing, &knowing->besides, affine, NULL, equal) ||
           (!equal && (follows_from_two(knowing, &knowing->condition, affine) ||
                       follows_from_two(knowing, &knowing->implied, affine)));
}

/* factor * floor(E / d) with something that is not more in its place: factor / d * E, and for a factor above 0 at most
 * factor / d * (d - 1) less. With a factor of 1 or -1 affine >= 0 says the same as the result. */
static const struct affine *without_quotient(struct arena *arena, const struct affine *affine,
                                             const struct affine_term *term)
{
    const struct affine one = {0, 1, term};
    const struct atom *atom = term->atom;
    const int64_t times = term->factor / atom->divisor;
    const struct affine *rest = affine_sub(arena, affine, &one);

    if (term->factor == 1 || term->factor == -1) {
        rest = affine_combine(arena, rest, atom->divisor, atom->arg[0], term->factor);
        return term->factor == 1 ? rest : affine_add_constant(arena, rest, atom->divisor - 1);
    }
    if (term->factor % atom->divisor != 0)
        return NULL;
    rest = affine_combine(arena, rest, 1, atom->arg[0], times);
    return times < 0 ? rest : affine_add_constant(arena, rest, -times * (atom->divisor - 1));
}

/* floor(affine / d), which is at least 0 where affine is, d being what divides the factors of all quotients, minima and
 * maxima: c >= 2 * floor(N / 2) is floor(c / 2) >= floor(N / 2). NULL: nothing does. */
static const struct affine *divided(struct arena *arena, const struct affine *affine)
{
    int64_t gcd = 0;

    for (int k = 0; k < affine->n_term; k++)
        if (affine->term[k].atom->kind != ATOM_VAR)
            gcd = common_divisor(gcd, affine->term[k].factor);
    gcd = gcd == 0 ? affine_gcd(affine) : gcd;
    return gcd > 1 ? affine_floor(arena, affine, gcd) : NULL;
}

static bool is_known(struct knowing *knowing, const struct affine *affine, int steps);

/* Is one of what the term is of enough for the affine to be at least 0? */
static bool is_choice(const struct affine_term *term)
{
    return term->atom->kind != ATOM_VAR && term->atom->kind != ATOM_FLOOR &&
           (term->atom->kind == ATOM_MAX) == (term->factor > 0);
}

/* affine with its k-th choice in the place of the term. */
static const struct affine *chosen(struct arena *arena, const struct affine *affine, const struct affine_term *term,
                                   int k)
{
    const struct affine one = {0, 1, term};

    return affine_combine(arena, affine_sub(arena, affine, &one), 1, term->atom->arg[k], term->factor);
}

/* Whichever choice of the condition is at least 0, is one of the affine's no less? */
static bool follows_from_choice(const struct knowing *knowing, const struct affine *affine,
                                const struct affine_term *term, const struct affine *condition)
{
    const struct affine_term *own = NULL;
    bool follows = false;

    for (int k = 0; condition && k < condition->n_term && !own; k++)
        own = is_choice(&condition->term[k]) ? &condition->term[k] : NULL;
    for (int k = 0; own && k < own->atom->n_arg && (k == 0 || follows); k++) {
        const struct affine *less = chosen(knowing->arena, condition, own, k);
        follows = false;
        for (int c = 0; c < term->atom->n_arg && !follows; c++) {
            const struct affine *more = chosen(knowing->arena, affine, term, c);
            follows = more && less && is_from(knowing->load, more, less);
        }
    }
    return follows;
}

/* Is affine >= 0 with each, or one, of what the minimum or maximum is of in its place? Numbers, the first ones, are
 * tried last. */
static bool is_known_of_each(struct knowing *knowing, const struct affine *affine, const struct affine_term *term,
                             int steps)
{
    const bool all = !is_choice(term);
    bool known = all;

    for (int k = 0; k < knowing->load->condition.n && !all && !known; k++)
        known = follows_from_choice(knowing, affine, term, knowing->load->condition.at[k].affine);
    for (int k = term->atom->n_arg - 1; k >= 0 && known == all; k--)
        known = is_known(knowing, chosen(knowing->arena, affine, term, k), steps);
    return known;
}

static bool is_sum_of_vars(const struct affine *affine)
{
    for (int k = 0; k < affine->n_term; k++)
        if (affine->term[k].atom->kind != ATOM_VAR)
            return false;
    return true;
}

/* Does the sum follow from a condition that has a quotient, minimum or maximum, c >= 0 from c >= 2 * floor(N / 2)? */
static bool follows_from_other(struct knowing *knowing, const struct affine *affine, const condition_vec *conditions,
                               int steps)
{
    for (int k = 0; k < conditions->n; k++) {
        const struct affine *own = conditions->at[k].affine;
        const struct affine *more = !own || is_sum_of_vars(own) ? NULL : affine_sub(knowing->arena, affine, own);
        if (more && is_known(knowing, more, steps))
            return true;
    }
    return false;
}

/* Adds the most that factor * atom is by its range to the sum. False: that has no end. */
static bool add_most(const struct shape *shape, const struct atom *atom, int64_t factor, int64_t *sum)
{
    int64_t less = 0;

    return factor != INT64_MIN && add_least(shape, atom, -factor, &less) && !__builtin_sub_overflow(*sum, less, sum);
}

/* The most that a + b is whatever its terms with ranges are, but for those that d divides; NULL: one has no end. */
static const struct affine *most_of(const struct shape *load, const struct affine *a, const struct affine *b, int64_t d)
{
    const struct affine_term *at = a->term, *bt = b->term, *end_a = at + a->n_term, *end_b = bt + b->n_term;
    const struct affine *whole = affine_constant(load->arena, 0);
    int64_t sum;

    if (__builtin_add_overflow(a->constant, b->constant, &sum))
        return NULL;
    while (whole && (at < end_a || bt < end_b)) {
        const int order = at == end_a ? 1 : bt == end_b ? -1 : atom_compare(at->atom, bt->atom);
        struct affine_term term = {0, order <= 0 ? at->atom : bt->atom};
        if (__builtin_add_overflow(order <= 0 ? at->factor : 0, order >= 0 ? bt->factor : 0, &term.factor))
            return NULL;
        if (term.factor % d == 0)
            whole = affine_add(load->arena, whole, &(struct affine){0, 1, &term});
        else if (!add_most(load, term.atom, term.factor, &sum))
            return NULL;
        at += order <= 0;
        bt += order >= 0;
    }
    return whole ? affine_add_constant(load->arena, whole, sum) : NULL;
}

/* affine with R in the place of the term's floor(E / d), where one of the conditions says E <= d * R + d - 1 and
 * E >= d * R is known. Is that at least 0? */
static bool follows_from_quotient(struct knowing *knowing, const struct affine *affine, const struct affine_term *term,
                                  const condition_vec *conditions, int steps)
{
    struct arena *arena = knowing->arena;
    const struct affine one = {0, 1, term}, *dividend = term->atom->arg[0];
    const int64_t d = term->atom->divisor;

    for (int k = 0; k < conditions->n; k++) {
        const struct affine *own = conditions->at[k].affine;
        const struct affine *most = own ? most_of(knowing->load, own, dividend, d) : NULL;
        most = most ? affine_floor(arena, most, d) : NULL;
        if (most && is_known(knowing, affine_combine(arena, dividend, 1, most, -d), steps) &&
            is_known(knowing, affine_combine(arena, affine_sub(arena, affine, &one), 1, most, term->factor), steps))
            return true;
    }
    return false;
}

/* affine less the terms that are never below 0, whatever else it is of: c + 4 * floor(N / 4) is at least
 * 4 * floor(N / 4). NULL: there are none, or nothing else. */
static const struct affine *without_counts(const struct knowing *knowing, const struct affine *affine)
{
    const struct affine *less = affine;
    int64_t low, high;

    if (is_sum_of_vars(affine))
        return NULL;
    for (int k = 0; k < affine->n_term && less; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, term};
        if (term->atom->kind != ATOM_VAR || term->factor < 0)
            continue;
        shape_range(knowing->load, term->atom->var, &low, &high);
        less = low >= 0 ? affine_sub(knowing->arena, less, &one) : less;
    }
    return less != affine ? less : NULL;
}

/* The same, in a few steps that are not counted. */
static bool is_known_without_counts(struct knowing *knowing, const struct affine *affine, int steps)
{
    const struct affine *less = without_counts(knowing, affine);
    const int left = knowing->left;
    bool known;

    if (!less)
        return false;
    knowing->left = left < FEW_LOOKS ? left : FEW_LOOKS;
    known = is_known(knowing, less, steps);
    knowing->left = left;
    return known;
}

/* Is it seen at a point that the affine is below 0? */
static bool is_wrong(struct knowing *knowing, const struct affine *affine)
{
    if (!knowing->found) {
        knowing->points = stored_points(knowing->load, knowing->more);
        if (knowing->points == 0 && knowing->left > LOOKS_OF_NOTHING)
            knowing->left = LOOKS_OF_NOTHING;
    }
    knowing->found = true;
    return stored_fails(knowing->load, knowing->points, affine);
}

static bool is_known(struct knowing *knowing, const struct affine *affine, int steps)
{
    const struct affine *less;
    int64_t constant;

    if (!affine || affine_is_constant(affine, &constant))
        return affine && constant >= 0;
    if (knowing->left-- <= 0)
        return false;
    if (is_wrong(knowing, affine))
        return false;
    if (is_told(knowing, affine, false))
        return true;
    if (steps > 0 && is_known_without_counts(knowing, affine, steps - 1))
        return true;
    less = steps > 0 ? divided(knowing->arena, affine) : NULL;
    if (less && is_known(knowing, less, steps - 1))
        return true;
    for (int k = 0; k < affine->n_term && steps > 0; k++) {
        const struct affine_term *term = &affine->term[k];
        if (term->atom->kind == ATOM_MIN || term->atom->kind == ATOM_MAX)
            return is_known_of_each(knowing, affine, term, steps - 1);
        less = term->atom->kind == ATOM_FLOOR ? without_quotient(knowing->arena, affine, term) : NULL;
        if (less && is_known(knowing, less, steps - 1))
            return true;
        if (term->atom->kind == ATOM_FLOOR &&
            (follows_from_quotient(knowing, affine, term, knowing->more, steps - 1) ||
             follows_from_quotient(knowing, affine, term, &knowing->load->condition, steps - 1)))
            return true;
    }
    return steps > 0 && is_sum_of_vars(affine) &&
           (follows_from_other(knowing, affine, &knowing->load->condition, steps - 1) ||
            follows_from_other(knowing, affine, knowing->more, steps - 1));
}

static bool find_known(struct arena *arena, const struct shape *load, const condition_vec *more,
                       const struct affine *affine, bool equal)
{
    const struct arena_mark mark = arena_mark(arena);
    struct knowing knowing = {.arena = arena,
                              .load = load,
                              .more = more,
                              .left = MOST_LOOKS,
                              .condition = {&load->condition, NULL},
                              .implied = {&load->implied, NULL},
                              .besides = {more, NULL}};
    int64_t constant;
    bool known;

    if (!equal)
        known = is_known(&knowing, affine, MOST_STEPS);
    else if (affine_is_constant(affine, &constant))
        known = constant == 0;
    else
        known = is_told(&knowing, affine, true) || (is_known(&knowing, affine, MOST_STEPS) &&
                                                    is_known(&knowing, affine_scale(arena, affine, -1), MOST_STEPS));
    arena_rewind(arena, mark);
    return known;
}

bool stored_known(struct arena *arena, const struct shape *load, const condition_vec *more, const struct affine *affine,
                  bool equal)
{
    struct found *found = more->n == 0 ? load->found : NULL;
    bool known;

    for (int k = 0; affine && found && k < found->answer.n; k++)
        if (found->answer.at[k].equal == equal && affine_equal(found->answer.at[k].affine, affine))
            return found->answer.at[k].known;
    known = affine && find_known(arena, load, more, affine, equal);
    if (affine && found)
        VEC_PUSH(arena, &found->answer, ((struct answer){affine, equal, known}));
    return known;
}

/* What floor(E / d) is, where conditions say d * R <= E <= d * R + d - 1: R; NULL: none do. */
static const struct affine *told_quotient(const struct shape *shape, const struct atom *atom)
{
    struct arena *arena = shape->arena;
    const struct affine *arg = atom->arg[0];

    for (int k = 0; k < shape->condition.n; k++) {
        const struct affine *most = affine_add(arena, shape->condition.at[k].affine, arg);
        const struct affine *least = most ? affine_add_constant(arena, most, 1 - atom->divisor) : NULL;
        const struct affine *quotient = least ? affine_floor(arena, least, atom->divisor) : NULL;
        const struct affine *times = quotient ? affine_scale(arena, quotient, atom->divisor) : NULL;
        if (times && affine_equal(times, least) &&
            stored_known(arena, shape, &(condition_vec){0}, affine_sub(arena, arg, times), false))
            return quotient;
    }
    return NULL;
}

/* affine with R for the first quotient that conditions tell to be R, another one; NULL: there is none. */
static const struct affine *with_told(const struct shape *shape, const struct affine *affine)
{
    struct arena *arena = shape->arena;

    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, term};
        const struct affine *quotient = term->atom->kind == ATOM_FLOOR ? told_quotient(shape, term->atom) : NULL;
        const struct affine *told =
            quotient ? affine_combine(arena, affine_sub(arena, affine, &one), 1, quotient, term->factor) : NULL;
        if (told && !affine_equal(told, affine))
            return told;
    }
    return NULL;
}

void stored_tell_quotients(struct shape *shape)
{
    for (int d = 0; d < shape->n_argument; d++) {
        const struct affine *told = with_told(shape, shape->argument[d]);
        for (int step = 0; step < MOST_TOLD && told; step++) {
            shape->argument[d] = told;
            told = with_told(shape, told);
        }
    }
}
