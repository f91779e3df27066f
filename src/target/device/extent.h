/* The sizes of grids and blocks: the number of blocks, or threads, along each axis of a launch. */
#ifndef TARGET_DEVICE_EXTENT_H
#define TARGET_DEVICE_EXTENT_H

#include "target/clike/index.h"
#include "target/device/file.h"

/* The extent of an axis: constant, or text with its least value. */
struct extent {
    const char *text;
    enum precedence precedence;
    struct index_text filled; /* what the launch has for it, if that is more; without text: text */
    int64_t value, least;     /* value 0: not known before the launch */
    const char *first, *per;  /* it is too much where first > limit * run per: "M > limit * 256 / N"; NULL: never */
    int64_t run;
};

struct extent extent_of(struct device_file *file, const struct launch *launch, int axis);
/* "(unsigned)((N + 15) / 16), (unsigned)M": of the three axes of a grid or block, as far as they are used. */
const char *extents_text(struct device_file *file, const struct extent *extent);

#endif
