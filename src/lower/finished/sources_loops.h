/* What is loaded in a loop of stores in earlier iterations, or in front of it: parts of sources_before.c. */
#ifndef LOWER_FINISHED_SOURCES_LOOPS_H
#define LOWER_FINISHED_SOURCES_LOOPS_H

#include "lower/finished/sources_parts.h"

/* A loop, and a load in it. */
struct going_on {
    struct sourcing *s;
    const struct level *level;
    const struct way *count;     /* of the loop */
    const struct affine *first;  /* its value in the first iteration, */
    const struct affine *before; /* and in the iteration before */
    const struct affine *others; /* >= 0: there is one before */
    bool down;                   /* its values descend */
    const struct party *load;
    const struct shape *shape; /* of the load */
};

/* The load in an iteration, with what is implied there; NULL: numbers are too large. */
struct shape *going_load(const struct going_on *going, const struct affine *iteration);
/* The shape of a store in the loop in all iterations so far, with one more count: *iteration; also in that of the load,
 * unless the store comes after the load in each iteration. NULL: it has no shape. */
const struct shape *going_so_far(const struct going_on *going, const struct party *store, const struct var **iteration);
/* Is the store in front of the load in each iteration? */
bool going_is_earlier(const struct going_on *going, const struct party *store);
/* iteration a is earlier than b by at least one: >= 0. NULL: numbers are too large. */
const struct affine *going_earlier(const struct going_on *going, const struct affine *a, const struct affine *b);
/* Is what is loaded stored some iterations ago, and the last in its place (sources_windows.c)? */
bool sources_answered_by_window(const struct going_on *going);

#endif
