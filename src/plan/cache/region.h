/* The part of the order that a cache is for, and what it does to the array there.
 *
 * A region is the inside of one copy of a loop. Its references to the array may fall into several groups, far from each
 * other, each of which gets a buffer of its own: region_find collects all, region_take_group leaves one group.
 */
#ifndef PLAN_CACHE_REGION_H
#define PLAN_CACHE_REGION_H

#include "plan/cache/buffer.h"

/* One reference to the array by a statement below the loop. */
struct region_access {
    int statement, access; /* statement->index, number of the access */
};

struct region {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    const struct array *view; /* only the references that name this view of the array; NULL: all */
    struct buffer_options options;
    const struct order *loop;    /* the cached loop */
    const struct order *trigger; /* the loop before which copies run; NULL: the cached one */
    struct path path;            /* the loops around the cached one; of those from the trigger on, the ones that move
                               * through the array */
    int n_outside;               /* of path.loop; the others are between the trigger and the cached loop */
    isl_union_set *instances;    /* below loop; kept by the arena */
    VEC(struct region_access) list;
    bool written;
    const struct statement *divided; /* has references here and runs elsewhere, too; NULL: there is none */
};

/* Collects the references below loop, perhaps none. Refused: ones whose element depends on data. */
enum status region_find(struct region *region);
/* Instead: the references of one statement everywhere; or of all statements of the nest that it is in, with those of
 * nests before it that give the array its first values, where nothing else uses the array in between. Refused when
 * there are none, or something else in that nest changes what the statement reads. */
enum status region_of_reader(struct region *region, const struct statement *statement);
enum status region_of_writer(struct region *region, const struct statement *statement);
/* The array that the step's main argument names, itself or by *view (else NULL); NULL after reporting. */
const struct array *region_array(struct schedule *schedule, const struct step *step, const struct array **view);
/* Is the access one to the array (and by the view, if there is one)? */
bool region_names(const struct region *region, const struct access *access);
/* Refused when the region is that of a view, and other references below the loop, or in the nest, may meet it in the
 * same iteration where one of both writes. */
enum status region_check_view(const struct region *region);
/* Adds a reference; refused when its element depends on data. */
enum status region_add(struct region *region, const struct statement *statement, int access);
/* How many groups the references fall into: what is close to each other, or may be the same element where one is
 * written, is one group. */
int region_groups(const struct region *region);
/* Leaves the references of group g. Refused when it cannot have a buffer. */
enum status region_take_group(struct region *region, int g);
/* Leaves of the loops between those that move through the array. Refused when something changes what is copied between
 * the trigger and its use. */
enum status region_settle_trigger(struct region *region);
/* The instances of the statement in the region. */
__isl_give isl_set *region_instances(const struct region *region, const struct statement *statement);

const struct access *region_access(const struct region *region, int k);
const struct statement *region_statement(const struct region *region, int k);
/* { [c, m] -> A[a] } of reference k. */
__isl_give isl_map *region_touched(const struct region *region, int k);
/* { [c, m] -> A[a] } of all references. */
__isl_give isl_map *region_footprint(const struct region *region);
/* { S[..] -> [c, m] } */
__isl_give isl_multi_pw_aff *region_iteration(const struct region *region, const struct statement *statement);
/* The elements that must be there before the region runs, and those it leaves changed, { [c, m] -> A[a] }. */
__isl_give isl_map *region_filled(const struct region *region);
__isl_give isl_map *region_flushed(const struct region *region);
/* The buffer for the group; to be released either way. Refused when it cannot have the shape that is asked for. */
enum status region_buffer(const struct region *region, struct buffer *buffer);
/* Refused when a buffer of the type that is asked for changes results. */
enum status convert_check(const struct region *region);
/* How the loops below move through the array, by its first reference. */
struct drivers region_drivers(const struct region *region);

#endif
