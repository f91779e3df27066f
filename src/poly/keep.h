/* isl objects owned by an arena: given back when it is freed. NULL passes through. */
#ifndef POLY_KEEP_H
#define POLY_KEEP_H

#include "base/arena.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>

static inline void poly_release_set(void *set)
{
    isl_set_free(set);
}

static inline void poly_release_map(void *map)
{
    isl_map_free(map);
}

static inline void poly_release_union_map(void *map)
{
    isl_union_map_free(map);
}

static inline isl_set *poly_keep_set(struct arena *arena, __isl_take isl_set *set)
{
    if (set)
        arena_on_free(arena, poly_release_set, set);
    return set;
}

static inline isl_map *poly_keep_map(struct arena *arena, __isl_take isl_map *map)
{
    if (map)
        arena_on_free(arena, poly_release_map, map);
    return map;
}

static inline isl_union_map *poly_keep_union_map(struct arena *arena, __isl_take isl_union_map *map)
{
    if (map)
        arena_on_free(arena, poly_release_union_map, map);
    return map;
}

#endif
