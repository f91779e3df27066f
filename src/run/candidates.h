/* What may become of a description: values of its tunables, neighbours of proposed steps, random affine schedules. */
#ifndef RUN_CANDIDATES_H
#define RUN_CANDIDATES_H

#include "polynest/polynest.h"
#include "run/affine.h"

struct candidate {
    const char *from;  /* "grid", "auto", "steps", "neighbour" or "affine" */
    const char *key;   /* tells it from others: the values, or the schedule file, on one line */
    const char *set;   /* values of tunables, {"tile": 32}; NULL: none are chosen */
    const char *steps; /* a schedule file; NULL: the description's own steps */
};

struct tunable_values {
    const char *name;
    const struct json *value; /* a list */
};

struct candidates {
    struct arena *arena;
    const polynest *p;
    const char *from;
    struct random random;
    int drawn;
    const struct tunable_values *tunable;
    int n_tunable;
    double grid;                /* combinations of the values */
    const struct json *base[2]; /* what `auto` proposes, and the best so far; NULL: nothing */
    const struct json *target;
    struct affine affine;
};

/* from: of which kinds, "grid,neighbour,affine"; NULL: of all. */
/* Enough for candidate_steps. */
void candidates_init(struct candidates *candidates, struct arena *arena, const polynest *p, int64_t seed,
                     const char *from);
/* Reads what candidates are drawn from. */
void candidates_start(struct candidates *candidates);
/* The next one, which may be illegal, or have been there before. */
struct candidate candidates_next(struct candidates *candidates);
/* Neighbours of a schedule file are drawn, too. */
void candidates_prefer(struct candidates *candidates, const char *steps);
/* p as the candidate wants it; to be freed. */
polynest *candidate_open(const polynest *p, const struct candidate *candidate);
/* The candidate's steps as a schedule file on one line; NULL: they need values that cannot be put in here. */
const char *candidate_steps(const struct candidates *candidates, const struct candidate *candidate);

#endif
