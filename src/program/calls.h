/* Functions of C's library that the statements call: their names are taken where these run. */
#ifndef PROGRAM_CALLS_H
#define PROGRAM_CALLS_H

#include "program/program.h"

/* Is it a function of C's library that statements may call, "erf" or "erff"? */
bool name_is_library_function(const char *name);
/* A call that emitted code makes by this name, "erf" or "erff"; NULL: there is none. */
const struct expr *program_call(const struct program *program, const char *name);

#endif
