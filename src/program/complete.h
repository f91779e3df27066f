/* The isl side of a program: what follows from its expressions. */
#ifndef PROGRAM_COMPLETE_H
#define PROGRAM_COMPLETE_H

#include "program/program.h"

/* Sets context (assumed, a parameter set, and all extents >= 0), the arrays' elements, the
 * statements' domains (those of the polyhedral form are only restricted to the context) and accesses.
 * Reports assumptions that no parameters meet, and domains that are always empty (a warning). */
enum status program_complete(struct program *program, __isl_take isl_set *assumed, struct diags *diags);

#endif
