/* Systems of linear constraints over whole numbers, in numbers of 64 bits.
 *
 * For the systems that loops are made of, a dozen constraints most of which say that a count is from 0 to a constant,
 * this decides in a fraction of the time that isl takes. Everything here says no where it does not see at once, and
 * where numbers became too large.
 *
 * A row is n coefficients and the constant behind them: sum + constant >= 0, or == 0. Rows are reduced by the greatest
 * divisor of their coefficients, so that an inequality is as tight as whole numbers make it. Of inequalities with the
 * same coefficients only the tightest is kept.
 */
#ifndef POLY_SYSTEM_H
#define POLY_SYSTEM_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct row {
    const int64_t *at; /* coefficients of the columns, and the constant */
    bool equal;
    bool derived; /* found by eliminating a column from others */
};

struct system {
    struct arena *arena;
    int n; /* columns */
    VEC(struct row) row;
    bool empty;  /* nothing fulfils it */
    bool failed; /* a number became too large: rows are missing */
};

/* The numbers that a column can be. */
struct interval {
    int64_t low, high; /* INT64_MIN, INT64_MAX: no such bound is known */
};

struct system system_new(struct arena *arena, int n);
/* The same rows, to be changed apart. */
struct system system_copy(const struct system *system);

/* Adds a row, reduced; `at` is copied. */
void system_add(struct system *system, const int64_t *at, bool equal, bool derived);

/* fa * a + fb * b over n columns and the constant, in the arena; NULL where a number is too large. */
const int64_t *row_combine(struct arena *arena, int n, const int64_t *a, int64_t fa, const int64_t *b, int64_t fb);
/* row without the column, which the equation `by` has the coefficient 1 or -1 for; NULL where a number is too large. */
const int64_t *row_without(struct arena *arena, int n, const int64_t *row, const int64_t *by, int column);
/* The last of the columns before `end` that the row has a coefficient for; -1: none. */
int row_last(const int64_t *row, int end);

/* Replaces the column by what the equation `by`, which has the coefficient 1 or -1 for it, says it is. */
void system_substitute(struct system *system, const int64_t *by, int column);
/* Takes the column out: what is left holds exactly where some whole number of the column fulfils all. False where that
 * is not seen, or an equation has the column; the system is then of no use. */
bool system_eliminate(struct system *system, int column);

/* What the rows, one at a time, say of each column; system->n of them, in the arena. */
struct interval *system_box(const struct system *system);
/* Drops inequalities on columns from `first` on that follow from the ranges of single columns, which become rows. A
 * column in steps of columns further in has one row for each level otherwise, and eliminating multiplies them. */
void system_prune(struct system *system, int first);
/* The least value of a row in the box; INT64_MIN: none is known. */
int64_t row_least(const int64_t *row, int n, const struct interval *box);
/* Is the inequality a row that follows from the box, or from the box and one row of the system? */
bool system_shows(const struct system *system, const struct interval *box, const int64_t *row);
/* The same with two rows. */
bool system_shows_by_two(const struct system *system, const struct interval *box, const int64_t *row);

#endif
