/* Quasi-affine functions of an instance as subscripts of the description. */
#ifndef PROGRAM_EXPR_INDEX_EXPR_H
#define PROGRAM_EXPR_INDEX_EXPR_H

#include "program/program.h"

struct expr *index_constant(struct arena *arena, int64_t value);
/* expr op value, simplified where expr is a constant, too; op: ADD, DIV or MOD, value > 0. */
struct expr *index_binary(struct arena *arena, struct expr *expr, enum expr_op op, int64_t value);
/* a - b, of the same statement; NULL where one of them is. */
struct expr *index_expr_difference(struct arena *arena, struct expr *a, struct expr *b);
/* { S[i,j] -> [(i mod 4)] } as an expression of the loops and parameters; NULL when it has more than one piece or
 * a fraction. Floor divisions become `/`, which is floor division in subscripts. */
struct expr *index_expr_of(struct arena *arena, const struct program *program, __isl_take isl_pw_aff *index);
/* The same of what is an integer wherever it is used, though coefficients may be fractions: i / 2 of even i. */
struct expr *index_expr_of_integer(struct arena *arena, const struct program *program, __isl_take isl_pw_aff *index);

#endif
