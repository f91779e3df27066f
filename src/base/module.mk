# sources of src/base, alphabetical
libpolynest_la_SOURCES += \
	src/base/arena.c \
	src/base/arena.h \
	src/base/diag.c \
	src/base/diag.h \
	src/base/diag_json.c \
	src/base/diag_print.c \
	src/base/json.c \
	src/base/json.h \
	src/base/names.c \
	src/base/names.h \
	src/base/reserved.c \
	src/base/template.c \
	src/base/template.h \
	src/base/text.c \
	src/base/text.h \
	src/base/utf8.c \
	src/base/utf8.h \
	src/base/vec.h \
	src/base/words.c \
	src/base/words.h
