/* The counts of a store that follow from what it has in common with a load (same_stored.h). */
#ifndef LOWER_FINISHED_SOLVING_H
#define LOWER_FINISHED_SOLVING_H

#include "lower/finished/same_stored.h"

/* A store, whose counts become values of the load's. */
struct solving {
    struct arena *arena;
    const struct shape *load, *store;
    int n_index;
    const struct affine *value[MOST_COUNTS]; /* of the store's counts; NULL: not told */
    bool chosen;                             /* some are the first of several that would do */
};

/* New counts for those that the other shape has, too: what a loop around both counts is another number for each. */
bool solving_own_counts(struct shape *shape, const struct shape *other);
/* How many terms are of counts that are not told, those in quotients and minima twice. Sets *last, unless it is NULL,
 * to one of them. */
int solving_untold(const struct solving *s, const struct affine *affine, const struct affine_term **last);
/* The store's expression with the values of its counts that are told. */
const struct affine *solving_told(const struct solving *s, const struct affine *affine);
/* Sets the counts that follow from arguments first .. n - 1 being the same in both. */
void solving_solve(struct solving *s, int first, int n);
/* What the argument of the store has more than that of the load; NULL: it is not told. */
const struct affine *solving_difference(const struct solving *s, int at);
/* Counts that are not told are taken to be 0: of several stores of an element one is enough. */
void solving_choose(struct solving *s);
/* Is what is loaded stored, at least in parts, with the first n_equal arguments of both the same? Adds these. */
bool solving_parts(const struct solving *s, int n_equal, stored_part_vec *parts);

#endif
