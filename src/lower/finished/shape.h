/* A leaf by itself, its counts in a form in which two can be compared.
 *
 * Counts that are digits of one number everywhere become that number, and a number of which quotient and remainder are
 * used becomes these two, as far as that goes: a copy's elements dealt to threads,
 *
 *     [4 * (x + 16 * y) - 32 * floor((x + 16 * y) / 8), 32 * r + floor((x + 16 * y) / 8)]
 *
 * are [4 * b, a] with b from 0 to 7 and a from 0 to 127, whatever x, y and r were.
 *
 * A number of which only the digits matter (way_digits.c) goes: it is 64 * b + c with c from 0 to 63, of counts that
 * are nowhere else, and the digits are counts.
 */
#ifndef LOWER_FINISHED_SHAPE_H
#define LOWER_FINISHED_SHAPE_H

#include "lower/finished/same_lines.h"

enum { MOST_COUNTS = 48 };

typedef VEC(struct condition) condition_vec;

struct count {
    const struct var *var;
    int64_t last; /* it is from 0 to last; INT64_MAX: that is not so, or not known */
    bool from_0;  /* that is known at least, without a condition that says it */
    bool gone;    /* it has become others */
    bool unended; /* only its digits tell where it begins and ends */
};

/* Conditions, all of which hold in an alternative. */
struct choice {
    struct condition *condition;
    int n;
};

/* Is affine >= 0, or = 0, wherever the shape's conditions hold? */
struct answer {
    const struct affine *affine;
    bool equal, known;
};

/* What has been found out about a shape: iterations in which all conditions hold, as bits (stored_misses.c), and what
 * follows from them (stored_known.c). */
struct found {
    bool has_points;
    unsigned points;
    VEC(struct answer) answer;
};

/* A load and the parts of it that stores have, written so that those that differ in names only are the same; and do the
 * parts have all of the load (stored_parts.c)? */
struct load_in_parts {
    const int64_t *word;
    int n;
    bool has_all;
};

typedef VEC(struct load_in_parts) loads_in_parts;

struct shape {
    struct arena *arena;
    const struct way *around; /* the leaf's, from where its counts begin */
    struct count count[MOST_COUNTS];
    int n, next_id; /* of a new count: those of two shapes are different */
    const struct affine **argument;
    int n_argument;
    condition_vec condition;       /* ranges of counts are none of these */
    condition_vec implied;         /* what holds besides (shape_find_implied); */
    int n_least;                   /* the last ones, where parameters begin */
    VEC(struct choice) choice;     /* alternatives, those of one limit after the other */
    VEC(const struct way *) limit; /* that has them */
    const struct way *digits;      /* of a number that is not counted by itself; NULL: there are none */
    const struct affine *number;   /* that one; NULL: as there are none */
    struct found *found;           /* about the shape as it is; NULL: that is not kept */
    loads_in_parts *in_parts;      /* of all shapes of loads; NULL: not kept */
};

/* The shape of a leaf; new counts get every second identity from first_id downwards. False: it has too many counts, or
 * digits that are not those of all numbers in a box. */
bool shape_of(struct arena *arena, const struct side *side, const struct leaf *leaf, int first_id, struct shape *shape);
/* Sets shape->implied: what holds around, and what conditions say of the dividends of quotients. */
void shape_find_implied(struct shape *shape);
/* The count that var is, if it still is one; else NULL. */
const struct count *shape_count(const struct shape *shape, const struct var *var);
/* The values that a variable has, one of its counts or one around: from *low to *high, INT64_MIN and INT64_MAX where no
 * end is known. */
void shape_range(const struct shape *shape, const struct var *var, int64_t *low, int64_t *high);
/* Its counts of more than one number. */
int shape_counts(const struct shape *shape);

#endif
