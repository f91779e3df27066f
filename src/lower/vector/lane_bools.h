/* Values of bool in lanes, which are bytes, 0 or 1: part of pass "vectors".
 *
 *     y[i] = m[i] ? x[i] : 0      compares the byte m[i] with 0
 *     m[i] = x[i] > 0             stores the byte x[i] > 0 ? 1 : 0
 */
#ifndef LOWER_VECTOR_LANE_BOOLS_H
#define LOWER_VECTOR_LANE_BOOLS_H

#include "tree/tree.h"

/* Is it an element of bool in memory that differs from one iteration of var to the next? */
bool lane_bools_has(const struct element *element, const struct var *var);
/* Is folded, what an expression became, bytes that stand for what is true or false? */
bool lane_bools_is(const struct tree_expr *expr, const struct tree_expr *folded);
/* What is true or false as a number of an integer type: `truth ? 1 : 0`. */
const struct tree_expr *lane_bools_number(struct arena *arena, const struct tree_expr *truth, enum type type);
/* A value of bool as bytes. */
const struct tree_expr *lane_bools_bytes(struct arena *arena, const struct tree_expr *expr);
/* A number as what is true or false: `expr != 0`. */
const struct tree_expr *lane_bools_truth(struct arena *arena, const struct tree_expr *expr);
/* Replaces those of the arguments of expr that are bytes, or become them, by what expr takes. */
void lane_bools_arguments(struct arena *arena, const struct tree_expr *expr, const struct tree_expr **arg);
/* Is argument k of expr to be true or false? */
bool lane_bools_wants_truth(const struct tree_expr *expr, int k);
/* expr, which became folded, converted to bool: true or false, or bytes. */
const struct tree_expr *lane_bools_cast(struct arena *arena, const struct tree_expr *expr,
                                        const struct tree_expr *folded);
/* node, which one lane runs by itself: what it stores in elements of bool is true or false, as in any scalar code. */
const struct node *lane_bools_scalar(struct arena *arena, const struct node *node);
/* `!(a != b)` as `a == b`; NULL: it is no such comparison. */
const struct tree_expr *lane_bools_not(struct arena *arena, const struct tree_expr *truth);

#endif
