#include "api/registry.h"

/* X(name) of every primitive, in the order of the manual. */
/* clang-format off */
#define SCHEDULE_PRIMITIVES(X)                                                                             \
    X(reorder) X(split) X(tile) X(skew) X(pad) X(shift) X(reverse) X(scale) X(collapse) X(cut) X(peel)         \
    X(join) X(fuse) X(fission) X(map) X(inline) X(compute_at) X(simple_compute_at)                          \
    X(reverse_compute_at) X(cache_read) X(cache_write) X(decompose_init) X(expand) X(rfactor) X(auto)
#define PLAN_PRIMITIVES(X) X(cache) X(set_memory) X(privatize) X(unroll) X(vectorize) X(kernelize) X(parallelize) \
    X(bind) X(prefetch) X(stream) X(pragma) X(tensorize) X(sync)
/* clang-format on */

#define DECLARE(name) extern const struct primitive primitive_##name;
#define ADDRESS(name) &primitive_##name,

SCHEDULE_PRIMITIVES(DECLARE)
PLAN_PRIMITIVES(DECLARE)

const struct primitive *const schedule_primitives[] = {SCHEDULE_PRIMITIVES(ADDRESS) NULL};
const struct primitive *const plan_primitives[] = {PLAN_PRIMITIVES(ADDRESS) NULL};
