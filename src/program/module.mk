# sources of src/program, alphabetical
libpolynest_la_SOURCES += \
	src/program/accesses.c src/program/accesses.h \
	src/program/axis.h \
	src/program/calls.c src/program/calls.h \
	src/program/complete.c src/program/complete.h \
	src/program/congruence.c src/program/congruence.h \
	src/program/domains.c src/program/domains.h \
	src/program/dump.c \
	src/program/instruction.c src/program/instruction.h \
	src/program/isl_text.c src/program/isl_text.h \
	src/program/meet.c src/program/meet.h \
	src/program/object.c src/program/object.h \
	src/program/permit.c src/program/permit.h \
	src/program/precision.c src/program/precision.h \
	src/program/program.c src/program/program.h \
	src/program/rewrite.c src/program/rewrite.h \
	src/program/show.c src/program/show.h \
	src/program/step.c src/program/step.h \
	src/program/type.c src/program/type.h

# src/program/check
libpolynest_la_SOURCES += \
	src/program/check/arithmetic.c src/program/check/arithmetic.h \
	src/program/check/check.c src/program/check/check.h \
	src/program/check/replay.c src/program/check/replay.h \
	src/program/check/transfer.c src/program/check/transfer.h \
	src/program/check/written.c src/program/check/written.h

# src/program/expr
libpolynest_la_SOURCES += \
	src/program/expr/affine.c src/program/expr/affine.h \
	src/program/expr/expr.c src/program/expr/expr.h \
	src/program/expr/half.c src/program/expr/half.h \
	src/program/expr/index_expr.c src/program/expr/index_expr.h \
	src/program/expr/interval.c src/program/expr/interval.h \
	src/program/expr/lift.c src/program/expr/lift.h \
	src/program/expr/literal.c src/program/expr/literal.h \
	src/program/expr/range.c src/program/expr/range.h \
	src/program/expr/real.c src/program/expr/real.h \
	src/program/expr/settle.c src/program/expr/settle.h \
	src/program/expr/typing.c src/program/expr/typing.h

# src/program/storage
libpolynest_la_SOURCES += \
	src/program/storage/grow.c src/program/storage/grow.h \
	src/program/storage/lay_out.c src/program/storage/lay_out.h \
	src/program/storage/storage.c src/program/storage/storage.h \
	src/program/storage/view.c src/program/storage/view.h
