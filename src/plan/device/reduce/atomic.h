/* Updates that several threads make of one element: each as one operation that no other interrupts. */
#ifndef PLAN_DEVICE_REDUCE_ATOMIC_H
#define PLAN_DEVICE_REDUCE_ATOMIC_H

#include "sched/order.h"

/* Is target op value, in target's type, what the description says? */
bool update_stays_in_type(const struct statement *statement);
/* Can the device make the statement, an update of a reduction whose order is free, that way? */
bool atomic_is_there(const struct program *program, const struct statement *statement);
/* Marks the statements of the kernel of which iterations of bound loops that run at once update one element. */
void atomic_mark(const struct program *program, const struct order *kernel);

#endif
