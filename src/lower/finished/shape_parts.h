/* What makes up a shape (shape.h): it is read from a leaf (shape_read.c), and changed step by step (shape.c). */
#ifndef LOWER_FINISHED_SHAPE_PARTS_H
#define LOWER_FINISHED_SHAPE_PARTS_H

#include "lower/finished/shape.h"

/* A count and what becomes of it. */
struct replacing {
    const struct var *var; /* NULL: none does */
    const struct affine *by;
    const struct affine *quotient; /* in the place of floor(var / divisor); NULL: no quotient is replaced */
    int64_t divisor;
};

typedef bool shape_see_function(const struct affine *affine, void *user);

/* The shape of the leaf as it is. False: it has too many counts, or digits that are not those of all numbers. */
bool shape_read(struct arena *arena, const struct side *side, const struct leaf *leaf, int first_id,
                struct shape *shape);
/* Adds affine >= 0, or = 0, to the conditions. A minimum is at least 0 where all that it is of is. */
void shape_add_condition(struct arena *arena, const struct affine *affine, bool equal, condition_vec *conditions);
/* Adds what a limit of a way says, as far as that is conditions all of which hold. False: it is not. */
bool shape_add_limit(struct arena *arena, const struct way *limit, condition_vec *conditions);
/* Adds what the condition says of the dividends of its quotients. */
void shape_tell_dividends(struct arena *arena, const struct condition *condition, condition_vec *implied);
/* Takes conditions that say 0 <= c <= a constant, of a count, out of the list: they are its range. */
void shape_find_ranges(struct shape *shape);
bool shape_add_count(struct shape *shape, const struct var *var);
/* The shape with expressions of its own. */
struct shape shape_copied(const struct shape *shape);
/* The affine with numbers in the place of quotients that have one value only. */
const struct affine *shape_settled(const struct shape *shape, const struct affine *affine);
/* Calls function on all expressions; false once it says so. */
bool shape_see(const struct shape *shape, shape_see_function *function, void *user);
bool shape_uses(const struct shape *shape, const struct var *var);
/* Is the atom floor(var / divisor)? */
bool shape_is_quotient(const struct atom *atom, const struct var *var, int64_t divisor);
/* Replaces it in all expressions, and quotients that have one value by that. False: numbers are too large. */
bool shape_change(struct shape *shape, const struct replacing *replacing);

#endif
