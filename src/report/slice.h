/* A slice of an iteration space: some loops keep one value, written `1,*,*`, outermost first. */
#ifndef REPORT_SLICE_H
#define REPORT_SLICE_H

#include "base/diag.h"
#include "sched/order.h"

struct slice {
    int64_t *value; /* of each loop from the outermost on, as the emitted loop has it; n of them */
    bool *fixed;    /* does it keep this value? Loops that are not told go through all */
    int n;
};

/* False after reporting what is wrong with the text. */
bool slice_read(struct arena *arena, struct diags *diags, const char *text, struct slice *slice);
/* The order of what runs in the slice; NULL: nothing does. *program becomes a copy whose statements have no other
 * instances. */
const struct order *slice_of(struct arena *arena, const struct program **program, const struct order *order,
                             const struct slice *slice);

#endif
