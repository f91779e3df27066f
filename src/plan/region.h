/* The part of the order that a cache is for, and what it does to the array there. */
#ifndef PLAN_REGION_H
#define PLAN_REGION_H

#include "plan/buffer.h"

/* One reference to the array by a statement below the loop. */
struct region_access {
    int statement, access; /* statement->index, number of the access */
};

struct region {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    const struct order *loop;    /* the cached loop */
    const struct order *trigger; /* the loop before which copies run; NULL: the cached one */
    struct path path;         /* the loops around the cached one; of those from the trigger on, the ones that move
                               * through the array */
    int n_outside;            /* of path.loop; the others are between the trigger and the cached loop */
    isl_union_set *instances; /* below loop; kept by the arena */
    VEC(struct region_access) list;
    bool written;
};

/* Collects the references below loop. Refused: none, ones that depend on data, statements that also run elsewhere. */
enum status region_find(struct region *region);

const struct access *region_access(const struct region *region, int k);
/* { [c, m] -> A[a] } of all references. */
__isl_give isl_map *region_footprint(const struct region *region);
/* { S[..] -> [c, m] } */
__isl_give isl_multi_pw_aff *region_iteration(const struct region *region, const struct statement *statement);
/* The elements that must be there before the region runs, and those it leaves changed, { [c, m] -> A[a] }. */
__isl_give isl_map *region_filled(const struct region *region);
__isl_give isl_map *region_flushed(const struct region *region);
/* How the loops below move through the array, by its first reference. */
struct drivers region_drivers(const struct region *region);

#endif
