/* How often a moved computation runs: the price of computing things where they are used. */
#ifndef DEP_REPETITION_H
#define DEP_REPETITION_H

#include "program/program.h"

/* A statement that runs in each iteration of some loops for what is needed there. */
struct repetition {
    const char *label; /* of the statement */
    const char *loop;  /* the innermost of the loops, or what else says where */
    isl_map *runs;     /* { [c0,..] -> [p0,..] }: iteration to instances; kept by the arena */
};

/* "S0 at v: 90 instances for 66 elements, 24 of them more than once: 1.36 times on average". Exact where it can be
 * counted; else for an iteration in the middle of large sizes, or the reason why there is no number. False, and nothing
 * printed, when every instance runs once. */
bool repetition_print(struct text *out, struct arena *arena, const struct program *program,
                      const struct repetition *repetition);

#endif
