# sources of src/lower, alphabetical
libpolynest_la_SOURCES += \
	src/lower/bodies.c src/lower/bodies.h \
	src/lower/preconditions.c src/lower/preconditions.h
