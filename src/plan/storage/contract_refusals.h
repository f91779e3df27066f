/* Why a temporary cannot be as small as it has to be. */
#ifndef PLAN_STORAGE_CONTRACT_REFUSALS_H
#define PLAN_STORAGE_CONTRACT_REFUSALS_H

#include "plan/storage/footprint.h"

/* The iterations that a step put in front of its subscripts cannot go. */
enum status contract_refuse_iterations(const struct schedule *schedule, const struct footprint *footprint);
/* It is to have a window, and has none; with init_zero it needs its zeros from the start; bound: blocks or threads use
 * it within an iteration. */
enum status contract_refuse_window(const struct schedule *schedule, const struct array *array, bool bound);

#endif
