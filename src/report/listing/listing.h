/* The listing of an order: its loops as short pseudo-code, in which statements have their text.
 *
 *     for i = 0 to M - 1 step 4  [parallel]
 *       fill Bp[k][jj] from B  (64 x 16)
 *       for ii = 0 to min(4, M - i) - 1  [unrolled]
 *         S0: C[i + ii, j] += A[i + ii, k] * Bp[k, jj]
 *
 * Loops stand there once, whatever is made of their tails; what copies to and from a buffer is one line.
 */
#ifndef REPORT_LISTING_LISTING_H
#define REPORT_LISTING_LISTING_H

#include "base/text.h"
#include "sched/schedule.h"

/* The loops are made as they are for the emitted code; where that cannot be, the outline stands there, and why. */
void report_listing(const struct schedule *schedule, const struct order *order, struct text *out);

#endif
