/* Subscripts that read index arrays: each read is lifted to a variable that meets its array's "values". */
#ifndef PROGRAM_EXPR_LIFT_H
#define PROGRAM_EXPR_LIFT_H

#include "program/program.h"

/* { [instance, lifted reads.., index] }: what index can be at the instances of domain, by "values" and by types of few
 * bits. NULL when it is not affine even so (or on an isl error). *culprit is a part that no "values" bounds, or
 * NULL. */
__isl_give isl_set *lift_values(const struct program *program, __isl_take isl_set *domain, const struct expr *index,
                                const struct expr **culprit);
/* The points of values whose dimension pos is negative or not below extent. */
__isl_give isl_set *lift_outside(__isl_take isl_set *values, int pos, const struct expr *extent);

#endif
