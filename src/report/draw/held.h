/* Part of report/draw/draw.h: what buffers hold of arrays, and when. */
#ifndef REPORT_DRAW_HELD_H
#define REPORT_DRAW_HELD_H

#include "report/draw/instances.h"

/* An element of the array, and where the buffer has it. */
struct held_element {
    int64_t *at;
    int64_t place; /* counted along the rows of the buffer; -1: not known */
    int fill;      /* number of the fill */
};

/* What one iteration of the loops around has in the buffer, while instances with numbers above from, up to to, run. */
struct fill {
    int from, to;
};

struct held {
    const struct cached *cached;
    const struct array *array;
    struct held_element *list; /* by fill, then by place; n of them */
    int n;
    struct fill *fill; /* in the order of time */
    int n_fill;
};

/* What the buffer holds; false: there is none, or nothing is copied. */
bool held_find(struct arena *arena, const struct schedule *schedule, const struct instances *instances,
               __isl_keep isl_set *sizes, const struct cached *cached, struct held *held);

#endif
