/* Moving a part of the order into a loop elsewhere. */
#ifndef SCHED_GRAFT_H
#define SCHED_GRAFT_H

#include "sched/edit.h"
#include "sched/path.h"

/* What moves and where to. */
struct graft {
    const struct path *path;  /* the loops it moves into; its place is in the last one's body */
    isl_union_pw_aff **time;  /* for each loop of the path, the counts of what moves */
    const struct order *part; /* what runs in one iteration of them */
    bool last;                /* behind what is in that body; else in front of it */
    const bool *beside;       /* only in copies of the loops that are around one of these statements, by index; NULL:
                                * in all copies */
};

/* order, which no longer has the part, with the part in its new place. The loops of the path are found by identity. */
const struct order *graft_insert(struct arena *arena, const struct order *order, const struct graft *graft);
/* order without the instances of the statements in member (by index); NULL when nothing is left. */
const struct order *graft_remove(struct arena *arena, const struct order *order, const bool *member);
/* The topmost part of order with all instances of these statements and no others; NULL when they do not stand
 * together. */
const struct order *graft_find(const struct order *order, const bool *member);
/* part with loops renamed that are called like others where ref's loop is. */
const struct order *graft_rename(struct schedule *schedule, const struct loop_ref *ref, const struct order *part);

#endif
