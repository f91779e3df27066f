#include "api/registry.h"

/* X(name) of every primitive, in the order of the manual. */
#define SCHEDULE_PRIMITIVES(X)
#define PLAN_PRIMITIVES(X)

#define DECLARE(name) extern const struct primitive primitive_##name;
#define ADDRESS(name) &primitive_##name,

SCHEDULE_PRIMITIVES(DECLARE)
PLAN_PRIMITIVES(DECLARE)

const struct primitive *const schedule_primitives[] = {SCHEDULE_PRIMITIVES(ADDRESS) NULL};
const struct primitive *const plan_primitives[] = {PLAN_PRIMITIVES(ADDRESS) NULL};
