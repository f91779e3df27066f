/* Times of loops that subscripts tell.
 *
 * A buffer, and an array that compute_at moved, has the iterations that its elements belong to as its first dimensions.
 * As long as every subscript there is the time of a loop, word for word, two instances that touch one element are at
 * one time of it: that need not be proved from the elements, which is dear where times are quotients.
 */
#ifndef DEP_TOLD_H
#define DEP_TOLD_H

#include "program/program.h"

/* Is subscript dim of an access the time of the instance? No when that is not plain to see. */
bool subscript_tells_time(const struct statement *statement, const struct access *access, int dim,
                          __isl_keep isl_union_pw_aff *time);
/* The same for all accesses of program's statements to array. */
bool subscripts_tell_time(const struct program *program, const struct array *array, int dim,
                          __isl_keep isl_union_pw_aff *time);

#endif
