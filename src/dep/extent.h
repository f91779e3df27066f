/* How much a map gives each point of its domain: boxes, and counts as polynomials of the parameters. */
#ifndef DEP_EXTENT_H
#define DEP_EXTENT_H

#include "dep/polynomial.h"

/* Of a map { T[..] -> X[x0,x1,..] }: what each T[..] goes to, and the smallest box around that. */
struct extent {
    const struct program *program;
    isl_aff **size; /* of the box in each dimension, [N] -> { [..] }; the largest over all T; NULL: not affine */
    int n;
    bool same;                      /* for all T; false: size is the largest */
    bool filled;                    /* the map reaches all points of each box */
    const struct polynomial *box;   /* product of the sizes; NULL: not known */
    const struct polynomial *count; /* points that each T goes to; NULL: not the same for all, or not known */
};

/* Everything in it is kept by the arena. The program's assumptions are taken for granted. */
struct extent extent_of_map(struct arena *arena, const struct program *program, __isl_take isl_map *map);
/* Of a set: as of the map from one point to it. */
struct extent extent_of_set(struct arena *arena, const struct program *program, __isl_take isl_set *set);

/* The points T where the map has nothing have less than the others, unless a size is 0 there anyway. */
void extent_add_empty(struct extent *extent, __isl_take isl_set *times);

/* The elements of array that the program touches at each time of times { S[i,j] -> T[..] }; NULL when it touches
 * none. */
__isl_give isl_map *footprint(const struct program *program, const struct array *array,
                              __isl_keep isl_union_map *times);

/* "M x 3", "1" of no dimensions; "?" where a size is not known. */
void extent_print(struct text *out, struct arena *arena, const struct extent *extent);

#endif
