/* Part of device/sync/sync.h: pairs of instances of each of a kernel's conflicts, and what barriers leave of them. */
#ifndef PLAN_DEVICE_SYNC_PAIRS_H
#define PLAN_DEVICE_SYNC_PAIRS_H

#include "plan/device/conflict.h"

/* As many as there are conflicts, kept by the arena. */
typedef isl_union_map *const *conflict_pairs;

conflict_pairs pairs_none(const struct conflicts *conflicts);
conflict_pairs pairs_joined(const struct conflicts *conflicts, conflict_pairs a, conflict_pairs b);
/* Those that `to` has, too. */
conflict_pairs pairs_within(const struct conflicts *conflicts, conflict_pairs pairs, __isl_take isl_union_map *to);
/* Those of which the first is in an earlier iteration of a loop with this time, and those of one iteration. */
void pairs_divide(const struct conflicts *conflicts, conflict_pairs pairs, __isl_keep isl_union_pw_aff *time,
                  conflict_pairs *earlier, conflict_pairs *at_once);
/* Those from a to b. */
conflict_pairs pairs_between(const struct conflicts *conflicts, conflict_pairs pairs, const struct order *a,
                             const struct order *b);
/* Those from a to b, which follows it, that no barrier inside of these separates; either may be NULL. */
conflict_pairs pairs_left(const struct conflicts *conflicts, conflict_pairs pairs, const struct order *a,
                          const struct order *b);
/* Those from child[a] to what follows child[last - 1] that no barrier before that separates. */
conflict_pairs pairs_leaving(const struct conflicts *conflicts, conflict_pairs pairs, const struct order *const *child,
                             int a, int last);
/* The later ends of them. */
__isl_give isl_union_set *pairs_later(const struct conflicts *conflicts, conflict_pairs pairs);
/* Marks the conflicts of which there are some. */
bool pairs_mark(const struct conflicts *conflicts, conflict_pairs pairs, bool *marked);

#endif
