/* The rows of a set at a point, and as isl's set. */
#include "points.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

static long floor_of(long a, long b)
{
    return a / b - (a % b < 0);
}

static long linear(const int *a, const long *x)
{
    long sum = a[COLUMNS];

    for (int v = 0; v < COLUMNS; v++)
        sum += a[v] * x[v];
    return sum;
}

static bool row_holds(const struct row *row, const long *x)
{
    const struct quotient *quotient = &row->quotient;
    long value = linear(row->a, x);

    if (quotient->divisor)
        value += quotient->factor * floor_of(linear(quotient->a, x), quotient->divisor);
    return row->equal ? value == 0 : value >= 0;
}

bool points_have(const struct points *points, const long *x)
{
    for (int k = 0; k < points->n; k++) {
        bool all = true;
        for (int r = 0; r < points->piece[k].n; r++)
            all = all && row_holds(&points->piece[k].row[r], x);
        if (all)
            return true;
    }
    return false;
}

bool points_each(int n_dim, bool (*at)(void *user, const long *x), void *user)
{
    const long last = n_dim > 1 ? MOST : 0;

    for (long n = LEAST_N; n <= MOST_N; n++)
        for (long i = LEAST; i <= MOST; i++)
            for (long j = n_dim > 1 ? LEAST : 0; j <= last; j++) {
                const long x[COLUMNS] = {n, i, j};
                if (!at(user, x))
                    return false;
            }
    return true;
}

static __isl_give isl_aff *linear_aff(__isl_keep isl_local_space *space, const int *a)
{
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_copy(space));

    aff = isl_aff_set_constant_si(aff, a[COLUMNS]);
    aff = isl_aff_set_coefficient_si(aff, isl_dim_param, 0, a[0]);
    for (int v = 1; v <= isl_local_space_dim(space, isl_dim_set); v++)
        aff = isl_aff_set_coefficient_si(aff, isl_dim_in, v - 1, a[v]);
    return aff;
}

static __isl_give isl_basic_set *row_set(__isl_keep isl_local_space *space, const struct row *row)
{
    isl_aff *aff = linear_aff(space, row->a);

    if (row->quotient.divisor) {
        isl_aff *quotient = linear_aff(space, row->quotient.a);
        quotient = isl_aff_floor(isl_aff_scale_down_ui(quotient, (unsigned)row->quotient.divisor));
        quotient = isl_aff_scale_val(quotient, isl_val_int_from_si(isl_aff_get_ctx(aff), row->quotient.factor));
        aff = isl_aff_add(aff, quotient);
    }
    if (row->equal)
        return isl_aff_zero_basic_set(aff);
    return isl_aff_ge_basic_set(aff, isl_aff_zero_on_domain(isl_local_space_copy(space)));
}

__isl_give isl_set *points_set(isl_ctx *ctx, const struct points *points)
{
    isl_space *space = isl_space_set_alloc(ctx, 1, (unsigned)points->n_dim);
    isl_local_space *local;
    isl_set *set;

    space = isl_space_set_dim_name(space, isl_dim_param, 0, "N");
    set = isl_set_empty(isl_space_copy(space));
    local = isl_local_space_from_space(isl_space_copy(space));
    for (int k = 0; k < points->n; k++) {
        isl_basic_set *piece = isl_basic_set_universe(isl_space_copy(space));
        for (int r = 0; r < points->piece[k].n; r++)
            piece = isl_basic_set_intersect(piece, row_set(local, &points->piece[k].row[r]));
        set = isl_set_union(set, isl_set_from_basic_set(piece));
    }
    isl_local_space_free(local);
    isl_space_free(space);
    return set;
}
