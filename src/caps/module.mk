# sources of src/caps, alphabetical
libpolynest_la_SOURCES += \
	src/caps/simd.c src/caps/simd.h
