/* How far dependences go in the loops that both of their statements are in: what decides which loops may be exchanged,
 * divided, or run at once.
 */
#ifndef AUTO_DISTANCE_H
#define AUTO_DISTANCE_H

#include "dep/dependence.h"

enum { MAX_DEPTH = 8, FAR = 1 << 20 };

/* The smallest and the largest distance from the earlier instance of a pair to the later one, in iterations, in the
 * order in which the loop runs. FAR means that distance or a larger one. */
struct reach {
    bool any; /* are there pairs at all? */
    int least, most;
};

struct distances;

/* Of the required dependences. NULL: a statement has more than MAX_DEPTH loops. */
struct distances *distances_new(struct arena *arena, const struct dependences *dependences);
/* What they are of. */
const struct dependences *distances_dependences(const struct distances *distances);

/* In loop dim, of the pairs among the statements marked in member, by index, that are in one iteration of the first
 * `outer` loops; dim >= outer. Statements that share fewer loops than dim count as far in both directions. */
struct reach distance_in(struct distances *distances, const bool *member, int outer, int dim);
/* The same without pairs that use one of the arrays marked in apart, by index. */
struct reach distance_apart(struct distances *distances, const bool *member, const bool *apart, int outer, int dim);
/* Is there a pair from a statement in `from` to one in `to`, by index, within one iteration of the first `outer`
 * loops? */
bool distance_between(struct distances *distances, const bool *from, const bool *to, int outer);

#endif
