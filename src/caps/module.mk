# sources of src/caps, alphabetical
libpolynest_la_SOURCES += \
	src/caps/gpu.c src/caps/gpu.h \
	src/caps/language.c src/caps/language.h \
	src/caps/machine.c src/caps/machine.h \
	src/caps/processor.c src/caps/processor.h \
	src/caps/simd.c src/caps/simd.h src/caps/simd_amx.h src/caps/simd_groups.h \
	src/caps/simd_avx2.c src/caps/simd_avx512.c \
	src/caps/simd_math.c src/caps/simd_math.h src/caps/simd_math_ops.h \
	src/caps/simd_names.c src/caps/simd_names.h \
	src/caps/simd_neon.c \
	src/caps/simd_sets.h src/caps/simd_sse.c \
	src/caps/simd_vector.c
