/* A walk over the loops of an order, outermost first.
 *
 * Fused nests keep loops of their own inside of the fusing loop: in the order these are around each other, and each
 * runs once for the statements of the others. The walk goes through the nests one after the other, as they run. */
#ifndef REPORT_LOOP_WALK_H
#define REPORT_LOOP_WALK_H

#include "dep/parallel.h"
#include "sched/schedule.h"

#include <isl/schedule_node.h>

/* One loop: a band below its mark, or several that are collapsed. */
struct loop {
    const struct loop_info *info;
    isl_schedule_node *band; /* owned by the walk */
    isl_union_set *only;     /* the instances that the walk is about here; owned by it; NULL: all */
    int n;
    int depth;
};

struct loop_walk {
    const struct schedule *schedule;
    struct text *out;
    /* Called for each loop, for each statement directly inside of one, and at the end of each loop; the last two may be
     * NULL. */
    void (*visit)(struct loop_walk *walk, const struct loop *loop);
    void (*statement)(struct loop_walk *walk, const struct statement *statement, int depth);
    void (*leave)(struct loop_walk *walk, const struct loop *loop);
    void *user;
    isl_union_set *only; /* of a walk under way */
};

void walk_loops(struct loop_walk *walk);

/* { S[i,j] -> [..] }: the counts of the loops around this one, for what runs there; of these and its own. */
__isl_give isl_union_map *loop_times_around(const struct loop *loop);
__isl_give isl_union_map *loop_times_inside(const struct loop *loop);
/* Are its iterations independent? */
struct parallel loop_parallel(const struct loop_walk *walk, const struct loop *loop);
/* "16", "N - 1", or "up to N - 1" where not all iterations of the loops around have as many; malloc'ed, "" when that is
 * not known. *constant: their number, -1 when it is none. */
struct text loop_trips(const struct loop_walk *walk, const struct loop *loop, int64_t *constant);

#endif
