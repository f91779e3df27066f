/* Instances and parameters in the user's notation, for messages. */
#ifndef PROGRAM_SHOW_H
#define PROGRAM_SHOW_H

#include "poly/sample.h"
#include "program/program.h"

/* "S[9,0]"; just the name when there are no dimensions. */
void show_point(struct text *out, const char *name, const int64_t *dim, int n_dim);
/* " (N = 10, M = 3)" for the parameters of a sample of set, as far as set depends on them beyond the
 * program's context; "" when it does on none. */
void show_params(struct text *out, const struct program *program, const struct sample *sample, __isl_keep isl_set *set);
/* The constraints of a parameter set in the description's notation, "N <= 10 and M >= 1"; false when they
 * are not one conjunction of simple constraints. */
bool show_assumption(struct text *out, __isl_keep isl_set *params);
/* The constraints of a set in isl's notation, "0 <= i0 < N and i1 >= 0"; its dimensions are i0, i1, ... */
void show_set(struct text *out, __isl_keep isl_set *set);
/* The constraints of a statement's domain in isl's notation, "0 <= i < N and j >= 0". */
void show_domain(struct text *out, const struct statement *statement);

#endif
