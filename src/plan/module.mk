# sources of src/plan, alphabetical
libpolynest_la_SOURCES += \
	src/plan/ahead.c src/plan/ahead.h \
	src/plan/ahead_split.c \
	src/plan/blocks.c src/plan/blocks.h \
	src/plan/asked.c src/plan/asked.h \
	src/plan/atomic.c src/plan/atomic.h \
	src/plan/barrier.c src/plan/barrier.h \
	src/plan/block_sum.c src/plan/block_sum.h \
	src/plan/box.c src/plan/box.h src/plan/box_symbolic.c \
	src/plan/buffer.c src/plan/buffer.h src/plan/buffer_part.c \
	src/plan/check.c src/plan/check.h \
	src/plan/check_lanes.c src/plan/check_test.c src/plan/check_test.h \
	src/plan/clause.c src/plan/clause.h \
	src/plan/conflict.c src/plan/conflict.h \
	src/plan/contract.c src/plan/contract.h \
	src/plan/convert.c \
	src/plan/cooperate.c src/plan/cooperate.h \
	src/plan/copies.c src/plan/copies.h \
	src/plan/copy_loops.c \
	src/plan/copying.h \
	src/plan/dealing.c src/plan/dealing.h \
	src/plan/device.c src/plan/device.h \
	src/plan/double_buffer.c \
	src/plan/footprint.c src/plan/footprint.h \
	src/plan/group.c \
	src/plan/join_zeros.c src/plan/join_zeros.h \
	src/plan/kernels.c src/plan/kernels.h \
	src/plan/lanes.c src/plan/lanes.h \
	src/plan/lockstep.c src/plan/lockstep.h \
	src/plan/launch.c src/plan/launch.h \
	src/plan/loop_plan.c src/plan/loop_plan.h \
	src/plan/nest_region.c \
	src/plan/neighbours.c src/plan/neighbours.h \
	src/plan/options.c src/plan/options.h \
	src/plan/padding.c src/plan/padding.h \
	src/plan/pairs.c src/plan/pairs.h \
	src/plan/placing.c src/plan/placing.h \
	src/plan/plan.c src/plan/plan.h \
	src/plan/plan_bind.c \
	src/plan/plan_cache.c \
	src/plan/plan_kernelize.c \
	src/plan/plan_parallelize.c \
	src/plan/plan_pragma.c \
	src/plan/plan_prefetch.c \
	src/plan/plan_privatize.c \
	src/plan/plan_set_memory.c \
	src/plan/plan_stream.c \
	src/plan/plan_sync.c \
	src/plan/plan_tensorize.c \
	src/plan/plan_unroll.c \
	src/plan/plan_vectorize.c \
	src/plan/tensorize.h src/plan/tensorize_dot.c \
	src/plan/tensorize_tile.c \
	src/plan/prim_cache_read.c \
	src/plan/from_start.c src/plan/from_start.h \
	src/plan/record.c src/plan/record.h \
	src/plan/redirect.c \
	src/plan/region.c src/plan/region.h \
	src/plan/round_up.c src/plan/round_up.h \
	src/plan/widen.c src/plan/widen.h \
	src/plan/separate.c src/plan/separate.h \
	src/plan/run_copies.c src/plan/run_copies.h \
	src/plan/shared_bytes.c src/plan/shared_bytes.h \
	src/plan/sites.c src/plan/sites.h \
	src/plan/still.c src/plan/still.h \
	src/plan/summing.c src/plan/summing.h \
	src/plan/sync.c src/plan/sync.h \
	src/plan/tails.c src/plan/tails.h \
	src/plan/thrifty.c \
	src/plan/trigger.c \
	src/plan/waited.c src/plan/waited.h \
	src/plan/whole_warps.c src/plan/whole_warps.h \
	src/plan/wide.c src/plan/wide.h \
	src/plan/widening.c src/plan/widening_pad.c src/plan/widening.h \
	src/plan/zeros.c src/plan/zeros.h
