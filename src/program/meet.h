/* When two references of one array may be the same element. */
#ifndef PROGRAM_MEET_H
#define PROGRAM_MEET_H

#include "program/program.h"

/* Have both accesses the same elements at each instance of their statement? Not those that read other index arrays. */
bool accesses_alike(const struct access *a, const struct access *b);
/* { S -> T }: instances whose accesses a, of S, and b, of T, may be the same element. Subscripts of both that read one
 * injective index array are the same only where they read the same element of that. */
__isl_give isl_map *accesses_meeting(const struct program *program, const struct access *a, const struct access *b);
/* pairs, { S -> T }, of which the conditions on data of both statements may hold: where these are bounds that are read
 * from one nondecreasing array, the iterations of one are all before those of the other. */
__isl_give isl_map *guards_meeting(__isl_take isl_map *pairs, const struct statement *s, const struct statement *t);
/* An array that bounds both and is not known to be nondecreasing; or NULL. */
const struct array *guards_index(const struct statement *s, const struct statement *t);
/* An index array by which both are told, and which is not known to be injective; or NULL. */
const struct array *accesses_index(const struct access *a, const struct access *b);

#endif
