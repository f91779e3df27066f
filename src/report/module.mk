# sources of src/report, alphabetical
libpolynest_la_SOURCES += \
	src/report/primitives.c \
	src/report/primitives.h \
	src/report/schema.c \
	src/report/schema.h
