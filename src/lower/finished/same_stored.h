/* Is what a leaf loads stored by others for the same thing? Seen without sets: subscripts of a store, set equal to
 * those of the load, tell its counts one after the other,
 *
 *     Bp[a, b] for B[k + a, j + b]       b = c2, a = c1
 *     Bp[c1, c2] for B[k + c1, j + c2]
 *
 * and with these in their place it must be for the same, and its limits must hold.
 */
#ifndef LOWER_FINISHED_SAME_STORED_H
#define LOWER_FINISHED_SAME_STORED_H

#include "lower/finished/shape.h"

enum stored {
    STORED_ELSEWHERE, /* none of the elements */
    STORED_SAME,      /* nothing in these elements for anything else */
    STORED_PART,      /* and those of them of which all conditions hold */
    STORED_UNKNOWN
};

/* Of a load's iterations those for which all conditions, on its counts, hold. */
struct stored_part {
    condition_vec condition;
    bool some; /* others may be stored, too, by instances that nothing but the conditions tells apart */
};

typedef VEC(struct stored_part) stored_part_vec;

/* A store in a loop whose elements replace others some iterations later, as row y of t[y % 3] replaces row y - 3. */
struct window {
    const struct shape *both;   /* pairs of their iterations in which both use one place: only conditions that matter */
    const struct affine *ahead; /* the element that is stored there, less the one that is loaded: a multiple of */
    int64_t modulus;            /* this; 0: they are the same */
    const struct affine *now;   /* the store's iteration there; NULL: it stands in front of the loop */
    stored_part_vec parts;      /* the iterations of the load whose element it stores, */
    const struct affine *served; /* in this iteration of its own */
};

/* What the store does to the elements of a load. The arguments of both shapes are n_index subscripts, then the element
 * of the description that is meant; the two shapes share no new counts. A STORED_PART is added to parts. */
enum stored same_stored(struct arena *arena, const struct shape *load, const struct shape *store, int n_index,
                        stored_part_vec *parts);
/* Compares a load in a loop with a store that may put other elements in the same places. iteration: the count of that
 * loop in the store, NULL: the store stands in front of it. False: their elements differ in several dimensions. */
bool same_window(struct arena *arena, const struct shape *load, const struct shape *store, int n_index,
                 const struct var *iteration, struct window *window);
/* Does the affine use no counts but those of `ahead` and `now`, and of loops around the load? */
bool window_asks(const struct window *window, const struct affine *affine);
/* affine < 0; NULL: numbers are too large. */
const struct affine *stored_opposite(struct arena *arena, const struct affine *affine);
/* Does affine >= 0, or for `equal` = 0, hold where the load is, and some conditions more hold? False says nothing. */
bool stored_known(struct arena *arena, const struct shape *load, const condition_vec *more, const struct affine *affine,
                  bool equal);
/* Puts what the shape's conditions say of quotients in its arguments in their place. */
void stored_tell_quotients(struct shape *shape);
/* Do the parts have all of the load's iterations? False says nothing. */
bool stored_by_parts(struct arena *arena, const struct shape *load, const stored_part_vec *parts);
/* Iterations of the load, as bits, in which some conditions more hold. */
unsigned stored_points(const struct shape *load, const condition_vec *more);
/* Is affine < 0 in one of these? False says nothing. */
bool stored_fails(const struct shape *load, unsigned points, const struct affine *affine);
/* Is some iteration of the load, at one of some sizes, in none of the parts? False says nothing. */
bool stored_misses(const struct shape *load, const stored_part_vec *parts);

#endif
