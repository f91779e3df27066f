/* Pass "bodies": every STATEMENT node S[args] becomes an ASSIGN with typed expressions over the
 * loop variables: subscripts are affine in them, implicit conversions are explicit casts. */
#ifndef LOWER_BODY_BODIES_H
#define LOWER_BODY_BODIES_H

#include "lower/lower.h"
#include "tree/translate.h"

/* The elements are those of laid_out, see program/storage/lay_out.h; reordered: of the program's statements, see
 * struct pipeline. NULL when a subscript overflows 64 bits. */
const struct node *lower_bodies(struct lowering *lowering, const struct program *laid_out, const bool *reordered,
                                const struct node *tree);
/* expr, typed, where the scope's loops have its values; NULL when it overflows. */
const struct tree_expr *body_value(struct arena *arena, const struct scope *scope, const struct program *laid_out,
                                   const struct expr *expr);
/* A condition of parameters and scalars, typed; NULL when it overflows. */
const struct tree_expr *body_condition(struct arena *arena, const struct program *program,
                                       const struct var *const *param_var, const struct expr *condition);

#endif
