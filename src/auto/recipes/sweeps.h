/* Sweeps over arrays that a loop repeats, such as the steps of a stencil, and what is needed to put several of them
 * into one tile: how statements are aligned and shifted, and by how much each dimension is skewed.
 *
 *     S[t, i, j] -> [t, factor * t + i + shift(S), ..., number of S, j]
 */
#ifndef AUTO_RECIPES_SWEEPS_H
#define AUTO_RECIPES_SWEEPS_H

#include "auto/part.h"
#include "auto/site.h"

enum { MOST_SWEPT = 16 };

/* A statement of the nest. Its dimension k of the sweeps is its loop dim[k], or where that is 0 the value at[k]. */
struct swept {
    const struct statement *statement;
    int dim[MAX_DEPTH];
    int64_t at[MAX_DEPTH];
    int64_t shift[MAX_DEPTH];
};

/* A dependence: how far it goes in the sweeps and in each of their dimensions, { [d, d0, ..] }. */
struct sweep_step {
    int from, to; /* of the statements */
    isl_set *step;
};

struct sweeps {
    const struct scene *scene;
    struct swept swept[MOST_SWEPT];
    int n, n_dim;
    int n_skewed; /* the first dimensions, which are skewed and tiled */
    int64_t factor[MAX_DEPTH];
    int full; /* a statement that has all dimensions */
    int64_t
        inner_factor; /* by which the innermost loop is skewed by the one around, which is free then; 0: it is free */
    VEC(struct sweep_step) step;
};

/* Are there sweeps at all: does the outermost loop carry something, and each statement have neighbours in lanes? */
bool sweeps_find(const struct scene *scene, const part_vec *parts, struct sweeps *sweeps);

#endif
