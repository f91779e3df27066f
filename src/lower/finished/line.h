/* A leaf of one dimension as a line: all numbers between two ends.
 *
 *     8 * c1 + c2, c1 >= 0, 8 * c1 <= N - 8, 0 <= c2 <= 7         0 .. 8 * floor(N / 8) - 1
 *
 * Its counts must be the digits of one number, the last ones from 0 to one less than what the one before counts in, and
 * each limit must be of the first digits of it.
 */
#ifndef LOWER_FINISHED_LINE_H
#define LOWER_FINISHED_LINE_H

#include "lower/finished/least.h"
#include "lower/finished/same_lines.h"

typedef VEC(const struct affine *) affine_vec;

/* All numbers that are at least each of low, and at most each of high, where all gates hold. */
struct line {
    affine_vec low, high;
    VEC(struct condition) gate;
};

enum { MOST_DIGITS = 8 };

/* A count of the leaf: the number has `factor` of it, it is a digit from 0 to last. */
struct digit {
    const struct var *count;
    int64_t factor, last;
    bool from_0;
};

/* What is read. */
struct line_reading {
    struct arena *arena;
    struct least known; /* around */
    const struct side *side;
    const struct leaf *leaf;
    const struct affine *base;       /* the number without its digits */
    struct digit digit[MOST_DIGITS]; /* largest factor first */
    int n_digit;
    struct line line;
};

/* Does the affine have a count of the leaf? */
bool line_has_own(const struct line_reading *reading, const struct affine *affine);
/* Sets reading->line to the numbers that the leaf's argument is. False: it is no such line. */
bool line_read(struct line_reading *reading, const struct affine *argument);
/* Do both lists bound the same, one by one or with their minima and maxima split? */
bool line_same_ends(struct arena *arena, const affine_vec *a, const affine_vec *b, bool high);
bool line_same_gates(const struct line *a, const struct line *b);
/* Is affine one of the list, or of its parts where `parts` is set? */
bool line_has(struct arena *arena, const affine_vec *list, bool high, bool parts, const struct affine *affine);

#endif
