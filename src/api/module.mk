# sources of src/api, alphabetical
include_polynestdir = $(includedir)/polynest
include_polynest_HEADERS = include/polynest/polynest.h

libpolynest_la_SOURCES += \
	src/api/apply.c \
	src/api/ask.c \
	src/api/auto.c src/api/auto.h \
	src/api/auto_file.c src/api/auto_file.h \
	src/api/codes.c \
	src/api/compile.c \
	src/api/compile.h \
	src/api/describe.c \
	src/api/editing.c src/api/editing.h \
	src/api/format.c \
	src/api/polynest.c \
	src/api/print.c \
	src/api/reference.c \
	src/api/registry.c \
	src/api/registry.h \
	src/api/running.c \
	src/api/stages.c src/api/stages.h \
	src/api/start.c \
	src/api/together.c
