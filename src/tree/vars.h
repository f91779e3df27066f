/* The variables of one compilation. Each gets its identity here and nowhere else, parameters first: what is known of
 * two of them is never taken for one, and the order of terms in expressions does not depend on where they lie in
 * memory.
 */
#ifndef TREE_VARS_H
#define TREE_VARS_H

#include "base/vec.h"
#include "program/congruence.h"
#include "tree/affine.h"

struct program;

enum { VARS_SOUND = 256 };

struct vars {
    struct arena *arena;
    const struct var *const *param;      /* of program->param */
    const struct congruence *congruence; /* of each of these */
    VEC(const struct var *) all;         /* by identity */
    const char
        *sound[VARS_SOUND]; /* names that tree/verify.h found to be such, each at a place that its address tells */
    const char *broken;     /* what a pass did wrong: tree/verify.h, lower/facts/facts.h; NULL: nothing */
    const char *doubted;    /* what tree/verify.h could not show, so that values' flow must; NULL: nothing */
};

/* Those of the program's parameters, to which others come. */
struct vars *vars_of_program(struct arena *arena, const struct program *program);
struct var *var_new(struct vars *vars, enum var_kind kind, const char *name);
/* Another variable of the same kind, name and range. */
struct var *var_like(struct vars *vars, const struct var *var);

#endif
