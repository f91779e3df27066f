#include "lower/loops/counts.h"

#include <isl/aff.h>
#include <isl/space.h>
#include <isl/val.h>

/* More divisions than loops have, and more rows than become readable bounds. */
enum { MOST_FLOORS = 48, MOST_ROWS = 96 };

/* Solving for the coordinates and divisions, whose columns are behind those of the counts. */
struct solving {
    struct lowering *lowering;
    const struct statement *statement;
    int n_param, first;                /* first: the column of the first coordinate */
    int width, n_floor;                /* columns of all, divisions so far */
    struct system known;               /* what holds of them */
    struct system times;               /* count = .. */
    const int64_t *floor[MOST_FLOORS]; /* what is divided, over all columns */
    int64_t divisor[MOST_FLOORS];
};

static bool read_aff(struct solving *s, __isl_keep isl_aff *aff, int64_t *row);

/* The column of floor(operand / divisor). */
static int floor_column(struct solving *s, const int64_t *operand, int64_t divisor)
{
    const int last = s->first + s->statement->n_loop;

    for (int k = 0; k < s->n_floor; k++)
        if (s->divisor[k] == divisor && memcmp(s->floor[k], operand, (size_t)(s->width + 1) * sizeof(*operand)) == 0)
            return last + k;
    if (s->n_floor == MOST_FLOORS)
        return -1;
    s->floor[s->n_floor] = operand;
    s->divisor[s->n_floor] = divisor;
    return last + s->n_floor++;
}

/* Adds factor times the division of aff at `position` to row. */
static bool add_floor(struct solving *s, __isl_keep isl_aff *aff, int position, int64_t factor, int64_t *row)
{
    isl_aff *div = isl_aff_get_div(aff, position);
    int64_t *operand = ARENA_ARRAY(s->lowering->arena, s->width + 1, int64_t);
    isl_val *denominator = isl_aff_get_denominator_val(div);
    int64_t divisor;
    int column = -1;

    div = isl_aff_scale_val(div, isl_val_copy(denominator));
    if (counts_number(denominator, &divisor) && read_aff(s, div, operand))
        column = floor_column(s, operand, divisor);
    isl_aff_free(div);
    if (column >= 0)
        row[column] += factor;
    return column >= 0;
}

static bool read_coefficients(struct solving *s, __isl_keep isl_aff *aff, enum isl_dim_type type, int64_t *row)
{
    const int n = (int)isl_aff_dim(aff, type);
    bool fits = true;

    for (int k = 0; k < n && fits; k++) {
        int64_t number;
        fits = counts_number(isl_aff_get_coefficient_val(aff, type, k), &number);
        if (number == 0 || !fits)
            continue;
        if (type == isl_dim_div)
            fits = add_floor(s, aff, k, number, row);
        else if (type == isl_dim_in)
            row[s->first + k] = number;
        else
            row[counts_param_column(s->lowering->program, isl_aff_get_dim_name(aff, type, (unsigned)k))] = number;
    }
    return fits;
}

/* row becomes aff, without fractions. */
static bool read_aff(struct solving *s, __isl_keep isl_aff *aff, int64_t *row)
{
    return counts_number(isl_aff_get_constant_val(aff), &row[s->width]) &&
           read_coefficients(s, aff, isl_dim_param, row) && read_coefficients(s, aff, isl_dim_in, row) &&
           read_coefficients(s, aff, isl_dim_div, row);
}

static isl_stat take_piece(__isl_take isl_set *where, __isl_take isl_aff *aff, void *user)
{
    isl_set_free(where);
    *(isl_aff **)user = aff;
    return isl_stat_ok;
}

/* count of the loop = what it is of the statement's coordinates. */
static bool read_time(struct solving *s, const struct order *loop, int column)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(s->statement->domain));
    isl_pw_aff *time = isl_union_pw_aff_extract_pw_aff(loop->time, isl_space_add_dims(space, isl_dim_out, 1));
    int64_t *row = ARENA_ARRAY(s->lowering->arena, s->width + 1, int64_t);
    isl_aff *aff = NULL;
    bool read = isl_pw_aff_n_piece(time) == 1 && isl_pw_aff_foreach_piece(time, take_piece, &aff) == isl_stat_ok;

    read = read && read_aff(s, aff, row);
    row[column] -= 1;
    if (read)
        system_add(&s->times, row, true, false);
    isl_aff_free(aff);
    isl_pw_aff_free(time);
    return read;
}

/* 0 <= operand - divisor * floor < divisor */
static void define_floors(struct solving *s)
{
    const int first = s->first + s->statement->n_loop;

    for (int k = 0; k < s->n_floor; k++) {
        int64_t *row = ARENA_ARRAY(s->lowering->arena, s->width + 1, int64_t);
        memcpy(row, s->floor[k], (size_t)(s->width + 1) * sizeof(*row));
        row[first + k] -= s->divisor[k];
        system_add(&s->known, row, false, false);
        for (int c = 0; c <= s->width; c++)
            row[c] = -row[c];
        row[s->width] += s->divisor[k] - 1;
        system_add(&s->known, row, false, false);
    }
}

/* A column from `first` on for which row has the coefficient 1 or -1; -1: none. */
static int unit_column(const int64_t *row, int first, int width)
{
    for (int c = first; c < width; c++)
        if (row[c] == 1 || row[c] == -1)
            return c;
    return -1;
}

/* Takes the column that row k is solved for out of everything else. */
static bool take_out(struct solving *s, const int64_t **row, int n_row, int k, int column)
{
    for (int other = 0; other < n_row; other++)
        if (other != k && !(row[other] = row_without(s->lowering->arena, s->width, row[other], row[k], column)))
            return false;
    system_substitute(&s->known, row[k], column);
    return !s->known.failed;
}

/* Solves the times for coordinates and divisions; pivot[k] is the column of row k, or -1: it is about counts only. */
static bool solve_times(struct solving *s, const int64_t **row, int n_row, int *pivot)
{
    bool more = true;

    for (int k = 0; k < n_row; k++)
        pivot[k] = -1;
    while (more) {
        more = false;
        for (int k = 0; k < n_row; k++) {
            const int column = pivot[k] < 0 ? unit_column(row[k], s->first, s->width) : -1;
            if (column < 0)
                continue;
            pivot[k] = column;
            more = true;
            if (!take_out(s, row, n_row, k, column))
                return false;
        }
    }
    return true;
}

/* column = ..: row less what it says of the column, which is 0 there. */
static const int64_t *value_of(struct solving *s, const int64_t *row, int column)
{
    const int64_t sign = row[column];
    int64_t *value = ARENA_ARRAY(s->lowering->arena, s->width + 1, int64_t);

    for (int c = 0; c <= s->width; c++)
        value[c] = c == column ? 0 : -sign * row[c];
    return row_last(value, s->width) < s->first ? value : NULL;
}

/* What each coordinate is, by counts and parameters; false where one of them, or a division, is not known. */
static bool solve(struct solving *s, const int64_t **argument)
{
    const int n_row = s->times.row.n, n = s->statement->n_loop;
    const int64_t **row = ARENA_ARRAY(s->lowering->arena, n_row + 1, const int64_t *);
    int *pivot = ARENA_ARRAY(s->lowering->arena, n_row + 1, int);

    for (int k = 0; k < n_row; k++)
        row[k] = s->times.row.at[k].at;
    if (!solve_times(s, row, n_row, pivot))
        return false;
    for (int k = 0; k < n_row; k++)
        if (pivot[k] < 0)
            system_add(&s->known, row[k], true, false);
        else if (pivot[k] < s->first + n)
            argument[pivot[k] - s->first] = value_of(s, row[k], pivot[k]);
    for (int k = 0; k < n; k++)
        if (!argument[k])
            return false;
    for (int k = 0; k < s->known.row.n; k++)
        if (row_last(s->known.row.at[k].at, s->width) >= s->first)
            return false;
    return true;
}

/* An equation that says what the count in the column is; NULL: there is none. */
static const int64_t *equation_of(const struct system *system, int column)
{
    for (int k = 0; k < system->row.n; k++) {
        const struct row *row = &system->row.at[k];
        if (row->equal && (row->at[column] == 1 || row->at[column] == -1))
            return row->at;
    }
    return NULL;
}

/* The rows that have the column, which is then taken out. */
static bool take_bounds(struct system *rest, int column, struct system *bound)
{
    const int64_t *equation = equation_of(rest, column);

    for (int k = 0; k < rest->row.n; k++)
        if (rest->row.at[k].at[column] != 0)
            system_add(bound, rest->row.at[k].at, rest->row.at[k].equal, rest->row.at[k].derived);
    if (equation) {
        system_substitute(rest, equation, column);
        *bound = system_new(rest->arena, rest->n);
        system_add(bound, equation, true, false);
        return !rest->failed;
    }
    return system_eliminate(rest, column) && rest->row.n <= MOST_ROWS;
}

/* Two inequalities that leave one value make an equation. */
static void find_equations(struct system *system)
{
    const int n = system->row.n;

    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            const int64_t *sum =
                row_combine(system->arena, system->n, system->row.at[a].at, 1, system->row.at[b].at, 1);
            if (sum && !system->row.at[a].equal && row_last(sum, system->n) < 0 && sum[system->n] == 0)
                system_add(system, system->row.at[a].at, true, false);
        }
}

static bool make_bounds(const struct system *known, struct counts *counts)
{
    struct system rest = *known;

    for (int k = counts->n_loop - 1; k >= 0; k--) {
        counts->bound[k] = system_new(known->arena, known->n);
        system_prune(&rest, counts->n_param);
        find_equations(&rest);
        if (!take_bounds(&rest, counts->n_param + k, &counts->bound[k]))
            return false;
    }
    counts->guard = rest;
    counts->empty = rest.empty;
    return !rest.failed;
}

/* Does rows.row.at[skip] follow from what is known and the other rows? */
static bool is_needless(const struct system *known, const struct system *rows, const bool *dropped, int skip)
{
    struct system others = system_copy(known);

    for (int k = 0; k < rows->row.n; k++)
        if (k != skip && !dropped[k])
            VEC_PUSH(others.arena, &others.row, rows->row.at[k]);
    return system_shows_by_two(&others, system_box(&others), rows->row.at[skip].at);
}

/* bound without rows that follow from what is known and the others. */
static struct system tightest(const struct system *known, const struct system *bound)
{
    bool *dropped = ARENA_ARRAY(bound->arena, bound->row.n + 1, bool);
    struct system kept = system_new(bound->arena, bound->n);

    for (int k = 0; k < bound->row.n; k++)
        dropped[k] = !bound->row.at[k].equal && is_needless(known, bound, dropped, k);
    for (int k = 0; k < bound->row.n; k++)
        if (!dropped[k])
            VEC_PUSH(kept.arena, &kept.row, bound->row.at[k]);
    return kept;
}

/* Do the counts of loops further out go through the bound in its own steps? Where they do not, as with an inner part
 * outside of what it is a part of, the bound is not what one would write. */
static bool is_even(const struct counts *counts, const int64_t *row, int column)
{
    for (int c = counts->n_param; c < column; c++)
        if (row[c] % row[column] != 0)
            return false;
    return true;
}

/* False where a bound is not even. */
static bool tighten(const struct system *context, struct counts *counts)
{
    struct system known = system_copy(context);

    for (int k = 0; k < counts->n_loop; k++) {
        counts->bound[k] = tightest(&known, &counts->bound[k]);
        for (int r = 0; r < counts->bound[k].row.n; r++) {
            if (!is_even(counts, counts->bound[k].row.at[r].at, counts->n_param + k))
                return false;
            VEC_PUSH(known.arena, &known.row, counts->bound[k].row.at[r]);
        }
    }
    return true;
}

/* The row in fewer columns. */
static struct system narrowed(const struct system *system, int width)
{
    struct system narrow = system_new(system->arena, width);

    for (int k = 0; k < system->row.n; k++) {
        int64_t *at = ARENA_ARRAY(system->arena, width + 1, int64_t);
        memcpy(at, system->row.at[k].at, (size_t)width * sizeof(*at));
        at[width] = system->row.at[k].at[system->n];
        system_add(&narrow, at, system->row.at[k].equal, false);
    }
    narrow.empty = narrow.empty || system->empty;
    return narrow;
}

static const int64_t *narrowed_row(struct arena *arena, const int64_t *row, int n, int width)
{
    int64_t *narrow = ARENA_ARRAY(arena, width + 1, int64_t);

    memcpy(narrow, row, (size_t)width * sizeof(*narrow));
    narrow[width] = row[n];
    return narrow;
}

static bool read_leaf(struct solving *s, __isl_keep isl_set *instances, const struct order *const *loop, int n_loop)
{
    if (!counts_add_set(s->lowering->program, instances, s->first, &s->known))
        return false;
    for (int k = 0; k < n_loop; k++)
        if (!read_time(s, loop[k], s->n_param + k))
            return false;
    define_floors(s);
    for (int k = 0; k < s->known.row.n; k++)
        if (s->known.row.at[k].equal)
            system_add(&s->times, s->known.row.at[k].at, true, false);
    return true;
}

bool counts_of_leaf(struct lowering *lowering, const struct order *leaf, __isl_keep isl_set *instances,
                    const struct order *const *loop, int n_loop, int width, struct counts *counts)
{
    struct arena *arena = lowering->arena;
    const int n = leaf->statement->n_loop, n_param = lowering->program->n_param;
    const int64_t **argument = ARENA_ARRAY(arena, n + 1, const int64_t *);
    struct solving s = {.lowering = lowering,
                        .statement = leaf->statement,
                        .n_param = n_param,
                        .first = width,
                        .width = width + n + MOST_FLOORS};

    *counts = (struct counts){.leaf = leaf, .n_param = n_param, .n_loop = n_loop, .argument = argument};
    s.known = system_new(arena, s.width);
    s.times = system_new(arena, s.width);
    if (!read_leaf(&s, instances, loop, n_loop) || !solve(&s, argument))
        return false;
    for (int k = 0; k < n; k++)
        argument[k] = narrowed_row(arena, argument[k], s.width, width);
    counts->known = narrowed(&s.known, width);
    return true;
}

bool counts_bounds(struct counts *counts, const struct system *context)
{
    counts->bound = ARENA_ARRAY(context->arena, counts->n_loop + 1, struct system);
    if (!make_bounds(&counts->known, counts))
        return false;
    return tighten(context, counts);
}
