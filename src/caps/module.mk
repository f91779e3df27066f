# sources of src/caps, alphabetical
libpolynest_la_SOURCES += \
	src/caps/gpu.c src/caps/gpu.h \
	src/caps/simd.c src/caps/simd.h
