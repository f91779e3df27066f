/* An order without the loops that do not loop. */
#ifndef SCHED_SPECIALISE_H
#define SCHED_SPECIALISE_H

#include "sched/order.h"

/* The same order of the same instances: a loop in which every statement stands at one constant count (the fusing loop,
 * another schedule's unfused loops) becomes a sequence by these counts, and goes where all counts are the same. It is
 * what isl would find out itself, at a price that grows with the number of dimensions. */
const struct order *order_specialise(struct arena *arena, const struct program *program, const struct order *order);

#endif
