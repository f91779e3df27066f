/* Instances that fill tiles: what a statement runs where the last tile of a loop runs in full. */
#ifndef PLAN_STORAGE_WHOLE_TILES_H
#define PLAN_STORAGE_WHOLE_TILES_H

#include "sched/path.h"

/* domain { S[x] } with all of each tile, an iteration of the path's loops, in which it has something. */
__isl_give isl_set *whole_tiles_of(const struct path *path, const struct statement *statement,
                                   __isl_take isl_set *domain);
/* The part of domain whose dimensions have the strides and offsets that they have in own: loops run no others. */
__isl_give isl_set *whole_tiles_on_strides(__isl_take isl_set *domain, __isl_keep isl_set *own);

#endif
