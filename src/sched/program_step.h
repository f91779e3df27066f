/* Steps that change the program: the schedule goes on with other statements. */
#ifndef SCHED_PROGRAM_STEP_H
#define SCHED_PROGRAM_STEP_H

#include "sched/edit.h"

isl_map *program_step_keep_map(struct arena *arena, __isl_take isl_map *map);

/* The schedule goes on with program, a copy of its own with changed statements, less the statement `gone` (of the
 * schedule's program) that alone wrote array. Dependences are computed anew. */
enum status program_step_without(struct schedule *schedule, struct program *program, const struct statement *gone,
                                 const struct array *array);

#endif
