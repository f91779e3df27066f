/* Part of report/draw/draw.h: the instances of a program at given sizes, and when they run. */
#ifndef REPORT_DRAW_INSTANCES_H
#define REPORT_DRAW_INSTANCES_H

#include "sched/schedule.h"

/* DRAW_SIDE: of a loop's values at most so many are drawn where all are too many. */
enum { DRAW_MOST = 2500, DRAW_SIDE = 16 };

/* A leaf of the order: a statement, or the part of it that steps cut off. */
struct leaf {
    const struct statement *statement;
    isl_set *domain;           /* the instances that run here; the order has it */
    const struct order **loop; /* around it, outermost first; n_loop of them */
    bool *over_tiles;          /* does another of the loops run through each iteration of this one? */
    int n_loop, n_tile;        /* n_tile of them are over tiles */
    int number;                /* among the leaves */
};

struct instance {
    const struct statement *statement;
    int64_t *at;    /* of its loops */
    int64_t *place; /* the same, with the loops of the plane last */
    const struct leaf *leaf;
    int64_t *count; /* of the leaf's loops */
    int64_t *time;  /* when it runs, n_time of them */
    int n_time;
    int rank, first_rank; /* its number in the order, and in the description's own; of a copy how many run before */
    int worker;           /* number of the thread or parallel iteration that runs it; -1: none (marks.h) */
    bool padding;         /* the description does not have it (padding.h) */
    int vector, lane;     /* number of its vector, -1: none; and its place in it (marks.h) */
};

struct instances {
    struct arena *arena;
    const int *const *axes; /* by index of the statement: which of its loops each number of `place` is of */
    struct instance *list;  /* by statement, then by `place` */
    int n;
    int n_rank;                     /* without copies */
    const struct leaf *const *leaf; /* those with instances, n_leaf of them */
    int n_leaf;
    const struct program *program;
    bool some_copies; /* of copies not all are there */
    int side;         /* only so many values of each loop, the small ones; 0: all */
};

/* sizes: { : N = 8 }; plane: the loops that are drawn down and across, NULL: the last two. */
struct instances instances_find(struct arena *arena, const struct schedule *schedule, __isl_keep isl_set *sizes,
                                const char *const *plane);
/* The values of a statement's loops with those of the plane last. */
int64_t *instances_place(const struct instances *instances, const struct statement *statement, const int64_t *at);
/* The loop with that name among those of the statement, or -1. */
int statement_loop(const struct statement *statement, const char *name);
/* The instance, also where steps have made another statement of its part; or NULL. */
const struct instance *instances_at(const struct instances *instances, const struct statement *statement,
                                    const int64_t *at);
/* The smallest box around those of the statement, { S[i,j] : .. }. */
__isl_give isl_set *instances_box(const struct instances *instances, const struct statement *statement);
/* Is the one made of the other by steps, or the same? */
bool statement_is_of(const struct statement *statement, const struct statement *described);
/* Is it the copy of a buffer that a step of the plan made? These are drawn with the array (held.h). */
bool statement_is_copy(const struct statement *statement);
/* Compares n values from the first on: negative, 0 or positive. */
int compare_counts(const int64_t *a, const int64_t *b, int n);

#endif
