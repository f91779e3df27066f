/* Arrays as they are stored: blocks become dimensions of their own, padding becomes a longer extent. */
#ifndef PROGRAM_STORAGE_LAY_OUT_H
#define PROGRAM_STORAGE_LAY_OUT_H

#include "program/program.h"

/* A copy of program whose arrays with blocks or padding are replaced by dense ones that say in stored_dim what their
 * dimensions are; statements and their accesses are shared and still name the arrays of program. */
const struct program *program_lay_out(struct arena *arena, const struct program *program);

/* The array of laid_out that stands for array of program. */
const struct array *laid_out_array(const struct program *laid_out, const struct program *program,
                                   const struct array *array);
/* The subscripts of access, an expression of the original program, in the stored dimensions of its array. */
struct expr **laid_out_subscripts(struct arena *arena, const struct array *stored, const struct expr *access);

#endif
