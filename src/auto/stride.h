/* What a reference does from one iteration of a loop to the next, which decides where vectors and registers pay. */
#ifndef AUTO_STRIDE_H
#define AUTO_STRIDE_H

#include "program/program.h"

enum stride {
    STRIDE_NONE, /* the same element */
    STRIDE_NEXT, /* a neighbour in memory */
    STRIDE_FAR,  /* another one, or nobody knows */
};

/* dim: of the statement's loops. */
enum stride stride_of(const struct access *access, int dim);
/* Does the reference move in any of the n_loop loops around it but the first `outer`? */
bool stride_inside(const struct access *access, int outer, int n_loop);
/* What the reference gains in lanes of the loop: neighbours are loaded and stored at once, which is worth 4 each;
 * everything else costs. */
int stride_gain(const struct access *access, int dim);

/* Iterations at the ends of a loop. */
struct stride_ends {
    int first, last;
};

/* Does the reference of the statement go to the same element or a neighbour but for a few iterations at the loop's
 * ends, where subscripts are clamped? *gain: in lanes of the others. */
bool stride_between(const struct access *access, const struct statement *statement, int dim, struct stride_ends *ends,
                    int *gain);

#endif
