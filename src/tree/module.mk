# sources of src/tree, alphabetical
libpolynest_la_SOURCES += \
	src/tree/affine.c src/tree/affine.h \
	src/tree/dump.c \
	src/tree/floors.c \
	src/tree/layout.c src/tree/layout.h \
	src/tree/tidy.c \
	src/tree/pointers.c src/tree/pointers.h \
	src/tree/translate.c src/tree/translate.h \
	src/tree/tree.c src/tree/tree.h \
	src/tree/vars.c src/tree/vars.h \
	src/tree/verify.c src/tree/verify.h \
	src/tree/verify_copies.c \
	src/tree/verify_facts.c \
	src/tree/verify_lanes.c \
	src/tree/verify_memory.c \
	src/tree/verify_threads.c \
	src/tree/verify_tiles.c \
	src/tree/verify_types.c \
	src/tree/verifier.h \
	src/tree/visit.c src/tree/visit.h \
	src/tree/visit_uses.c
