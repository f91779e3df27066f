/* The elements that one iteration touches in one dimension of an array, as a strided box:
 *     { [c0,..] -> [a] }   within   a = offset(c) + stride * y,  0 <= y < size
 */
#ifndef DEP_BOX_H
#define DEP_BOX_H

#include "program/program.h"

struct box {
    int64_t size;    /* 0: no constant bounds it */
    int64_t stride;  /* 1 unless strides were asked for */
    isl_aff *offset; /* { [c0,..] -> [first] }; NULL where size is 0 */
};

/* The smallest box around map, whose range has one dimension; to be released. */
struct box box_measure(__isl_keep isl_map *map);
/* The same where elements may be a constant number apart. */
struct box box_measure_strided(__isl_keep isl_map *map);
/* Where no constant bounds it: a box as large in each iteration, size() depending on the parameters only,
 *     a = offset(c) + y,  0 <= y < size
 * of those that single bounds of the elements tell the one that depends on the fewest parameters. *size is NULL where
 * there is none, else { [c] -> [(size)] }; both are to be released. */
struct box box_measure_symbolic(__isl_keep isl_map *map, __isl_keep isl_set *context, isl_aff **size);
void box_release(struct box *box);

/* { [c] -> A[a0,..] } as { [c] -> [a_dim] } */
__isl_give isl_map *box_dimension(__isl_keep isl_map *elements, int dim);

#endif
