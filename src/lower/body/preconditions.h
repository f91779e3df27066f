/* What the caller must guarantee of the parameters, as conditions that can be printed and tested. */
#ifndef LOWER_BODY_PRECONDITIONS_H
#define LOWER_BODY_PRECONDITIONS_H

#include "program/program.h"
#include "tree/tree.h"

/* program->context as alternatives of which one must hold, *n of them; one without conditions when nothing
 * is required. NULL when isl fails or a number exceeds 64 bits. */
const struct guard *lower_preconditions(struct arena *arena, const struct program *program,
                                        const struct var *const *param_var, int *n);

/* The same of a set of parameters, or of one dimension, which set_var stands for. */
const struct guard *lower_alternatives(struct arena *arena, __isl_take isl_set *set, const struct var *const *param_var,
                                       const struct var *set_var, int *n);

/* The least value that program->context allows each parameter; INT64_MIN where there is none. */
const int64_t *lower_param_least(struct arena *arena, const struct program *program);
/* The greatest one; INT64_MAX where there is none. */
const int64_t *lower_param_most(struct arena *arena, const struct program *program);

#endif
