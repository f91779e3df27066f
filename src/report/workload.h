/* Sizes to try a description with, and what it computes there, as JSON. */
#ifndef REPORT_WORKLOAD_H
#define REPORT_WORKLOAD_H

#include "report/draw/draw.h"

/* The sizes that were given, and small values of the other parameters, different ones for each number. schedule has no
 * steps. Refused: see report_draw.
 *
 *     {"sizes": {"N": 17}, "permit": ["reassociate"], "operations": "2 * N", "at_most": false, "touched": {"A": "N"},
 *      "rounded": {"s": "f32"}}
 *
 * Operations and elements are expressions in the parameters, null where they are not known; "at_most": data decide how
 * many of the operations there are; "rounded": in which type results of floats have their rounding errors. */
enum status report_workload(const struct schedule *schedule, const struct size *size, int n_size, unsigned number,
                            struct text *out);

#endif
