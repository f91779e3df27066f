# sources of src/read, alphabetical
libpolynest_la_SOURCES += \
	src/read/arrays.c \
	src/read/call_parts.c \
	src/read/call_parts.h \
	src/read/call_text.c \
	src/read/call_text.h \
	src/read/calls.c \
	src/read/calls.h \
	src/read/composed.c \
	src/read/data.c \
	src/read/data.h \
	src/read/data_bounds.c \
	src/read/data_bounds.h \
	src/read/declare.c \
	src/read/forms.c \
	src/read/instructions.c \
	src/read/json.c \
	src/read/json.h \
	src/read/layout.c \
	src/read/layout.h \
	src/read/lex.c \
	src/read/lex.h \
	src/read/made.c \
	src/read/made.h \
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
	src/read/view.c \
	src/read/while_loops.c \
	src/read/while_loops.h

# src/read/choose
libpolynest_la_SOURCES += \
	src/read/choose/arith.c src/read/choose/arith.h \
	src/read/choose/choose.c src/read/choose/choose.h \
	src/read/choose/dispatch.c src/read/choose/dispatch.h \
	src/read/choose/functions.c src/read/choose/functions.h \
	src/read/choose/tunables.c src/read/choose/tunables.h \
	src/read/choose/unchosen.c src/read/choose/unchosen.h

# src/read/edit
libpolynest_la_SOURCES += \
	src/read/edit/insert.c src/read/edit/insert.h \
	src/read/edit/notation.c src/read/edit/notation.h

# src/read/format
libpolynest_la_SOURCES += \
	src/read/format/columns.c \
	src/read/format/format.c src/read/format/format.h \
	src/read/format/parts.h \
	src/read/format/read.c
