/* Mathematical functions in vectors, as approximations: rows, and the helpers that they call of exp, log and tanh of
 * f32 (others: caps/simd_math_f64.h, caps/simd_trig.h).
 *
 * Cephes' polynomials, but for exp, in the operations of caps/simd_math_ops.h. Infinities, zeros and NaN give what C's
 * functions give. The first part of ln 2 has so few digits that its products with n are exact, since not all sets have
 * fused operations; where compilers contract, nothing gets worse. tests/self/functions compares with the exact values
 * and holds the functions to the errors that they name.
 */
#ifndef CAPS_SIMD_MATH_H
#define CAPS_SIMD_MATH_H

#include "caps/simd_math_f64.h"
#include "caps/simd_math_parts.h"
#include "caps/simd_trig.h"

/* clang-format off */

#define MATH_ROWS(n)                                                                                                  \
    [VECTOR_EXP] = "exp_" n "({a})", [VECTOR_LOG] = "log_" n "({a})", [VECTOR_TANH] = "tanh_" n "({a})",              \
        TRIG_ROWS(n)

/* 2^n e^x, with x what is left of a after n times ln 2; parts computes n and x, scale is what multiplies y by 2^n.
 * The polynomial is the best one of its degree for what is left. */
#define EXP_32(s, t, name, most, parts, scale)                                                                        \
    {"exp_" name,                                                                                                     \
     MATH_HEAD(s, t, "exp_" name, most) parts                                                                         \
     MATH_FIRST(s, t, "y", "x", "1.38146025e-3f", "8.36871521e-3f")                                                   \
     MATH_TERM(s, t, "y", "x", "4.16683879e-2f") MATH_TERM(s, t, "y", "x", "1.66665206e-1f")                          \
     MATH_TERM(s, t, "y", "x", "4.99999934e-1f") MATH_TERM(s, t, "y", "x", "1.0f")                                    \
     MATH_TERM(s, t, "y", "x", "1.0f") scale "}\n"}
#define EXP_LEFT_32(s, t, x, a)                                                                                       \
    MATH_LESS(s, t, "left", "n", "0.693359375f", a) MATH_LESS(s, t, x, "n", "-2.12194440e-4f", "left")
#define EXP_PARTS_32(s, t)                                                                                            \
    EXP_ROUND(s, t, "12582912.0f + 2 * 127", "-104.0f", "89.0f", "1.44269504f") EXP_LEFT_32(s, t, "x", "near")

/* log(m) + e log(2), with m in [sqrt(1/2), sqrt(2)); parts computes m and e, special puts in what is none. */
#define LOG_32(s, t, name, most, parts, special)                                                                      \
    {"log_" name,                                                                                                     \
     MATH_HEAD(s, t, "log_" name, most) parts                                                                         \
     MATH_NEW(s, TYPE, t, "x", MATH(s, SUB, t, "m", MATH(s, ALL, t, "1.0f")))                                         \
     MATH_NEW(s, TYPE, t, "z", MATH(s, MUL, t, "x", "x"))                                                             \
     MATH_FIRST(s, t, "y", "x", "7.0376836292e-2f", "-1.1514610310e-1f")                                              \
     MATH_TERM(s, t, "y", "x", "1.1676998740e-1f") MATH_TERM(s, t, "y", "x", "-1.2420140846e-1f")                     \
     MATH_TERM(s, t, "y", "x", "1.4249322787e-1f") MATH_TERM(s, t, "y", "x", "-1.6668057665e-1f")                     \
     MATH_TERM(s, t, "y", "x", "2.0000714765e-1f") MATH_TERM(s, t, "y", "x", "-2.4999993993e-1f")                     \
     MATH_TERM(s, t, "y", "x", "3.3333331174e-1f")                                                                    \
     MATH_SET("y", MATH(s, MUL, t, MATH(s, MUL, t, "y", "x"), "z"))                                                   \
     MATH_SET("y", MATH(s, MADD, t, "e", MATH(s, ALL, t, "-2.12194440e-4f"), "y"))                                    \
     MATH_SET("y", MATH(s, NMADD, t, "z", MATH(s, ALL, t, "0.5f"), "y")) MATH_SET("y", MATH(s, ADD, t, "x", "y"))     \
     MATH_SET("y", MATH(s, MADD, t, "e", MATH(s, ALL, t, "0.693359375f"), "y")) special "}\n"}
#define LOG_PARTS_32(s, t)                                                                                            \
    LOG_BITS(s, t, "1.17549435e-38f", "8388608.0f", "0x004afb0d", "0x007fffff", "0x3f3504f3", "23", "0x4b000000",     \
             "8388608.0f + 127 + 23", "8388608.0f + 127")

/* 1 - 2 / (e^2x + 1), or a polynomial for small x. */
#define TANH_32(s, t, name, most)                                                                                     \
    {"tanh_" name,                                                                                                    \
     MATH_HEAD(s, t, "tanh_" name, most)                                                                              \
     MATH_NEW(s, TYPE, t, "x", MATH(s, ABS, t, "a")) MATH_NEW(s, TYPE, t, "z", MATH(s, MUL, t, "x", "x"))             \
     TANH_FAR(s, t, name, "1.0f", "2.0f")                                                                             \
     MATH_FIRST(s, t, "y", "z", "-5.70498872745e-3f", "2.06390887954e-2f")                                            \
     MATH_TERM(s, t, "y", "z", "-5.37397155531e-2f") MATH_TERM(s, t, "y", "z", "1.33314422036e-1f")                   \
     MATH_TERM(s, t, "y", "z", "-3.33332819422e-1f") TANH_END(s, t, "0.625f")}

/* All of a set whose rows need no other form of these; n: lanes and type in names, of_exp: the error of exp. */
#define MATH_32(s, t, n, of_exp)                                                                                      \
    EXP_32(s, t, n, of_exp, EXP_PARTS_32(s, t), EXP_SCALE(s, t, "23")),                                               \
        LOG_32(s, t, n, "0.9", LOG_PARTS_32(s, t), LOG_SPECIAL(s, t)), TANH_32(s, t, n, "1.4")

/* Of f32 in as many lanes as f64 has, by the functions of whole registers, `whole`; up doubles a register, down is its
 * first half. */
#define HALF_CALL(f, n, whole, type, up, down)                                                                        \
    {f "_" n,                                                                                                         \
     "static inline " type " " f "_" n "(" type " a)\n{\n    return " down "(" f "_" whole "(" up "(a, a)));\n}\n"}
#define MATH_HALF(n, whole, type, up, down)                                                                           \
    HALF_CALL("exp", n, whole, type, up, down), HALF_CALL("log", n, whole, type, up, down),                           \
        HALF_CALL("tanh", n, whole, type, up, down), HALF_CALL("sin", n, whole, type, up, down),                      \
        HALF_CALL("cos", n, whole, type, up, down),                                                                   \
        {"pow_" n, "static inline " type " pow_" n "(" type " a, " type " b)\n{\n    return " down "(pow_" whole      \
                   "(" up "(a, a), " up "(b, b)));\n}\n"}

#define MATH_AVX512                                                                                                   \
    EXP_32(AVX512, F32, "16f", "1.0",                                                                                 \
           "    const __m512 rounder = _mm512_set1_ps(12582912.0f); /* what is added to it is rounded */\n"           \
           "    const __m512 log2_e = _mm512_set1_ps(1.44269504f);\n"                                                 \
           "    const __m512 n = _mm512_sub_ps(_mm512_fmadd_ps(a, log2_e, rounder), rounder);\n"                      \
           EXP_LEFT_32(AVX512, F32, "rest", "a")                                                                      \
           "    /* the smaller one in magnitude: beyond what floats can be, n alone tells the result */\n"            \
           "    const __m512 x = _mm512_range_ps(rest, _mm512_set1_ps(0.5f), 2);\n",                                  \
           "    return _mm512_scalef_ps(y, n);\n"),                                                                   \
        LOG_32(AVX512, F32, "16f", "0.9",                                                                             \
               "    const __m512 fraction = _mm512_getmant_ps(a, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);\n"            \
               "    const __mmask16 high = _mm512_cmp_ps_mask(fraction, _mm512_set1_ps(1.41421354f), _CMP_GT_OQ);\n"  \
               "    const __m512 m = _mm512_mask_mul_ps(fraction, high, fraction, _mm512_set1_ps(0.5f));\n"           \
               "    const __m512 power = _mm512_getexp_ps(a);\n"                                                      \
               "    const __m512 e = _mm512_mask_add_ps(power, high, power, _mm512_set1_ps(1.0f));\n",                \
               "    y = _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(a, _mm512_set1_ps(INFINITY), _CMP_EQ_OQ), a);\n"     \
               "    return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_EQ_OQ),\n"           \
               "                              _mm512_set1_ps(-INFINITY));\n"),                                        \
        TANH_32(AVX512, F32, "16f", "1.4"), MATH_AVX512_64, TRIG_FUSED(AVX512, "16f", "8d")

#define MATH_AVX2                                                                                                     \
    MATH_32(AVX2, F32, "8f", "1.0"), MATH_64(AVX2, F64, "4d"), TRIG_FUSED(AVX2, "8f", "4d"),                          \
        MATH_HALF("4f", "8f", "__m128", "_mm256_set_m128", "_mm256_castps256_ps128")
#define MATH_SSE                                                                                                      \
    MATH_32(SSE, F32, "4f", "1.2"), MATH_64(SSE, F64, "2d"), TRIG_SPLIT(SSE, F32, F64, "4f", "2d", "4f", "2d")
#define MATH_NEON                                                                                                     \
    MATH_32(NEON, F32, "4f", "1.0"), MATH_64(NEON, F64, "2d"), TRIG_FUSED(NEON, "4f", "2d"),                          \
        MATH_HALF("2f", "4f", "float32x2_t", "vcombine_f32", "vget_low_f32")
#define MATH_VECTOR                                                                                                   \
    MATH_32(VECTOR, 8F32, "8f32", "1.2"), MATH_64(VECTOR, 4F64, "4f64"),                                              \
        TRIG_SPLIT(VECTOR, 8F32, 4F64, "8f32", "4f64", "8f", "4d"), MATH_32(VECTOR, 4F32, "4f32", "1.2"),             \
        MATH_64(VECTOR, 2F64, "2f64"), TRIG_SPLIT(VECTOR, 4F32, 2F64, "4f32", "2f64", "4f", "2d")

#endif
