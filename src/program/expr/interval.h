/* What expressions of integers can be: by the types of what they read, by "values", by the loops around, and by the
 * conditions that they are under. Signed arithmetic does not overflow, loops and parameters fit the types they are
 * converted to: both is up to the caller. */
#ifndef PROGRAM_EXPR_INTERVAL_H
#define PROGRAM_EXPR_INTERVAL_H

#include "program/expr/range.h"
#include "program/program.h"

/* A condition that an expression is under, and those around it. */
struct known {
    const struct expr *condition;
    bool holds;   /* else its opposite */
    bool earlier; /* tested before other statements ran, which may have written what it reads */
    const struct known *around;
};

/* Where an expression stands. */
struct standing {
    const struct program *program;
    const struct statement *statement;
    const struct known *known; /* innermost first; NULL: nothing */
};

/* The values of an operation on integers, which is no comparison, in type, by those of its operands. */
struct range range_of_binary(enum expr_op op, enum type type, struct range a, struct range b);
/* The same of a function; b: of the second argument, if there is one. */
struct range range_of_call(enum function function, enum type type, struct range a, struct range b);
/* The values of a typed expression of integers; of u64 INT64_MAX stands for all that is more, too. */
struct range expr_range(const struct standing *standing, const struct expr *expr);
/* Can it be that value? */
bool expr_may_be(const struct standing *standing, const struct expr *expr, int64_t value);

#endif
