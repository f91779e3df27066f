/* Steps that change the program: the schedule goes on with other statements. */
#ifndef SCHED_PROGRAM_STEP_H
#define SCHED_PROGRAM_STEP_H

#include "sched/edit.h"
#include "sched/path.h"

isl_map *program_step_keep_map(struct arena *arena, __isl_take isl_map *map);

isl_set *program_step_keep_set(struct arena *arena, __isl_take isl_set *set);

/* A statement that runs elsewhere, possibly several times. */
struct relocation {
    const struct statement *statement, *moved; /* in the schedule's program and in its successor, under one label */
    const struct path *path;                   /* the loops it moves into, the last one as its first part */
    const struct order *part;                  /* what runs there, in one iteration c: { P[c,p] } */
    const struct order *in_description;        /* what takes its place in the description's order */
    isl_map *origin;                           /* { P[c,p] -> P[p] } */
};

/* The schedule goes on with program, where n statements have moved as told, into the same loops: one part after the
 * other. */
enum status program_step_move(struct schedule *schedule, struct program *program, const struct relocation *relocation,
                              int n);

/* The schedule goes on with program, a copy of its own with changed statements, less the statement `gone` (of the
 * schedule's program) that alone wrote array. Dependences are computed anew. */
enum status program_step_without(struct schedule *schedule, struct program *program, const struct statement *gone,
                                 const struct array *array);

/* The schedule goes on with program and these orders of its statements. Two statements were put in at index `at`,
 * before the one that was there; groups that have it have them. */
enum status program_step_two_more(struct schedule *schedule, struct program *program, int at, const struct order *order,
                                  const struct order *original);

/* The schedule goes on with program, which has more statements behind its own, and with these orders. The new
 * statements are called name. */
enum status program_step_more(struct schedule *schedule, struct program *program, const struct order *order,
                              const struct order *original, const char *name);

/* The instances of statement in part, whole leaves of both orders, become a statement of their own; the name of the
 * old one now means both when it qualifies a loop. */
enum status program_step_divide(struct schedule *schedule, const struct statement *statement, __isl_take isl_set *part);

/* The schedule goes on with program, a copy of its own with the same statements but other accesses. */
enum status program_step_replace(struct schedule *schedule, struct program *program);

#endif
