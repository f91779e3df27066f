/* Domains of statements from the loops and conditions around them. */
#ifndef PROGRAM_DOMAINS_H
#define PROGRAM_DOMAINS_H

#include "program/program.h"

/* Sets the domain of every statement of the nest's blocks, restricted to program->context. */
void nest_domains(struct program *program, const struct nest *nest);

#endif
