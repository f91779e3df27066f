/* What the parts of shared.c share: the arrays of a block whose sizes are known only at the launch, in the order in
 * which they stand behind each other. */
#ifndef TARGET_DEVICE_SHARED_H
#define TARGET_DEVICE_SHARED_H

#include "target/device/file.h"

enum { SHARED_PART = 16 }; /* each array starts at a multiple of it, so that 16 bytes can be copied at once */

/* So many units of memory, of so many bytes: rows of constant length, or elements. */
struct shared_part {
    const struct array *array;
    int64_t unit;                 /* bytes */
    int64_t factor;               /* units are factor times the product of the extents, */
    const struct affine **extent; /* which are at least 0; n of them, at least one */
    int n;
    int64_t multiple; /* what stands behind it is so many units further, or a multiple of that */
};

/* The part of an array that is symbolic; next: the alignment of the array behind it, 0: there is none. */
struct shared_part shared_part_of(struct device_file *file, const struct array *array, int64_t next);
/* `K`, `(K + 3) / 4 * 4`: the units up to the part behind it. */
const char *shared_units(struct device_file *file, const struct shared_part *part, enum precedence *precedence);
/* The bytes of all parts behind so many others, negative where they are too many. *most: a bound of them, INT64_MAX:
 * there is none; where there is one, no product overflows. */
const char *shared_bytes(struct device_file *file, const struct shared_part *part, int n, int64_t before,
                         int64_t *most);

#endif
