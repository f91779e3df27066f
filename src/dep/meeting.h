/* Instances that meet: both touch one element, and at least one of them writes it.
 *
 * Every dependence is a meeting, in the one direction or the other. So a loop whose iterations do not meet carries no
 * dependence, and that is known without the order of the two, which is most of the work of dep/dependence.h.
 */
#ifndef DEP_MEETING_H
#define DEP_MEETING_H

#include "program/program.h"

struct meetings;

/* Of all statements of program. Each is found when it is asked for. */
struct meetings *meetings_new(struct arena *arena, const struct program *program);

/* Do the member statements, by index, meet only at one time of the n loops, given that they are at one time of the
 * n_around loops around these? time: of the loops, outermost first. No when isl cannot tell. */
bool meetings_within(struct meetings *meetings, const bool *member, isl_union_pw_aff *const *time, int n_around, int n);
/* Do all statements meet at elements of array only at one time of a loop? */
bool meetings_at_once(struct meetings *meetings, const struct array *array, __isl_keep isl_union_pw_aff *time);

#endif
