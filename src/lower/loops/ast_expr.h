/* Expressions of isl's AST as affine expressions and conditions of the loop tree: part of lower/loops/from_isl.c. */
#ifndef LOWER_LOOPS_AST_EXPR_H
#define LOWER_LOOPS_AST_EXPR_H

#include "base/vec.h"
#include "lower/lower.h"

#include <isl/ast.h>

enum { MAX_DEPTH = 256 };

/* isl's AST on its way to the loop tree; isl's iterators are called #0, #1, .. by depth. */
struct conversion {
    struct lowering *lowering; /* ->failed where the loop tree has no form for what isl made */
    struct arena *arena;
    const struct order *order;               /* what the AST is of */
    const struct loop_info *info[MAX_DEPTH]; /* of the marks around, outermost first */
    const struct var *var[MAX_DEPTH];        /* of #0, #1, ..; NULL where isl made no loop */
    int depth;                               /* marks around */
    int missing; /* depth of a loop over positions of which isl has made none so far; -1: there is none */
};

/* Conditions in disjunctive form: any of guard[0..n) holds. */
typedef VEC(struct guard) guards;

/* NULL after setting failed. */
const struct affine *ast_affine(struct conversion *conversion, __isl_take isl_ast_expr *expr);
/* None after setting failed. */
guards ast_conditions(struct conversion *conversion, __isl_take isl_ast_expr *expr);
/* What holds when no alternative does. */
guards ast_otherwise(struct conversion *conversion, guards alternatives);

#endif
