/* Part of plan/device/sync/sync.h: which conflicts the barriers that are there already keep apart. */
#ifndef PLAN_DEVICE_SYNC_WAITED_H
#define PLAN_DEVICE_SYNC_WAITED_H

#include "plan/device/conflict.h"

/* Does the barrier separate the conflict? What asynchronous copies write is there once their thread has waited, which
 * is enough for that thread. */
bool waited_serves(const struct order *barrier, const struct conflict *conflict);
/* Is there a barrier among child[from..to) that separates the conflict, whatever runs before and after it? */
bool waited_among(const struct order *const *child, int from, int to, const struct conflict *conflict);
/* Is there one for each of the conflicts? */
bool waited_all(const struct conflicts *conflicts, const struct order *const *child, int from, int to);
/* The conflict's pairs, from a to b which follows it, that no barrier inside of these separates; either may be NULL. */
__isl_give isl_union_map *waited_left(const struct program *program, const struct conflict *conflict,
                                      __isl_keep isl_union_map *pairs, const struct order *a, const struct order *b);

#endif
