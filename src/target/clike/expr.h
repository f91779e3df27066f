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
/* "C[i] += x;" */
const char *assignment_text(struct emitter *emitter, const struct node *assign);

#endif
