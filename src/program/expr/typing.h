/* Typing: the arithmetic rules of design section 4.
 *
 * Gives every expression of a statement its type and makes every implicit conversion an EXPR_CAST
 * with `implicit` set. Results are new expressions; the untyped ones stay as they were. In a typed
 * expression only affine subscripts keep TYPE_NONE (exact integers, floor division).
 *
 * Of a typed literal `integer` or `real` is the value in that type; EXPR_PARAM and EXPR_LOOP of
 * another type than i64 stand for the value converted to it.
 */
#ifndef PROGRAM_EXPR_TYPING_H
#define PROGRAM_EXPR_TYPING_H

#include "program/program.h"

/* Types the target and value. `x op= e`: the operation is carried out in the type of value (for
 * shifts in the promoted type of x), its result converted back. False after reporting a fault. */
bool statement_typed(struct arena *arena, struct diags *diags, struct statement *statement);
/* A condition (any arithmetic value; not 0 is true); NULL after reporting a fault. */
struct expr *condition_typed(struct arena *arena, struct diags *diags, const struct expr *condition);
/* a && b, typed; either may be NULL, which is true. */
struct expr *conditions_both(struct arena *arena, struct expr *a, struct expr *b);

#endif
