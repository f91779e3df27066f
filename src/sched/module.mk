# sources of src/sched, alphabetical
libpolynest_la_SOURCES += \
	src/sched/edit.c src/sched/edit.h \
	src/sched/edit_loop.c \
	src/sched/extent.c src/sched/extent.h \
	src/sched/from_map.c src/sched/from_map.h \
	src/sched/graft.c src/sched/graft.h \
	src/sched/order.c src/sched/order.h \
	src/sched/order_dump.c \
	src/sched/original.c \
	src/sched/path.c src/sched/path.h \
	src/sched/program_step.c src/sched/program_step.h \
	src/sched/schedule.c src/sched/schedule.h \
	src/sched/specialise.c src/sched/specialise.h \
	src/sched/ties.c src/sched/ties.h \
	src/sched/time.c src/sched/time.h

# src/sched/steps
libpolynest_la_SOURCES += \
	src/sched/steps/expand.h \
	src/sched/steps/fuse.h \
	src/sched/steps/fuse_names.c \
	src/sched/steps/moving.c src/sched/steps/moving.h \
	src/sched/steps/placing.c src/sched/steps/placing.h \
	src/sched/steps/operand.c src/sched/steps/operand.h \
	src/sched/steps/pieces.c src/sched/steps/pieces.h \
	src/sched/steps/prim_auto.c \
	src/sched/steps/prim_collapse.c \
	src/sched/steps/prim_compute_at.c \
	src/sched/steps/prim_cut.c \
	src/sched/steps/prim_decompose_init.c \
	src/sched/steps/prim_expand.c \
	src/sched/steps/prim_fission.c \
	src/sched/steps/prim_fuse.c \
	src/sched/steps/prim_inline.c \
	src/sched/steps/prim_join.c \
	src/sched/steps/prim_map.c \
	src/sched/steps/prim_pad.c \
	src/sched/steps/prim_peel.c \
	src/sched/steps/prim_reorder.c \
	src/sched/steps/prim_reverse.c \
	src/sched/steps/prim_reverse_compute_at.c \
	src/sched/steps/prim_rfactor.c \
	src/sched/steps/prim_scale.c \
	src/sched/steps/prim_shift.c \
	src/sched/steps/prim_simple_compute_at.c \
	src/sched/steps/prim_skew.c \
	src/sched/steps/prim_split.c \
	src/sched/steps/prim_tile.c \
	src/sched/steps/rfactor.c src/sched/steps/rfactor.h \
	src/sched/steps/rfactor_check.c \
	src/sched/steps/rfactor_nest.c \
	src/sched/steps/split.h \
	src/sched/steps/split_exact.c \
	src/sched/steps/split_factors.c \
	src/sched/steps/split_tuple.c \
	src/sched/steps/undone.c src/sched/steps/undone.h
