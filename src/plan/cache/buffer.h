/* The shape of a cache: which element of an array is where in its buffer.
 *
 * Filled in iteration c of the loops outside, a buffer holds what the iterations m of the loops between (none,
 * unless there is a trigger) touch of array A, each in a box of its own. A box is cut into digits, one for each
 * dimension of the buffer:
 *     place  { [c, y] -> [c, m, a] }   m_k = first_k(c) + y of its digit
 *                                      a_d = offset_d(c, m) + stride_d * (sum of unit * y over the digits of d)
 */
#ifndef PLAN_CACHE_BUFFER_H
#define PLAN_CACHE_BUFFER_H

#include "dep/box.h"
#include "plan/cache/options.h"
#include "sched/edit.h"
#include "sched/path.h"

enum { BUFFER_MAX_DIM = 80, BUFFER_MAX_DIGIT = 96 };

/* A dimension of the buffer. */
struct digit {
    int axis;     /* of the array, or the number of the loop between, negative: -1, -2, .. */
    int64_t unit; /* neighbours in this dimension are so many elements of the box apart */
    int64_t size; /* 0: as far as the array's dimension goes, see extent */
    struct expr *extent;
    const char *name;               /* of its loop in copies */
    const struct loop_info *driver; /* the loop inside the cached one that it is; NULL: several, or none */
};

struct buffer {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    struct buffer_options options;
    struct path path; /* the loops outside, then the loops between */
    int n_outside, n_between;
    isl_map *footprint;                          /* { [c, m] -> A[a] } */
    struct box between[BUFFER_MAX_DIM];          /* { [c] -> [m_k] } */
    struct expr *between_extent[BUFFER_MAX_DIM]; /* where no constant bounds m_k: its iterations */
    struct box box[BUFFER_MAX_DIM];              /* { [c, m] -> [a_d] } */
    struct expr *box_extent[BUFFER_MAX_DIM]; /* where no constant bounds a_d, but parameters do; NULL: it is whole */
    struct digit digit[BUFFER_MAX_DIGIT];
    int n_digit;
    isl_map *place;       /* see above, with bounds on y; kept by the arena */
    isl_multi_aff *first; /* the same as functions, without bounds: { [c, y] -> [m, a] } */
};

/* The loops below the cached one that enclose a reference, with what each adds to the array's subscripts per count. */
struct driver {
    const struct loop_info *info;
    int64_t factor[BUFFER_MAX_DIM]; /* by dimension; 0: none, or not one number */
};
struct drivers {
    struct driver *list; /* outermost first */
    int n;
};

/* Measures the boxes of footprint; STATUS_REFUSED after reporting when they cannot be given. */
enum status buffer_measure(struct buffer *buffer);
/* Shared memory is small: of dimension dim, of which these are the elements, a part is kept whose size parameters tell
 * where no constant bounds it, or only a large one that is assumed. */
void buffer_measure_part(struct buffer *buffer, int dim, __isl_keep isl_map *elements);
/* Chooses the digits: by the step's `layout`, else one an axis in the array's own order. */
enum status buffer_lay_out(struct buffer *buffer, const struct drivers *drivers);
/* Sets place and first. */
void buffer_place(struct buffer *buffer);
/* Do the elements lie in the array as they would in the buffer, one directly after the other? */
bool buffer_is_contiguous(const struct buffer *buffer);
/* The unit of the next coarser digit of the same axis; 0: this is the coarsest. */
int64_t digit_coarser(const struct buffer *buffer, const struct digit *digit);
/* Has an element at most one place? Yes where the digits of each axis are those of a number: those finer than one of
 * them together stay below its unit. False: that is not seen from them. */
bool buffer_is_injective(const struct buffer *buffer);
void buffer_release(struct buffer *buffer);

#endif
