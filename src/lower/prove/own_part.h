/* A node's value beside the expression of the statement that it computes: which operand is which. Passes name parts and
 * convert them, but leave the operands of an operation at their places; where both are no longer the same operation,
 * nothing is known of what is below.
 *
 *     S: C[i] = A[i - 1] + A[i + 1]          let a = A[i + 1] in C[i] = A[i - 1] + a: the name is the second operand
 */
#ifndef LOWER_PROVE_OWN_PART_H
#define LOWER_PROVE_OWN_PART_H

#include "tree/tree.h"

/* The part of own that operand k of expr computes, where expr computes own; NULL: it is not known. A name has the part
 * that it is used for. */
const struct expr *own_operand(const struct expr *own, const struct tree_expr *expr, int k);
/* The access that expr, which computes own, is to load; NULL: it is not known. */
const struct expr *own_access(const struct expr *own, const struct tree_expr *expr);
/* Is expr, which computes own, another number, another scalar or another operation of two floats? Those of integers are
 * replaced by others. */
bool own_differs(const struct expr *own, const struct tree_expr *expr);
/* What the node's value computes; NULL: more or less than the statement's. */
const struct expr *own_value(const struct node *node);

#endif
