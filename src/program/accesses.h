/* The array references of statements as isl maps. */
#ifndef PROGRAM_ACCESSES_H
#define PROGRAM_ACCESSES_H

#include "program/program.h"

/* Sets statement->access, whose order is: the target's write, its read if `op=`, then the reads in
 * textual order of the target's subscripts, the value and the guard. */
void statement_accesses(struct program *program, struct statement *statement);
/* [params] -> { A[a0,..] : 0 <= a_k < shape_k for k in dimensions first.. below last } */
__isl_give isl_set *array_box(const struct program *program, const struct array *array, int first, int last);

#endif
