/* What the elements of an array can be. */
#ifndef PROGRAM_EXPR_RANGE_H
#define PROGRAM_EXPR_RANGE_H

#include "program/program.h"

/* From least to greatest. */
struct range {
    int64_t least, greatest;
};

/* What integers of the type can be, as far as int64_t tells. */
struct range type_range(enum type type);

/* Has the type so few values, at most 16 bits, that they alone are bounds? */
bool type_is_short(enum type type);

/* What the elements of an array of integers of at most 32 bits can be: by "values", for all parameters, as far as its
 * type allows it. */
struct range array_range(const struct program *program, const struct array *array);

#endif
