/* What the user's own steps name is left alone. */
#ifndef AUTO_LEAVE_H
#define AUTO_LEAVE_H

#include "auto/proposal.h"
#include "program/program.h"

/* Takes out of the proposal what names a loop or an array that one of the first n_before steps of the program's
 * schedule names, or a loop of a nest or statement that one does. */
void leave_named(const struct program *program, int n_before, struct proposal *proposal);

#endif
