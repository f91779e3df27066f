/* Bounds of a loop's variable that comparisons of data are.
 *
 *     start[i] + p < start[i + 1]       p ends at start[i + 1] - start[i]
 *
 * A comparison is a sum >= 0 of what is affine and of elements of arrays of integers that nothing writes. Sums of
 * signed integers do not overflow in what C defines; a loop or parameter in a type of 32 bits must be shown to fit.
 */
#ifndef LOWER_BODY_CLIP_BOUND_H
#define LOWER_BODY_CLIP_BOUND_H

#include "base/vec.h"
#include "lower/facts/facts.h"

enum { MOST_LOADS = 2, MOST_NARROW = 4 };

struct signed_load {
    const struct tree_expr *expr;
    int sign;
};

/* affine and n loads. */
struct sum {
    const struct affine *affine;
    struct signed_load load[MOST_LOADS];
    int n;
    const struct affine *narrow[MOST_NARROW]; /* n_narrow parts of it that 32 bits must hold */
    int n_narrow;
};

/* The variable's first value, or (upper) the one past its last. */
struct bound {
    bool upper;
    struct sum sum;
};

typedef VEC(struct bound) bound_list;
typedef VEC(const struct var *) var_list;

/* Sets *sum to what expr, an integer, is; false: it is no such sum. */
bool sum_of(struct arena *arena, const struct tree_expr *expr, struct sum *sum);
/* Are both the same? */
bool sum_equal(const struct sum *a, const struct sum *b);
/* Does the element that is loaded depend on one of the variables? */
bool load_moves(const struct tree_expr *load, const var_list *inner);
/* Sets *sum to what is >= 0 where the comparison holds; false: it is no such one. */
bool sum_of_comparison(struct arena *arena, const struct tree_expr *comparison, struct sum *sum);
/* The sum with value for var everywhere; its affine is NULL where numbers are too large. */
void sum_substitute(struct arena *arena, struct sum *sum, const struct var *var, const struct affine *value);
/* Do 32 bits hold what they must? */
bool sum_fits(const struct facts *facts, const struct sum *sum);
/* May its parts be added up in any order? Its elements have less bits than it, or `values`, or are all there is. */
bool sum_stays_in_range(const struct sum *sum);
/* Sets *bound to what sum >= 0 says of var; false: nothing that none of the inner variables is in. */
bool bound_from(struct arena *arena, const struct sum *sum, const struct var *var, const var_list *inner,
                struct bound *bound);
/* One of the list that is the same; NULL: there is none. */
const struct bound *bound_find(const bound_list *list, const struct bound *bound);
/* The sum as an expression. */
const struct tree_expr *sum_value(struct arena *arena, const struct sum *sum);
/* The smaller one of value and limit; of a lower bound the larger one. */
const struct tree_expr *bound_limited(struct arena *arena, const struct bound *bound, const struct tree_expr *value,
                                      const struct affine *limit);
/* That a variable is that. */
const struct guard *bound_closer(struct arena *arena, const struct bound *bound, const struct var *var,
                                 const struct affine *limit);
/* What `values` says of a variable that is the bound; NULL: nothing. */
const struct guard *bound_known(struct lowering *lowering, const struct bound *bound, const struct var *var);

#endif
