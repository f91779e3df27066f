/* Programs of polynest-wide on the abstract machine: what is wrong there, no printer and no compiler has part in. */
#ifndef FUZZ_WIDE_MACHINE_H
#define FUZZ_WIDE_MACHINE_H

#include "base/text.h"
#include "polynest/polynest.h"

#include <stdbool.h>
#include <stdint.h>

enum { SEEN_SIZES = 3 };

struct wide_seen {
    int64_t size[SEEN_SIZES][2]; /* to run with, where the description allows them */
    double close;                /* fraction by which floats may differ; negative: what is permitted suggests it */
    bool whole;                  /* inputs are whole numbers */
    struct text reason;          /* gets what the tree computes that it should not */
    bool ran;                    /* gets whether it ran to its end at all sizes */
    double took;                 /* gets the processor's seconds */
};

/* When p emits, the finished tree runs. */
void wide_watch(polynest *p, struct wide_seen *seen);
double wide_seconds(void);

#endif
