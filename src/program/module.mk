# sources of src/program, alphabetical
libpolynest_la_SOURCES += \
	src/program/accesses.c \
	src/program/accesses.h \
	src/program/affine.c \
	src/program/affine.h \
	src/program/check.c \
	src/program/check.h \
	src/program/complete.c \
	src/program/complete.h \
	src/program/domains.c \
	src/program/domains.h \
	src/program/dump.c \
	src/program/expr.c \
	src/program/expr.h \
	src/program/isl_text.c \
	src/program/isl_text.h \
	src/program/lift.c \
	src/program/lift.h \
	src/program/literal.c \
	src/program/literal.h \
	src/program/program.c \
	src/program/program.h \
	src/program/real.c \
	src/program/real.h \
	src/program/settle.c \
	src/program/settle.h \
	src/program/show.c \
	src/program/show.h \
	src/program/step.c \
	src/program/step.h \
	src/program/storage.c \
	src/program/storage.h \
	src/program/type.c \
	src/program/type.h \
	src/program/typing.c \
	src/program/typing.h
