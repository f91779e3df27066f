# sources of src/read, alphabetical
libpolynest_la_SOURCES += \
	src/read/arrays.c \
	src/read/arith.c \
	src/read/arith.h \
	src/read/choose.c \
	src/read/composed.c \
	src/read/choose.h \
	src/read/data.c \
	src/read/data.h \
	src/read/data_bounds.c \
	src/read/data_bounds.h \
	src/read/declare.c \
	src/read/dispatch.c \
	src/read/dispatch.h \
	src/read/forms.c \
	src/read/json.c \
	src/read/json.h \
	src/read/layout.c \
	src/read/layout.h \
	src/read/lex.c \
	src/read/lex.h \
	src/read/names.c \
	src/read/nests.c \
	src/read/number.c \
	src/read/number.h \
	src/read/object.c \
	src/read/parse.c \
	src/read/parse.h \
	src/read/parser.h \
	src/read/polyhedral.c \
	src/read/read.c \
	src/read/read.h \
	src/read/reader.c \
	src/read/reader.h \
	src/read/scan.c \
	src/read/scan.h \
	src/read/statements.c \
	src/read/steps.c \
	src/read/target.c \
	src/read/tunables.c \
	src/read/tunables.h \
	src/read/unchosen.c \
	src/read/unchosen.h \
	src/read/view.c \
	src/read/while_loops.c \
	src/read/while_loops.h

# src/read/format
libpolynest_la_SOURCES += \
	src/read/format/columns.c \
	src/read/format/format.c src/read/format/format.h \
	src/read/format/parts.h \
	src/read/format/read.c
