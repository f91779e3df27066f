/* Expressions of the description as affine expressions of the loop tree. */
#ifndef TREE_TRANSLATE_H
#define TREE_TRANSLATE_H

#include "program/program.h"
#include "tree/affine.h"

/* What the names in an expression stand for. */
struct scope {
    const struct program *program;
    const struct var *const *param_var; /* of program->param */
    const struct affine *const *loop;   /* the value of loop 0, 1, ...; NULL where there are none */
};

/* True when expr, a bound or subscript (where / and % are floor division and modulo), has the affine form
 * that *result then is; *result is NULL on overflow. */
bool affine_from_expr(struct arena *arena, const struct scope *scope, const struct expr *expr,
                      const struct affine **result);

#endif
