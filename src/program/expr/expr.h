/* Expressions of statements, bounds and conditions, as the user wrote them.
 *
 * The reader makes them, typing fills `type` in; after that they are constant. An expression
 * belongs to a place with enclosing loops; EXPR_LOOP names one of these by its depth, so that
 * the expression of a statement S[i,j] refers to i as loop 0 and j as loop 1.
 */
#ifndef PROGRAM_EXPR_EXPR_H
#define PROGRAM_EXPR_EXPR_H

#include "base/diag.h"
#include "program/type.h"

#include <stdint.h>

struct array;
struct param;
struct scalar;

enum expr_kind {
    EXPR_INT,    /* integer */
    EXPR_LONG,   /* spelling: an integer that no type but u64 holds, until typing makes `~c` of it */
    EXPR_REAL,   /* real, spelling */
    EXPR_PARAM,  /* param */
    EXPR_LOOP,   /* loop */
    EXPR_SCALAR, /* scalar */
    EXPR_ACCESS, /* array, arg = subscripts (none for shape []) */
    EXPR_UNARY,  /* op, arg[0] */
    EXPR_BINARY, /* op, arg[0], arg[1] */
    EXPR_SELECT, /* arg[0] ? arg[1] : arg[2] */
    EXPR_CAST,   /* type, arg[0]; also put in by typing where the description converts implicitly */
    EXPR_CALL,   /* function, arg */
};

/* clang-format off */
enum expr_op {
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
    OP_SHL, OP_SHR, OP_AND, OP_OR, OP_XOR,
    OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE,
    OP_LAND, OP_LOR,
    OP_NEG, OP_NOT, OP_LNOT, /* unary; NOT is ~ */
    OP_MIN, OP_MAX,          /* only as the operator of `min=`, `max=`; calls are EXPR_CALL */
    OP_NONE,                 /* plain `=` */
};
/* clang-format on */

/* clang-format off */
/* The functions of C's library, of floats only: X(IDENTIFIER, its name, how many arguments). */
#define LIBRARY_FUNCTIONS(X) \
    X(SQRT, sqrt, 1) X(CBRT, cbrt, 1) X(HYPOT, hypot, 2) X(POW, pow, 2) \
    X(EXP, exp, 1) X(EXP2, exp2, 1) X(EXPM1, expm1, 1) \
    X(LOG, log, 1) X(LOG2, log2, 1) X(LOG10, log10, 1) X(LOG1P, log1p, 1) \
    X(FLOOR, floor, 1) X(CEIL, ceil, 1) X(ROUND, round, 1) X(TRUNC, trunc, 1) X(RINT, rint, 1) \
    X(FMOD, fmod, 2) X(REMAINDER, remainder, 2) X(FDIM, fdim, 2) X(NEXTAFTER, nextafter, 2) \
    X(SIN, sin, 1) X(COS, cos, 1) X(TAN, tan, 1) X(ASIN, asin, 1) X(ACOS, acos, 1) X(ATAN, atan, 1) X(ATAN2, atan2, 2) \
    X(SINH, sinh, 1) X(COSH, cosh, 1) X(TANH, tanh, 1) X(ASINH, asinh, 1) X(ACOSH, acosh, 1) X(ATANH, atanh, 1) \
    X(ERF, erf, 1) X(ERFC, erfc, 1) X(TGAMMA, tgamma, 1) X(COPYSIGN, copysign, 2) X(FMA, fma, 3)

enum function {
    FUNCTION_MIN, FUNCTION_MAX, FUNCTION_ABS, FUNCTION_RELU,
#define LIBRARY_FUNCTION(ID, name, arity) FUNCTION_##ID,
    LIBRARY_FUNCTIONS(LIBRARY_FUNCTION)
#undef LIBRARY_FUNCTION
    FUNCTION_MOD, /* in affine expressions: mod(e, d), floor modulo */
    FUNCTION_TAKE, /* of calls (read/calls.h), by no name: a u64 that stands for its arguments, a u64 and any value */
    FUNCTION_GIVE, /* some value of its type that the argument, a u64, decides */
};
/* clang-format on */

struct expr {
    enum expr_kind kind;
    enum type type;     /* the type of the value; TYPE_NONE in bounds and subscripts (exact integers) */
    struct place place; /* for messages */
    enum expr_op op;
    enum function function;
    int64_t integer;
    double real;
    const char *spelling; /* of a literal, REAL, LONG or what typing makes of LONG, as written, without suffix */
    const struct param *param;
    const struct scalar *scalar;
    const struct array *array;
    const struct array *view; /* ACCESS: what the user named instead of the array it is part of, or NULL */
    int loop;                 /* depth among the enclosing loops, outermost 0 */
    bool implicit;            /* a cast that typing put in: the user did not write it, expr_print leaves it out */
    unsigned permit;          /* of enum permit: how far the operation may be another one */
    struct expr **arg;
    int n_arg;
};

const char *op_symbol(enum expr_op op);            /* "+", "<=", "min" */
const char *function_name(enum function function); /* "sqrt" */
bool function_by_name(const char *name, enum function *function);
/* The same, and of those that have no name in descriptions. */
bool function_by_any_name(const char *name, enum function *function);
int function_arity(enum function function);
/* Is it one of C's library, of floats only? */
bool function_is_library(enum function function);
/* op whose operands may be regrouped and swapped (exactly, or for floats under `reassociate`). */
bool op_is_reduction(enum expr_op op);
/* Do the low bits of an integer result depend on those of the operands only? */
bool op_is_modular(enum expr_op op);
/* May an integer result be larger than all operands: is it a sum, a difference or a product? */
bool op_grows(enum expr_op op);
/* Does it not matter how often an operand takes part? */
bool op_is_idempotent(enum expr_op op);
/* Is it a minimum or a maximum? */
bool op_is_extreme(enum expr_op op);
/* The comparison that holds where this one does not. */
enum expr_op op_opposite(enum expr_op comparison);
/* What changes no other operand of a reduction: of floats as a literal, and its value; an unsigned integer of 64 bits
 * in the bits of a signed one. */
const char *op_neutral_spelling(enum expr_op op);
double op_neutral_real(enum expr_op op);
int64_t op_neutral_integer(enum expr_op op, enum type type);

/* Do both say the same? */
bool expr_equal(const struct expr *a, const struct expr *b);
/* The expression as the user would write it, with loops printed by the given names. */
void expr_print(struct text *out, const struct expr *expr, const char *const *loop_names);

#endif
