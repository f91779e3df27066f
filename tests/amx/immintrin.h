/* The tiles of AMX on processors with AVX-512 only: the compiler's <immintrin.h>, and tiles in memory. */
#ifndef AMX_EMULATED
#define AMX_EMULATED
#pragma GCC system_header

#include_next <immintrin.h>

#include "../avx512/tiles.h"

#endif
