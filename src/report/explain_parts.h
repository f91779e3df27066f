/* The parts of explain. All print with an indent of two, below a headline of their own. */
#ifndef REPORT_EXPLAIN_PARTS_H
#define REPORT_EXPLAIN_PARTS_H

#include "dep/parallel.h"
#include "report/table.h"
#include "sched/schedule.h"

/* Verdicts of nests, fusions and the program. */
void explain_verdicts(const struct schedule *schedule, struct text *out);
/* The verdict of the fusion that a step makes. */
void explain_fusion(const struct schedule *schedule, const struct step *step, struct text *out);

/* Why the step is there, where its file says so: the last comment in front of it in its list. */
void explain_reason(const struct step *step, struct text *out);

/* The dependences among pairs, or all when that is NULL. */
void explain_dependences(const struct schedule *schedule, __isl_keep isl_union_map *pairs, struct text *out);

/* The distance of a dependence in the loops of the description, "(0, 0, <)" for "(", ", " and ")"; "" between nests.
 * malloc'ed. */
struct text explain_distance(const struct schedule *schedule, const struct dependence *dependence, const char *start,
                             const char *between, const char *end);
/* Is part of it waived as unsafe? */
bool explain_is_waived(const struct schedule *schedule, const struct dependence *dependence);

/* The loops of the order: iterations, parallel or not. */
void explain_loops(const struct schedule *schedule, struct text *out);
/* All about the loops with that name (loop, nest.loop or label.loop); false after reporting that there is none. */
bool explain_loop(const struct schedule *schedule, const char *name, struct text *out);

/* "with a reduction: + of C", where a parallel loop carries some. */
void explain_reductions(struct text *out, const struct parallel *parallel);

/* The elements of array that one of times { S[i,j] -> T[..] } touches; where not all touch as many (!*exact), those of
 * the box around the most. NULL: not known. */
const struct polynomial *explain_footprint(const struct schedule *schedule, __isl_keep isl_union_map *times,
                                           const struct array *array, bool *exact);
/* What each time of times { S[i,j] -> T[..] } touches and computes. */
void explain_memory(const struct schedule *schedule, __isl_keep isl_union_map *times, struct text *out);
/* Of the whole program. */
void explain_whole_memory(const struct schedule *schedule, struct text *out);
/* A row for each array of the whole program: its name, "read, written", and what is touched, "M x K elements". */
struct table explain_arrays(const struct schedule *schedule);
/* The operations of the whole program, and the elements that it touches by number of the array; NULL: not known. */
const struct polynomial *explain_operations(const struct schedule *schedule, const struct polynomial *const **touched);

/* The buffers that the plan made, or the one of these. */
void explain_caches(const struct schedule *schedule, struct text *out);
void explain_cache(const struct schedule *schedule, const struct cached *cached, struct text *out);
/* A step of the plan (plan.3), a buffer or a loop: what the plan makes of it and, when it was checked and found legal,
 * why. False after reporting that there is none. */
bool explain_plan_topic(const struct schedule *schedule, const char *topic, bool legal, struct text *out);
/* May there be a loop of that name (loop, nest.loop or label.loop)? */
bool explain_has_loop(const struct schedule *schedule, const char *name);

/* The barriers of an order; nothing when there are none. */
void explain_barriers(struct arena *arena, const struct order *order, struct text *out);

/* The statements that steps made run more than once; nothing when there are none. */
void explain_repetitions(const struct schedule *schedule, struct text *out);

/* Something that runs too early; false when the order is legal. */
bool explain_violation(const struct schedule *schedule, struct violation *violation);
/* { S[i,x] -> S_1[i,y] }: of the parts of one call, which always run together and in their order. */
__isl_give isl_union_map *explain_within_calls(const struct program *program);
/* "S0[0] must run before S0[1]: both touch A[1] (flow dependence); N = 2" */
void explain_pair(const struct schedule *schedule, const struct violation *violation, struct text *out);

#endif
