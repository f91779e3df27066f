/* Part of plan/device/reduce/block_sum.h: an update becomes two statements, with an array between them. */
#ifndef PLAN_DEVICE_REDUCE_SUMMING_H
#define PLAN_DEVICE_REDUCE_SUMMING_H

#include "sched/path.h"
#include "sched/schedule.h"

/* One update on its way to two. */
struct summing {
    struct schedule *schedule;
    const struct statement *statement; /* before */
    const struct order *lanes;         /* its loop over thread.x, that is summed over; NULL: there is none */
    const struct order *joint[3];      /* that, and loops over other threads, whose iterations update one element, */
    int n_joint;                       /* and which are inside of path, */
    const struct order *rest[3];       /* as are those of other threads, which have elements of their own: */
    int n_rest;                        /* the last loops of path */
    int64_t n_warp;                    /* of the joint loops, at most; without lanes their threads; */
    struct expr *warps_there;          /* and as the launch knows them */
    const struct order *leaf;          /* of the statement */
    struct path path;                  /* the loops around that stay around both updates */
    const struct order *part;          /* what is inside of these, the statement's part of it taken out */
    isl_map *place;                    /* { S[s] -> [c, w] }: counts of path's loops, number of the warp, or thread */
    isl_map *element;                  /* { [c, w] -> x_warps[a] } */
    struct program *program;           /* with both: */
    struct array *array;               /* x_warps */
    struct statement *warps, *block;   /* the update of a warp's own, and that by what the warps have */
};

/* Has the loop one iteration for the statement? */
bool summing_is_single(const struct summing *summing, const struct order *loop);
/* The warps of all joint loops, at most; without lanes their threads. */
int64_t summing_warps(const struct summing *summing);
bool summing_over_threads(const struct order *loop);
/* From the loops down to part: makes program with array and both statements. False: they have no form. */
bool summing_divide(struct summing *summing);

#endif
