# sources of src/plan, alphabetical
libpolynest_la_SOURCES += \
	src/plan/dense.c src/plan/dense.h \
	src/plan/lane_strips.c src/plan/lane_strips.h \
	src/plan/loop_plan.c src/plan/loop_plan.h \
	src/plan/plan.c src/plan/plan.h \
	src/plan/privacy.c src/plan/privacy.h

# src/plan/cache
libpolynest_la_SOURCES += \
	src/plan/cache/blocks.c src/plan/cache/blocks.h \
	src/plan/cache/buffer.c src/plan/cache/buffer.h \
	src/plan/cache/buffer_layout.c \
	src/plan/cache/buffer_part.c \
	src/plan/cache/convert.c \
	src/plan/cache/copies.c src/plan/cache/copies.h \
	src/plan/cache/copy_loops.c \
	src/plan/cache/copying.h \
	src/plan/cache/group.c \
	src/plan/cache/nest_region.c \
	src/plan/cache/options.c src/plan/cache/options.h \
	src/plan/cache/record.c src/plan/cache/record.h \
	src/plan/cache/redirect.c \
	src/plan/cache/region.c src/plan/cache/region.h \
	src/plan/cache/sites.c src/plan/cache/sites.h \
	src/plan/cache/still.c src/plan/cache/still.h \
	src/plan/cache/thrifty.c \
	src/plan/cache/trigger.c

# src/plan/check
libpolynest_la_SOURCES += \
	src/plan/check/check.c src/plan/check/check.h \
	src/plan/check/check_lanes.c \
	src/plan/check/check_test.c src/plan/check/check_test.h \
	src/plan/check/clause.c src/plan/check/clause.h \
	src/plan/check/launch.c src/plan/check/launch.h \
	src/plan/check/lockstep.c src/plan/check/lockstep.h \
	src/plan/check/lockstep_parts.c src/plan/check/lockstep_parts.h \
	src/plan/check/one_vector.c \
	src/plan/check/separate.c src/plan/check/separate.h

# src/plan/device
libpolynest_la_SOURCES += \
	src/plan/device/conflict.c src/plan/device/conflict.h \
	src/plan/device/places.c src/plan/device/places.h \
	src/plan/device/from_start.c src/plan/device/from_start.h \
	src/plan/device/kernels.c src/plan/device/kernels.h \
	src/plan/device/shared_bytes.c src/plan/device/shared_bytes.h

# src/plan/device/copies
libpolynest_la_SOURCES += \
	src/plan/device/copies/ahead.c src/plan/device/copies/ahead.h \
	src/plan/device/copies/ahead_split.c \
	src/plan/device/copies/cooperate.c src/plan/device/copies/cooperate.h \
	src/plan/device/copies/copying.c src/plan/device/copies/copying.h \
	src/plan/device/copies/dealing.c src/plan/device/copies/dealing.h \
	src/plan/device/copies/rotate.c \
	src/plan/device/copies/join_zeros.c src/plan/device/copies/join_zeros.h \
	src/plan/device/copies/neighbours.c src/plan/device/copies/neighbours.h \
	src/plan/device/copies/run_copies.c src/plan/device/copies/run_copies.h \
	src/plan/device/copies/wide.c src/plan/device/copies/wide.h \
	src/plan/device/copies/widening.c src/plan/device/copies/widening.h \
	src/plan/device/copies/widening_pad.c

# src/plan/device/reduce
libpolynest_la_SOURCES += \
	src/plan/device/reduce/atomic.c src/plan/device/reduce/atomic.h \
	src/plan/device/reduce/block_sum.c src/plan/device/reduce/block_sum.h \
	src/plan/device/reduce/lanes.c src/plan/device/reduce/lanes.h \
	src/plan/device/reduce/summing.c src/plan/device/reduce/summing.h \
	src/plan/device/reduce/whole_warps.c src/plan/device/reduce/whole_warps.h

# src/plan/device/sync
libpolynest_la_SOURCES += \
	src/plan/device/sync/asked.c src/plan/device/sync/asked.h \
	src/plan/device/sync/barrier.c src/plan/device/sync/barrier.h \
	src/plan/device/sync/groups.c src/plan/device/sync/groups.h \
	src/plan/device/sync/pairs.c src/plan/device/sync/pairs.h \
	src/plan/device/sync/placing.c src/plan/device/sync/placing.h \
	src/plan/device/sync/sync.c src/plan/device/sync/sync.h \
	src/plan/device/sync/waited.c src/plan/device/sync/waited.h

# src/plan/steps
libpolynest_la_SOURCES += \
	src/plan/steps/plan_bind.c \
	src/plan/steps/plan_cache.c \
	src/plan/steps/plan_kernelize.c \
	src/plan/steps/plan_parallelize.c \
	src/plan/steps/plan_pragma.c \
	src/plan/steps/plan_prefetch.c \
	src/plan/steps/plan_privatize.c \
	src/plan/steps/plan_set_memory.c \
	src/plan/steps/plan_stream.c \
	src/plan/steps/plan_sync.c \
	src/plan/steps/plan_tensorize.c \
	src/plan/steps/plan_unroll.c \
	src/plan/steps/plan_vectorize.c \
	src/plan/steps/prim_cache_read.c \
	src/plan/steps/tensorize.h \
	src/plan/steps/tensorize_dot.c \
	src/plan/steps/tensorize_tile.c

# src/plan/storage
libpolynest_la_SOURCES += \
	src/plan/storage/branches.c src/plan/storage/branches.h \
	src/plan/storage/contract.c src/plan/storage/contract.h \
	src/plan/storage/contract_refusals.c src/plan/storage/contract_refusals.h \
	src/plan/storage/device.c src/plan/storage/device.h \
	src/plan/storage/footprint.c src/plan/storage/footprint.h \
	src/plan/storage/padding.c src/plan/storage/padding.h \
	src/plan/storage/round_up.c src/plan/storage/round_up.h \
	src/plan/storage/whole_tiles.c src/plan/storage/whole_tiles.h \
	src/plan/storage/tails.c src/plan/storage/tails.h \
	src/plan/storage/widen.c src/plan/storage/widen.h \
	src/plan/storage/window.c src/plan/storage/window.h \
	src/plan/storage/zeros.c src/plan/storage/zeros.h
