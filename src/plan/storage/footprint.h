/* What one iteration of some outer loops touches of a temporary. */
#ifndef PLAN_STORAGE_FOOTPRINT_H
#define PLAN_STORAGE_FOOTPRINT_H

#include "sched/schedule.h"

enum { MAX_PREFIX = 64 };

/* Why no further loop is one whose iterations use the part for themselves: its iterations run at once and have one
 * memory, it is collapsed, or else values leave it, if it is around all uses. */
enum footprint_end { END_VALUES, END_SHARED, END_COLLAPSED };

/* The part of an array that one iteration of the loops loop[0..depth), outermost first, uses for itself. */
struct footprint {
    const struct array *array;
    const struct order *loop[MAX_PREFIX];
    int depth;
    const struct order *next; /* the loop behind these; NULL: there is none around all uses */
    enum footprint_end end;
    int lane; /* the dimension that tells lanes of a vector apart, each of which has several elements: the last one in
               * memory; -1: there is none */
    const struct order *strip; /* a loop in lanes whose iterations have several elements of the part each, but no
                                * dimension that tells lanes apart (its length is no constant, as a rule); NULL: none */
    isl_map *map;         /* { [c0,..] -> A[a0,..] }: iteration to elements; NULL where subscripts tell it all */
    int64_t *size;        /* elements in each dimension; 0: all of it */
    bool *window;         /* of the dimensions: subscripts are modulo size, as elements leave iterations but not all are
                           * live at a time (window.h) */
    isl_aff **offset;     /* { [c0,..] -> [first element] }, where size is not 0, or there is an extent; of what each of
                           * the array's own iterations [n0,..] has, { [c0,..,n0,..] -> [first element] } */
    struct expr **extent; /* of shared memory, where size is 0: what the parameters tell, or of global memory: the
                           * positions of a bound loop; NULL: nothing */
};

/* Finds the deepest loops in whose iterations all values of array are used; false when none of its dimensions
 * shrinks. The footprint is to be released either way. program and order: the schedule's, perhaps with statements that
 * write zeros added. An array with zeros always gets a map. */
bool footprint_find(struct footprint *footprint, const struct schedule *schedule, const struct program *program,
                    const struct order *order, const struct array *array);
/* Is the extent of dimension dim larger than size, for some values of the parameters? */
bool footprint_shrinks(const struct footprint *footprint, const struct program *program, int dim, int64_t size);
/* Has an iteration of the loops one element of dimension dim, which is a loop's: that of the position where the loop is
 * bound, or of its lane? */
bool footprint_is_one(const struct footprint *footprint, int dim);
void footprint_release(struct footprint *footprint);
/* { S[i,j] -> [c0,..] }: the iteration that an instance belongs to. */
__isl_give isl_multi_pw_aff *footprint_iteration(const struct footprint *footprint, const struct statement *statement);

#endif
