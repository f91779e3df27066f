/* Typed expressions and assignments as C text, with the conversions C does not do by itself. */
#ifndef TARGET_CLIKE_EXPR_H
#define TARGET_CLIKE_EXPR_H

#include "target/clike/emitter.h"

struct expr_text {
    const char *text;
    enum precedence precedence;
    enum type type;    /* the type C gives the text */
    bool truth;        /* 0 or 1: a comparison, a logical operation or a bool */
    bool short_inside; /* an operation on signed operands shorter than int */
};

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
