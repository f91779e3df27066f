/* Subscripts that read index arrays: each read is lifted to a variable that meets its array's "values". */
#ifndef PROGRAM_EXPR_LIFT_H
#define PROGRAM_EXPR_LIFT_H

#include "program/expr/range.h"
#include "program/program.h"

/* What integers of expr, which is not affine in what it reads, can be. */
typedef struct range range_function(const void *user, const struct expr *expr);

/* { [instance, lifted reads.., index] }: what index can be at the instances of domain, by "values", by types of few
 * bits, by what guard, which holds there, says of reads of arrays that nothing writes (NULL: there is none), and by
 * what range says of its parts that are not affine, such as `k[i] & 255` (NULL: nothing). NULL when it is not affine
 * even so (or on an isl error). *culprit is a part that nothing bounds, or NULL. */
__isl_give isl_set *lift_values(const struct program *program, __isl_take isl_set *domain, const struct expr *index,
                                const struct expr *guard, range_function *range, const void *user,
                                const struct expr **culprit);
/* A loop or parameter of expr that the type does not hold which it has there, for all instances of domain; or NULL. */
const struct expr *lift_wrapping(const struct program *program, __isl_keep isl_set *domain, const struct expr *expr);
/* The points of values whose dimension pos is negative or not below extent. */
__isl_give isl_set *lift_outside(__isl_take isl_set *values, int pos, const struct expr *extent);

#endif
