/* Typed expressions and assignments as C text. */
#ifndef TARGET_CLIKE_EXPR_H
#define TARGET_CLIKE_EXPR_H

#include "target/clike/convert.h"

/* The value with exactly the expression's type. */
struct expr_text expr_exact(struct emitter *emitter, const struct tree_expr *expr);
/* The same value in any type that C widens to it unasked. */
struct expr_text expr_bare(struct emitter *emitter, const struct tree_expr *expr);
/* As what `target = ` or a parameter of that type takes without a warning. */
const char *expr_assigned(struct emitter *emitter, const struct tree_expr *expr, enum type target);
/* As a condition. */
struct expr_text expr_truth(struct emitter *emitter, const struct tree_expr *expr);
/* Does the operation wrap around where the order of an update of this type changed? */
bool expr_wraps(enum expr_op op, enum type type);
/* Is expr, an operand of outer, part of the same reduction? Sums of sums and products of products are one. */
bool expr_continues(enum expr_op outer, const struct tree_expr *expr);
/* "C[i] += x;" */
const char *assignment_text(struct emitter *emitter, const struct node *assign);

#endif
