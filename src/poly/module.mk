# sources of src/poly, alphabetical
libpolynest_la_SOURCES += \
	src/poly/coalesce.c \
	src/poly/coalesce.h \
	src/poly/context.c \
	src/poly/context.h \
	src/poly/graph.c \
	src/poly/graph.h \
	src/poly/keep.h \
	src/poly/number.c \
	src/poly/number.h \
	src/poly/same.c \
	src/poly/same.h \
	src/poly/sample.c \
	src/poly/sample.h \
	src/poly/system.c \
	src/poly/system.h \
	src/poly/union.c \
	src/poly/union.h
