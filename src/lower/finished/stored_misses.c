/* Is some iteration of a load in no part of what is stored, or does something not hold in it, so that nobody need look
 * for why it would? The first one of all loops is tried, at large sizes and at some that are less than tiles: where
 * these are none of the load's, nothing is said. */
#include "lower/finished/same_stored.h"

/* Of all parameters: a number that most tiles divide, and small ones. */
static const int64_t size[] = {80640, 1, 5, 13, 29, 77};

struct point {
    const struct shape *load;
    int64_t size;
    bool failed;
};

static int64_t value_of(struct point *point, const struct affine *affine);

static int64_t value_of_atom(struct point *point, const struct atom *atom)
{
    int64_t value, low, high;

    if (atom->kind == ATOM_VAR && atom->var->kind == VAR_PARAM)
        return point->size;
    if (atom->kind == ATOM_VAR) {
        shape_range(point->load, atom->var, &low, &high);
        return low == INT64_MIN ? 0 : low;
    }
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

static bool misses_at(struct point *point, const stored_part_vec *parts)
{
    const struct shape *load = point->load;

    if (!all_hold(point, load->condition.at, load->condition.n) ||
        !all_hold(point, load->implied.at, load->implied.n) || !within_limits(point))
        return false;
    for (int k = 0; k < parts->n; k++)
        if (all_hold(point, parts->at[k].condition.at, parts->at[k].condition.n))
            return false;
    return !point->failed;
}

bool stored_fails(const struct shape *load, const condition_vec *more, const struct affine *affine)
{
    bool fails = false;

    for (int k = 0; k < (int)(sizeof(size) / sizeof(size[0])) && !fails; k++) {
        struct point point = {load, size[k], false};
        fails = value_of(&point, affine) < 0 && all_hold(&point, load->condition.at, load->condition.n) &&
                all_hold(&point, load->implied.at, load->implied.n) && all_hold(&point, more->at, more->n) &&
                !point.failed;
    }
    return fails;
}

bool stored_misses(const struct shape *load, const stored_part_vec *parts)
{
    for (int k = 0; k < (int)(sizeof(size) / sizeof(size[0])); k++)
        if (misses_at(&(struct point){load, size[k], false}, parts))
            return true;
    return false;
}
