/* The instruction sets there are, and what their tables share. */
#ifndef CAPS_SIMD_SETS_H
#define CAPS_SIMD_SETS_H

#include "caps/simd.h"

#include <stddef.h>

extern const struct simd simd_avx512, simd_avx2, simd_sse, simd_neon, simd_vector;

#define SIMD_COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))

#define SIMD_NO_MASK NULL, NULL, NULL

/* Rows of x86, whose intrinsics have a prefix for the register's size and a suffix for the type. */
#define X86_FLOATS(prefix, suffix)                                                                                    \
    [VECTOR_LOAD] = prefix "loadu_" suffix "({p})", [VECTOR_STORE] = prefix "storeu_" suffix "({p}, {a})",            \
    [VECTOR_SPLAT] = prefix "set1_" suffix "({a})", [VECTOR_ZERO] = prefix "setzero_" suffix "()",                    \
    [VECTOR_LIST] = prefix "setr_" suffix "({a})",                                                                    \
    [VECTOR_ADD] = prefix "add_" suffix "({a}, {b})", [VECTOR_SUB] = prefix "sub_" suffix "({a}, {b})",               \
    [VECTOR_MUL] = prefix "mul_" suffix "({a}, {b})", [VECTOR_DIV] = prefix "div_" suffix "({a}, {b})",               \
    [VECTOR_MIN] = prefix "min_" suffix "({a}, {b})", [VECTOR_MAX] = prefix "max_" suffix "({a}, {b})",               \
    [VECTOR_SQRT] = prefix "sqrt_" suffix "({a})",                                                                    \
    [VECTOR_NEG] = prefix "xor_" suffix "({a}, " prefix "set1_" suffix "(-0.0f))",                                    \
    [VECTOR_ABS] = prefix "andnot_" suffix "(" prefix "set1_" suffix "(-0.0f), {a})"

#define X86_FLOOR(prefix, suffix)                                                                                     \
    [VECTOR_FLOOR] = prefix "floor_" suffix "({a})", [VECTOR_CEIL] = prefix "ceil_" suffix "({a})"

#define X86_FMA(prefix, suffix) [VECTOR_FMA] = prefix "fmadd_" suffix "({a}, {b}, {c})"

#define X86_INTS(prefix, bits, list, whole)                                                                           \
    [VECTOR_SPLAT] = prefix "set1_epi" list "({a})", [VECTOR_ZERO] = prefix "setzero_" whole "()",                    \
    [VECTOR_LIST] = prefix "setr_epi" list "({a})",                                                                   \
    [VECTOR_ADD] = prefix "add_epi" bits "({a}, {b})", [VECTOR_SUB] = prefix "sub_epi" bits "({a}, {b})",             \
    [VECTOR_AND] = prefix "and_" whole "({a}, {b})", [VECTOR_OR] = prefix "or_" whole "({a}, {b})",                   \
    [VECTOR_XOR] = prefix "xor_" whole "({a}, {b})",                                                                  \
    [VECTOR_NOT] = prefix "xor_" whole "({a}, " prefix "set1_epi32(-1))",                                             \
    [VECTOR_NEG] = prefix "sub_epi" bits "(" prefix "setzero_" whole "(), {a})"

#define X86_MEMORY(prefix, whole, pointer)                                                                            \
    [VECTOR_LOAD] = prefix "loadu_" whole "((const " pointer " *){p})",                                               \
    [VECTOR_STORE] = prefix "storeu_" whole "((" pointer " *){p}, {a})"

/* Eight bytes of a register. */
#define X86_HALF_MEMORY                                                                                               \
    [VECTOR_LOAD] = "_mm_loadl_epi64((const __m128i *){p})", [VECTOR_STORE] = "_mm_storel_epi64((__m128i *){p}, {a})"

#define X86_EXTREMES(prefix, kind)                                                                                    \
    [VECTOR_MIN] = prefix "min_" kind "({a}, {b})", [VECTOR_MAX] = prefix "max_" kind "({a}, {b})"

#define X86_MULLO(prefix, bits) [VECTOR_MUL] = prefix "mullo_epi" bits "({a}, {b})"

#define X86_SHIFTS(prefix, bits, right)                                                                               \
    [VECTOR_SHL] = prefix "sllv_epi" bits "({a}, {b})", [VECTOR_SHR] = prefix right "_epi" bits "({a}, {b})"

#endif
