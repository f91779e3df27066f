/* What may change results: the permissions of the program and of its nests. */
#ifndef PROGRAM_PERMIT_H
#define PROGRAM_PERMIT_H

#include "program/program.h"

/* Of enum permit: what the statement's nest or the program allows. */
unsigned statement_permit(const struct program *program, const struct statement *statement);
/* What all nests with statements allow: compilers make no difference between them. */
unsigned program_permit_everywhere(const struct program *program);
/* Every operation of the statements gets the permissions of its statement, which stay when it moves to another. */
void program_mark_permits(struct program *program);

#endif
