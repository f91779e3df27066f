# sources of src/sched, alphabetical
libpolynest_la_SOURCES += \
	src/sched/edit.c src/sched/edit.h src/sched/edit_loop.c \
	src/sched/extent.c src/sched/extent.h \
	src/sched/from_map.c src/sched/from_map.h \
	src/sched/fuse.h \
	src/sched/fuse_names.c \
	src/sched/graft.c src/sched/graft.h \
	src/sched/moving.c src/sched/moving.h \
	src/sched/operand.c src/sched/operand.h \
	src/sched/order.c src/sched/order.h \
	src/sched/order_dump.c \
	src/sched/original.c \
	src/sched/path.c src/sched/path.h \
	src/sched/pieces.c src/sched/pieces.h \
	src/sched/prim_collapse.c \
	src/sched/prim_compute_at.c \
	src/sched/prim_cut.c \
	src/sched/prim_decompose_init.c \
	src/sched/prim_expand.c \
	src/sched/prim_fission.c \
	src/sched/prim_fuse.c \
	src/sched/prim_inline.c \
	src/sched/prim_join.c \
	src/sched/prim_map.c \
	src/sched/prim_pad.c \
	src/sched/prim_peel.c \
	src/sched/prim_reorder.c \
	src/sched/prim_reverse.c \
	src/sched/prim_reverse_compute_at.c \
	src/sched/prim_rfactor.c \
	src/sched/prim_scale.c \
	src/sched/prim_shift.c \
	src/sched/prim_simple_compute_at.c \
	src/sched/prim_skew.c \
	src/sched/prim_split.c \
	src/sched/prim_tile.c \
	src/sched/program_step.c src/sched/program_step.h \
	src/sched/rfactor.c src/sched/rfactor.h \
	src/sched/rfactor_check.c \
	src/sched/schedule.c src/sched/schedule.h \
	src/sched/specialise.c src/sched/specialise.h \
	src/sched/split.h \
	src/sched/split_exact.c \
	src/sched/split_factors.c \
	src/sched/split_tuple.c \
	src/sched/ties.c src/sched/ties.h \
	src/sched/time.c src/sched/time.h \
	src/sched/undone.c src/sched/undone.h
