# sources of src/report, alphabetical
libpolynest_la_SOURCES += \
	src/report/primitives.c \
	src/report/primitives.h \
	src/report/schema.c \
	src/report/schema.h \
	src/report/shape.c \
	src/report/shape.h \
	src/report/show.c \
	src/report/show.h
