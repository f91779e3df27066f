/* Subscripts that read index arrays: each read is lifted to a variable that meets its array's "values". */
#ifndef PROGRAM_EXPR_LIFT_H
#define PROGRAM_EXPR_LIFT_H

#include "program/program.h"

/* { [instance, lifted reads.., index] }: what index can be at the instances of domain, by "values", by types of few
 * bits, and by what guard, which holds there, says of reads of arrays that nothing writes (NULL: there is none). NULL
 * when it is not affine even so (or on an isl error). *culprit is a part that no "values" bounds, or NULL. */
__isl_give isl_set *lift_values(const struct program *program, __isl_take isl_set *domain, const struct expr *index,
                                const struct expr *guard, const struct expr **culprit);
/* A loop or parameter of expr that the type does not hold which it has there, for all instances of domain; or NULL. */
const struct expr *lift_wrapping(const struct program *program, __isl_keep isl_set *domain, const struct expr *expr);
/* The points of values whose dimension pos is negative or not below extent. */
__isl_give isl_set *lift_outside(__isl_take isl_set *values, int pos, const struct expr *extent);

#endif
