/* Part of report/draw/draw.h: the instances of a program at given sizes, and when they run. */
#ifndef REPORT_DRAW_INSTANCES_H
#define REPORT_DRAW_INSTANCES_H

#include "sched/schedule.h"

/* DRAW_SIDE: of a loop's values so many are drawn where all are too many. */
enum { DRAW_MOST = 2500, DRAW_SIDE = 16 };

struct instance {
    const struct statement *statement;
    int64_t *at;   /* of its loops */
    int piece;     /* number of the leaf that it is in: steps cut statements */
    int64_t *tile; /* counts of the loops over tiles around it, n_tile of them */
    int n_tile;
    int64_t *time; /* when it runs, n_time of them */
    int n_time;
    int rank, first_rank; /* its number in the order, and in the description's own */
};

struct instances {
    struct instance *list; /* by statement, then by `at` */
    int n;
    bool some; /* not all of them: those with small values of the loops */
};

/* sizes: { : N = 8 }. */
struct instances instances_find(struct arena *arena, const struct schedule *schedule, __isl_keep isl_set *sizes);
/* The instance, or NULL. */
const struct instance *instances_at(const struct instances *instances, const struct statement *statement,
                                    const int64_t *at);

#endif
