/* Is some iteration of a load in no part of what is stored, or does something not hold in it, so that nobody need look
 * for why it would? A few are tried, at large sizes and at some that are less than tiles: where these are none of the
 * load's, nothing is said. */
#include "lower/finished/same_stored.h"

/* About what parameters are: a number that most tiles divide, and small ones. */
static const int64_t size[] = {80640, 1, 5, 13, 29, 77};

/* Of each size: all loops in their first iteration, in the second one, in the last one where that is known; others. */
enum { FIRST, SECOND, LAST, OTHERS, VARIANTS = 5, POINTS = VARIANTS * sizeof(size) / sizeof(size[0]), FEW = 9 };

_Static_assert(POINTS < 32, "a bit for each point");

struct point {
    const struct shape *load;
    int64_t size;
    unsigned variant;
    bool failed;
};

static struct point point_of(const struct shape *load, unsigned k)
{
    return (struct point){load, size[k / VARIANTS], k % VARIANTS, false};
}

static int64_t value_of(struct point *point, const struct affine *affine);

/* Some number below n, for each variable another one. */
static int64_t some_below(const struct point *point, const struct var *var, int64_t n)
{
    const uint64_t mixed = ((uint64_t)var->id + 1) * 0x9E3779B97F4A7C15U * (2 * point->variant + 1);

    return (int64_t)((mixed >> 40) % (uint64_t)n);
}

static int64_t value_of_var(const struct point *point, const struct var *var)
{
    int64_t low, high, few;

    if (var->kind == VAR_PARAM)
        return point->size + (point->variant < OTHERS ? 0 : some_below(point, var, FEW));
    shape_range(point->load, var, &low, &high);
    low = low == INT64_MIN ? 0 : low;
    few = high == INT64_MAX || high - low >= FEW ? FEW : high < low ? 1 : high - low + 1;
    switch (point->variant) {
    case FIRST:
        return low;
    case SECOND:
        return low + (few > 1);
    case LAST:
        return high == INT64_MAX ? low + few : high;
    default:
        return low + some_below(point, var, few);
    }
}

static int64_t value_of_atom(struct point *point, const struct atom *atom)
{
    int64_t value;

    if (atom->kind == ATOM_VAR)
        return value_of_var(point, atom->var);
    value = value_of(point, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return floor_div(value, atom->divisor);
    for (int k = 1; k < atom->n_arg; k++) {
        const int64_t next = value_of(point, atom->arg[k]);
        value = (atom->kind == ATOM_MIN) == (next < value) ? next : value;
    }
    return value;
}

static int64_t value_of(struct point *point, const struct affine *affine)
{
    int64_t sum = affine->constant, product;

    for (int k = 0; k < affine->n_term; k++)
        if (__builtin_mul_overflow(affine->term[k].factor, value_of_atom(point, affine->term[k].atom), &product) ||
            __builtin_add_overflow(sum, product, &sum))
            point->failed = true;
    return sum;
}

static bool all_hold(struct point *point, const struct condition *condition, int n)
{
    for (int k = 0; k < n; k++) {
        const int64_t value = condition[k].affine ? value_of(point, condition[k].affine) : -1;
        if (point->failed || (condition[k].equal ? value != 0 : value < 0))
            return false;
    }
    return true;
}

/* Do the load's limits hold? */
static bool within_limits(struct point *point)
{
    const struct shape *load = point->load;
    int at = 0;

    for (int k = 0; k < load->limit.n; k++) {
        const struct way *limit = load->limit.at[k];
        bool any = false;
        for (int a = 0; a < limit->n_alternative; a++, at++)
            any = any || all_hold(point, load->choice.at[at].condition, load->choice.at[at].n);
        if (any == limit->none)
            return false;
    }
    return true;
}

static unsigned find_points(const struct shape *load)
{
    unsigned points = 0;

    for (unsigned k = 0; k < POINTS; k++) {
        struct point point = point_of(load, k);
        if (all_hold(&point, load->condition.at, load->condition.n) &&
            all_hold(&point, load->implied.at, load->implied.n))
            points |= 1U << k;
    }
    return points;
}

unsigned stored_points(const struct shape *load, const condition_vec *more)
{
    unsigned points;

    points = load->found && load->found->has_points ? load->found->points : find_points(load);
    if (load->found) {
        load->found->has_points = true;
        load->found->points = points;
    }
    for (unsigned k = 0; k < POINTS && more->n > 0; k++) {
        struct point point = point_of(load, k);
        if (points >> k & 1U && !all_hold(&point, more->at, more->n))
            points &= ~(1U << k);
    }
    return points;
}

bool stored_fails(const struct shape *load, unsigned points, const struct affine *affine)
{
    bool fails = false;

    for (unsigned k = 0; k < POINTS && !fails; k++) {
        struct point point = point_of(load, k);
        fails = points >> k & 1U && value_of(&point, affine) < 0 && !point.failed;
    }
    return fails;
}

static bool has_part(struct point *point, const stored_part_vec *parts)
{
    for (int k = 0; k < parts->n; k++)
        if (all_hold(point, parts->at[k].condition.at, parts->at[k].condition.n))
            return true;
    return false;
}

bool stored_misses(const struct shape *load, const stored_part_vec *parts)
{
    const unsigned points = stored_points(load, &(condition_vec){0});
    bool misses = false;

    for (unsigned k = 0; k < POINTS && !misses; k++) {
        struct point point = point_of(load, k);
        misses = k % VARIANTS == FIRST && points >> k & 1U && within_limits(&point) && !has_part(&point, parts) &&
                 !point.failed;
    }
    return misses;
}
