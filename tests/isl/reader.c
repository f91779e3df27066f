/* isl's sets at a point. */
#include "points.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/mat.h>
#include <isl/point.h>
#include <isl/val.h>

#include <stdlib.h>

enum { MOST_DIVS = 12, WIDTH = 1 + COLUMNS + MOST_DIVS };

struct basic {
    int n_div, n_equal, n_row;
    long (*div)[WIDTH + 1]; /* floor(row / the last number) */
    long (*row)[WIDTH];     /* the equations first */
};

struct reader {
    isl_set *set;
    struct basic *basic;
    int n, n_dim;
    bool known; /* all quotients have definitions */
};

static long number(__isl_take isl_val *value)
{
    const long result = isl_val_get_num_si(value);

    isl_val_free(value);
    return result;
}

static void read_rows(long (*row)[WIDTH], __isl_take isl_mat *matrix)
{
    const int n = (int)isl_mat_rows(matrix), width = (int)isl_mat_cols(matrix);

    for (int k = 0; k < n; k++)
        for (int c = 0; c < width; c++)
            row[k][c] = number(isl_mat_get_element_val(matrix, k, c));
    isl_mat_free(matrix);
}

static long scaled(__isl_take isl_val *value, __isl_keep isl_val *by)
{
    return number(isl_val_mul(value, isl_val_copy(by)));
}

/* False where the quotient has no definition. */
static bool read_div(const struct reader *reader, long *row, __isl_take isl_aff *div, int k)
{
    const bool known = div && isl_aff_is_nan(div) == isl_bool_false;

    if (known) {
        isl_val *by = isl_aff_get_denominator_val(div);
        row[WIDTH] = number(isl_val_copy(by));
        row[0] = scaled(isl_aff_get_constant_val(div), by);
        row[1] = scaled(isl_aff_get_coefficient_val(div, isl_dim_param, 0), by);
        for (int d = 0; d < reader->n_dim; d++)
            row[2 + d] = scaled(isl_aff_get_coefficient_val(div, isl_dim_in, d), by);
        for (int d = 0; d < k; d++)
            row[2 + reader->n_dim + d] = scaled(isl_aff_get_coefficient_val(div, isl_dim_div, d), by);
        isl_val_free(by);
    }
    isl_aff_free(div);
    return known;
}

static isl_stat read_basic(__isl_take isl_basic_set *set, void *user)
{
    struct reader *reader = user;
    struct basic *basic = &reader->basic[reader->n++];
    isl_local_space *space = isl_basic_set_get_local_space(set);
    isl_mat *equal, *other;

    equal = isl_basic_set_equalities_matrix(set, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div);
    other = isl_basic_set_inequalities_matrix(set, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div);
    basic->n_div = (int)isl_basic_set_dim(set, isl_dim_div);
    basic->n_equal = (int)isl_mat_rows(equal);
    basic->n_row = basic->n_equal + (int)isl_mat_rows(other);
    basic->row = calloc((size_t)basic->n_row + 1, sizeof(*basic->row));
    basic->div = calloc((size_t)basic->n_div + 1, sizeof(*basic->div));
    if (basic->n_div > MOST_DIVS || !basic->row || !basic->div)
        abort();
    read_rows(basic->row, equal);
    read_rows(basic->row + basic->n_equal, other);
    for (int k = 0; k < basic->n_div; k++)
        reader->known = read_div(reader, basic->div[k], isl_local_space_get_div(space, k), k) && reader->known;
    isl_local_space_free(space);
    isl_basic_set_free(set);
    return isl_stat_ok;
}

struct reader *reader_new(__isl_keep isl_set *set, int n_dim)
{
    struct reader *reader = calloc(1, sizeof(*reader));
    const int n = (int)isl_set_n_basic_set(set);

    *reader = (struct reader){.set = isl_set_copy(set), .n_dim = n_dim, .known = true};
    reader->basic = calloc((size_t)n + 1, sizeof(*reader->basic));
    isl_set_foreach_basic_set(set, read_basic, reader);
    return reader;
}

static long value_of(const long *row, const long *x, int n)
{
    long sum = 0;

    for (int k = 0; k < n; k++)
        sum += row[k] * x[k];
    return sum;
}

static bool basic_has(const struct basic *basic, const long *point, int n_dim)
{
    long x[WIDTH] = {1, point[0]};
    int n = 2;

    for (int d = 0; d < n_dim; d++)
        x[n++] = point[1 + d];
    for (int k = 0; k < basic->n_div; k++) {
        const long value = value_of(basic->div[k], x, n), by = basic->div[k][WIDTH];
        x[n++] = value / by - (value % by < 0);
    }
    for (int k = 0; k < basic->n_row; k++) {
        const long value = value_of(basic->row[k], x, n);
        if (k < basic->n_equal ? value != 0 : value < 0)
            return false;
    }
    return true;
}

/* isl's own answer. */
static bool set_has(const struct reader *reader, const long *x)
{
    isl_ctx *ctx = isl_set_get_ctx(reader->set);
    isl_point *point = isl_point_zero(isl_set_get_space(reader->set));
    isl_set *both;
    bool has;

    point = isl_point_set_coordinate_val(point, isl_dim_param, 0, isl_val_int_from_si(ctx, x[0]));
    for (int d = 0; d < reader->n_dim; d++)
        point = isl_point_set_coordinate_val(point, isl_dim_set, d, isl_val_int_from_si(ctx, x[1 + d]));
    both = isl_set_intersect(isl_set_from_point(point), isl_set_copy(reader->set));
    has = isl_set_is_empty(both) == isl_bool_false;
    isl_set_free(both);
    return has;
}

bool reader_has(const struct reader *reader, const long *x)
{
    bool has = false;

    if (!reader->known)
        return set_has(reader, x);
    for (int k = 0; k < reader->n && !has; k++)
        has = basic_has(&reader->basic[k], x, reader->n_dim);
    return has;
}

void reader_free(struct reader *reader)
{
    for (int k = 0; k < reader->n; k++) {
        free(reader->basic[k].row);
        free(reader->basic[k].div);
    }
    isl_set_free(reader->set);
    free(reader->basic);
    free(reader);
}
