/* Flexible expressions and the types they take. Inner header of typing.
 *
 * While an expression on its way to a type has TYPE_NONE it is flexible: built from literals,
 * parameters and loops only, it takes the type of what it meets.
 */
#ifndef PROGRAM_EXPR_SETTLE_H
#define PROGRAM_EXPR_SETTLE_H

#include "program/expr/expr.h"

struct typing {
    struct arena *arena;
    struct diags *diags;
};

struct expr *typing_copy(struct typing *typing, const struct expr *expr, enum type type);
/* expr converted to type by an implicit cast where that is another one; NULL passes through. */
struct expr *typing_convert(struct typing *typing, struct expr *expr, enum type type);

bool expr_is_flexible(const struct expr *expr);
bool expr_is_literal(const struct expr *expr);
/* A flexible value that only a floating-point type can take. */
bool expr_is_real(const struct expr *expr);

/* A flexible expression in a definite type, which a literal must fit; NULL after reporting. */
struct expr *settle(struct typing *typing, const struct expr *expr, enum type type);
/* Where nothing else tells: integers are i64, reals f64. */
struct expr *settle_alone(struct typing *typing, struct expr *expr);
/* As an operand by itself: promoted as in C. */
struct expr *settle_operand(struct typing *typing, struct expr *expr);

#endif
