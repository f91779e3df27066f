/* How precise results are where operations may be other ones than the description has. */
#ifndef PROGRAM_PRECISION_H
#define PROGRAM_PRECISION_H

#include "program/program.h"

/* By array: of its type and those that what its elements are made of is rounded to, where something permits that it is
 * rounded otherwise, the one with the fewest digits; TYPE_NONE: it is no array of floats. permit (of enum permit): what
 * is permitted besides. */
const enum type *program_precision(struct arena *arena, const struct program *program, unsigned permit);

/* The same of several programs that have the same arrays first, n of them: the least precise ones. */
struct precision {
    enum type *type; /* NULL: of none yet */
    int n;
};

void precision_add(struct precision *precision, struct arena *arena, const struct program *program);

#endif
