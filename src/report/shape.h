/* The shape of a statement's iteration space in an order: positions along each loop. */
#ifndef REPORT_SHAPE_H
#define REPORT_SHAPE_H

#include "sched/order.h"

/* Adds one line for each leaf of order, `S: (i 3, j 3, jj 5, k 15), 135 empty`; sizes must be constant. */
void report_shapes(const struct order *order, struct text *out);

#endif
