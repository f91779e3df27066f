/* How many neighbours in memory a copy can move at once. */
#ifndef PLAN_DEVICE_COPIES_NEIGHBOURS_H
#define PLAN_DEVICE_COPIES_NEIGHBOURS_H

#include "sched/order.h"

/* The dimension along which neighbours are in memory; -1: there is none, or that is not known. */
int fastest_dimension(const struct array *array);

/* A statement that copies element by element, for the loops that are its last dimensions. */
struct copied {
    const struct program *program;
    const struct statement *statement;
    const isl_set *const *part; /* the instances of each place where it runs, n_part of them */
    int n_part;
    int loop; /* the dimension of the statement along which neighbours are */
};

/* Is each run of n instances along the loop, the first one at a multiple of n, there as a whole or not at all? */
bool copied_are_whole(const struct copied *copied, int64_t n);
/* Are the elements of runs neighbours in access number k, and do they start at a multiple of n elements, which then is
 * one of the addresses, too? */
bool copied_are_neighbours(const struct copied *copied, int k, int64_t n);
/* How many elements of memory are from one element of a run of n to the next in access number k; 0: that is not one
 * number that is known. */
int64_t copied_distance(const struct copied *copied, int k, int64_t n);
/* { S[i,j] -> S[i,j'] : j' in the run that j is in } */
__isl_give isl_map *copied_runs(const struct copied *copied, int64_t n);
/* The instances in set that are the first of a run. */
__isl_give isl_set *copied_first(const struct copied *copied, __isl_take isl_set *set, int64_t n);

#endif
