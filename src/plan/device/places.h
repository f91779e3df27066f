/* Part of plan/device/conflict.h: whether pairs of instances are in different threads, or blocks.
 *
 * "In different threads" is a union over the axes, so to take such pairs out of a relation cuts it into many pieces,
 * which everything after that pays for. It is only asked whether there is such a pair, piece by piece up to the first.
 */
#ifndef PLAN_DEVICE_PLACES_H
#define PLAN_DEVICE_PLACES_H

#include "base/vec.h"
#include "plan/device/kernels.h"

#include <isl/union_map.h>
#include <isl/union_set.h>

/* { S -> T } where the position of S is less in dimension dim than that of T, or greater. */
struct piece {
    const char *from, *to;
    int dim;
    bool less;
    isl_map *pairs; /* kept by the arena */
};

/* The answer to a question that was asked; the arena keeps the pairs, so no others are at their address. */
struct answer {
    isl_map *pairs;
    uint32_t hash; /* isl's */
    bool blocks, differ;
};

struct places {
    struct arena *arena;
    isl_union_map *position; /* { S -> [p] } */
    int dims;
    bool counts[POSITION_MOST]; /* which dimensions tell places apart */
    isl_union_set *anyones;     /* instances that any thread may run: never at the same place as others; or NULL */
    VEC(struct piece) piece;    /* those asked for so far */
    VEC(struct answer) answer;
};

/* Takes position and anyones, which the arena keeps. */
struct places *places_new(struct arena *arena, __isl_take isl_union_map *position, int dims,
                          __isl_take isl_union_set *anyones);
/* Is there a pair of instances at different places, or, with `blocks`, in different blocks? */
bool places_differ(struct places *places, __isl_keep isl_union_map *pairs, bool blocks);

#endif
