#include "lower/prove/solve_counts.h"

bool solve_is_tile(const struct loop_info *own, const struct loop_info *outer)
{
    return !own->offset && own->stride >= 1 && outer->stride > own->stride && outer->stride % own->stride == 0;
}

void solve_add_tile(const struct solving_counts *s, int index, const struct loop_info *outer, struct system *rows)
{
    const int column = s->counts->n_param + index;
    int64_t *first = ARENA_ARRAY(rows->arena, rows->n + 1, int64_t),
            *last = ARENA_ARRAY(rows->arena, rows->n + 1, int64_t);

    first[column] = 1;
    last[column] = -1;
    last[rows->n] = outer->stride / s->loop[index]->info->stride - 1;
    system_add(rows, first, false, false);
    system_add(rows, last, false, false);
}

/* A count without a loop around that the row has the coefficient 1 or -1 for; -1: none. */
static int gone_column(const struct solving_counts *s, const int64_t *row)
{
    for (int k = 0; k < s->counts->n_loop; k++) {
        const int column = s->counts->n_param + k;
        if (!s->entered[k] && (row[column] == 1 || row[column] == -1))
            return column;
    }
    return -1;
}

/* Solves one of the equations for such a count, and takes that out of them; false where none can be. */
static bool solve_one(const struct solving_counts *s, struct system *equation, struct part_rows *part)
{
    for (int k = 0; k < equation->row.n; k++) {
        const struct row by = equation->row.at[k];
        const int column = gone_column(s, by.at);
        if (column < 0)
            continue;
        system_substitute(equation, by.at, column);
        system_substitute(&part->gone, by.at, column);
        part->column[part->gone.row.n] = column;
        VEC_PUSH(equation->arena, &part->gone.row, by);
        return true;
    }
    return false;
}

/* What all instances have in common, as a count that is the same for all. */
static struct system common_equations(const struct solving_counts *s)
{
    const struct system *known = &s->counts->known;
    struct system equation = system_new(known->arena, known->n);

    for (int k = 0; k < known->row.n; k++)
        if (known->row.at[k].equal)
            system_add(&equation, known->row.at[k].at, true, false);
    return equation;
}

/* Is the count, which no loop tells, the outer digit of a number that the part has solved for the inner one? Adds that
 * this one is a digit. */
static bool is_outer_digit(const struct solving_counts *s, int outer, struct part_rows *part)
{
    for (int k = 0; k < part->gone.row.n; k++) {
        const int inner = part->column[k] - s->counts->n_param;
        const struct loop_info *own = s->loop[inner]->info, *around = s->loop[outer]->info;
        const int64_t *by = part->gone.row.at[k].at;
        if (own->outer != around->id || !solve_is_tile(own, around) ||
            by[s->counts->n_param + outer] != by[part->column[k]] * (around->stride / own->stride))
            continue;
        part->row = system_copy(&part->row);
        solve_add_tile(s, inner, around, &part->row);
        system_substitute(&part->row, by, part->column[k]);
        return !part->row.failed;
    }
    return false;
}

static bool is_gone(const struct solving_counts *s, const struct part_rows *part, int loop)
{
    for (int k = 0; k < part->gone.row.n; k++)
        if (part->column[k] == s->counts->n_param + loop)
            return true;
    return false;
}

bool solve_counts(const struct solving_counts *s, struct system equation, struct part_rows *part)
{
    struct system common = common_equations(s);
    bool all = true;
    int n_gone;

    part->gone = system_new(equation.arena, equation.n);
    part->column = ARENA_ARRAY(equation.arena, s->counts->n_loop + 1, int);
    while (solve_one(s, &common, part))
        ;
    for (int k = 0; k < part->gone.row.n; k++)
        system_substitute(&equation, part->gone.row.at[k].at, part->column[k]);
    n_gone = part->gone.row.n;
    while (solve_one(s, &equation, part))
        n_gone++;
    for (int k = 0; k < s->counts->n_loop && all; k++)
        all = s->entered[k] || is_gone(s, part, k) || is_outer_digit(s, k, part);
    return all && !equation.failed && !equation.empty && !part->gone.failed && part->gone.row.n == n_gone &&
           equation.row.n == 0;
}
