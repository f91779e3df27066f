/* isl objects owned by an arena: given back when it is freed. NULL passes through. */
#ifndef POLY_KEEP_H
#define POLY_KEEP_H

#include "base/arena.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

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

static inline void poly_release_union_set(void *set)
{
    isl_union_set_free(set);
}

static inline void poly_release_aff(void *aff)
{
    isl_aff_free(aff);
}

static inline void poly_release_union_pw_aff(void *aff)
{
    isl_union_pw_aff_free(aff);
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

static inline isl_union_set *poly_keep_union_set(struct arena *arena, __isl_take isl_union_set *set)
{
    if (set)
        arena_on_free(arena, poly_release_union_set, set);
    return set;
}

static inline isl_aff *poly_keep_aff(struct arena *arena, __isl_take isl_aff *aff)
{
    if (aff)
        arena_on_free(arena, poly_release_aff, aff);
    return aff;
}

static inline isl_union_pw_aff *poly_keep_union_pw_aff(struct arena *arena, __isl_take isl_union_pw_aff *aff)
{
    if (aff)
        arena_on_free(arena, poly_release_union_pw_aff, aff);
    return aff;
}

#endif
