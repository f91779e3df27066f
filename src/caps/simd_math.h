/* Mathematical functions in vectors, as approximations: rows, and the helpers that they call of exp, log and tanh of
 * f32 (others: caps/simd_math_f64.h, caps/simd_trig.h).
 *
 * Cephes' polynomials, but for exp. Infinities, zeros and NaN give what C's functions give. tests/self/functions
 * compares them with the exact values and holds them to the errors that they name.
 */
#ifndef CAPS_SIMD_MATH_H
#define CAPS_SIMD_MATH_H

#include "caps/simd_math_f64.h"
#include "caps/simd_trig.h"

/* clang-format off */

#define MATH_ROWS(n)                                                                                                  \
    [VECTOR_EXP] = "exp_" n "({a})", [VECTOR_LOG] = "log_" n "({a})", [VECTOR_TANH] = "tanh_" n "({a})",              \
        TRIG_ROWS(n)

/* y = y * x + c */
#define MATH_TERM(p, x, c) "    y = " p "fmadd_ps(y, " x ", " p "set1_ps(" c "));\n"

/* 2^n e^x, with x what is left of a after n times ln 2; parts computes n and x, scale is what multiplies y by 2^n.
 * The polynomial is the best one of its degree for what is left. */
#define MATH_EXP(n, type, p, parts, scale)                                                                            \
    {"exp_" n,                                                                                                        \
     "/* at most 1.0 units in the last place off */\n"                                                                \
     "static inline " type " exp_" n "(" type " a)\n{\n" parts                                                        \
     "    " type " y = " p "set1_ps(1.38146025e-3f);\n\n"                                                             \
     MATH_TERM(p, "x", "8.36871521e-3f") MATH_TERM(p, "x", "4.16683879e-2f")                                          \
     MATH_TERM(p, "x", "1.66665206e-1f") MATH_TERM(p, "x", "4.99999934e-1f")                                          \
     MATH_TERM(p, "x", "1.0f") MATH_TERM(p, "x", "1.0f") scale "}\n"}

/* log(m) + e log(2), with m in [sqrt(1/2), sqrt(2)); parts computes m and e, special puts in what is none. */
#define MATH_LOG(n, type, p, parts, special)                                                                          \
    {"log_" n,                                                                                                        \
     "/* at most 0.8 units in the last place off */\n"                                                                \
     "static inline " type " log_" n "(" type " a)\n{\n" parts                                                        \
     "    const " type " x = " p "sub_ps(m, " p "set1_ps(1.0f)), z = " p "mul_ps(x, x);\n"                            \
     "    " type " y = " p "set1_ps(7.0376836292e-2f);\n\n"                                                           \
     MATH_TERM(p, "x", "-1.1514610310e-1f") MATH_TERM(p, "x", "1.1676998740e-1f")                                     \
     MATH_TERM(p, "x", "-1.2420140846e-1f") MATH_TERM(p, "x", "1.4249322787e-1f")                                     \
     MATH_TERM(p, "x", "-1.6668057665e-1f") MATH_TERM(p, "x", "2.0000714765e-1f")                                     \
     MATH_TERM(p, "x", "-2.4999993993e-1f") MATH_TERM(p, "x", "3.3333331174e-1f")                                     \
     "    y = " p "fmadd_ps(e, " p "set1_ps(-2.12194440e-4f), " p "mul_ps(" p "mul_ps(y, x), z));\n"                  \
     "    y = " p "add_ps(x, " p "fnmadd_ps(z, " p "set1_ps(0.5f), y));\n"                                            \
     "    y = " p "fmadd_ps(e, " p "set1_ps(0.693359375f), y);\n" special "}\n"}

/* 1 - 2 / (e^2x + 1), or a polynomial for small x; choose takes y where x is small. */
#define MATH_TANH(n, type, p, choose)                                                                                 \
    {"tanh_" n,                                                                                                       \
     "/* at most 1.4 units in the last place off */\n"                                                                \
     "static inline " type " tanh_" n "(" type " a)\n{\n"                                                             \
     "    const " type " sign = " p "and_ps(a, " p "set1_ps(-0.0f)), z = " p "mul_ps(a, a);\n"                        \
     "    const " type " x = " p "andnot_ps(" p "set1_ps(-0.0f), a), one = " p "set1_ps(1.0f);\n"                     \
     "    const " type " e = " p "add_ps(exp_" n "(" p "add_ps(x, x)), one);\n"                                       \
     "    const " type " far = " p "sub_ps(one, " p "div_ps(" p "set1_ps(2.0f), e));\n"                               \
     "    " type " y = " p "set1_ps(-5.70498872745e-3f);\n\n"                                                         \
     MATH_TERM(p, "z", "2.06390887954e-2f") MATH_TERM(p, "z", "-5.37397155531e-2f")                                   \
     MATH_TERM(p, "z", "1.33314422036e-1f") MATH_TERM(p, "z", "-3.33332819422e-1f")                                   \
     "    y = " p "fmadd_ps(" p "fmadd_ps(y, z, " p "setzero_ps()), a, a);\n" choose "}\n"}

#define MATH_AVX512                                                                                                   \
    MATH_EXP("16f", "__m512", "_mm512_",                                                                              \
             "    const __m512 rounder = _mm512_set1_ps(12582912.0f); /* what is added to it is rounded */\n"        \
             "    const __m512 log2_e = _mm512_set1_ps(1.44269504f);\n"                                               \
             "    const __m512 n = _mm512_sub_ps(_mm512_fmadd_ps(a, log2_e, rounder), rounder);\n"                    \
             "    const __m512 left = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), a);\n"                        \
             "    const __m512 rest = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), left);\n"                  \
             "    /* the smaller one in magnitude: beyond what floats can be, n alone tells the result */\n"          \
             "    const __m512 x = _mm512_range_ps(rest, _mm512_set1_ps(0.5f), 2);\n",                                \
             "    return _mm512_scalef_ps(y, n);\n"),                                                                 \
        MATH_LOG("16f", "__m512", "_mm512_",                                                                          \
                 "    const __m512 fraction = _mm512_getmant_ps(a, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);\n"          \
                 "    const __mmask16 high = _mm512_cmp_ps_mask(fraction, _mm512_set1_ps(1.41421354f), _CMP_GT_OQ);\n" \
                 "    const __m512 m = _mm512_mask_mul_ps(fraction, high, fraction, _mm512_set1_ps(0.5f));\n"         \
                 "    const __m512 power = _mm512_getexp_ps(a);\n"                                                    \
                 "    const __m512 e = _mm512_mask_add_ps(power, high, power, _mm512_set1_ps(1.0f));\n",              \
                 "    y = _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(a, _mm512_set1_ps(INFINITY), _CMP_EQ_OQ), a);\n"   \
                 "    return _mm512_mask_mov_ps(y, _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_EQ_OQ),\n"         \
                 "                              _mm512_set1_ps(-INFINITY));\n"),                                      \
        MATH_TANH("16f", "__m512", "_mm512_",                                                                         \
                  "    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, _mm512_set1_ps(0.625f), _CMP_LT_OQ),\n"      \
                  "                                _mm512_or_ps(far, sign), y);\n"),                                  \
        MATH_AVX512_64, TRIG_AVX512

#define MATH_AVX2                                                                                                     \
    MATH_EXP("8f", "__m256", "_mm256_",                                                                               \
             "    const __m256 least = _mm256_set1_ps(-104.0f), most = _mm256_set1_ps(89.0f);\n"                      \
             "    const __m256 near = _mm256_max_ps(least, _mm256_min_ps(most, a));\n"                                \
             "    const __m256 rounder = _mm256_set1_ps(12582912.0f); /* what is added to it is rounded */\n"         \
             "    const __m256 log2_e = _mm256_set1_ps(1.44269504f);\n"                                               \
             "    const __m256 sum = _mm256_fmadd_ps(near, log2_e, rounder);\n"                                       \
             "    const __m256 n = _mm256_sub_ps(sum, rounder);\n"                                                    \
             "    const __m256 left = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), near);\n"                     \
             "    const __m256 x = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), left);\n",                    \
             "    const __m256i whole = _mm256_slli_epi32(_mm256_castps_si256(sum), 23); /* n 2^23 */\n"              \
             "    const __m256i powers = _mm256_set1_epi32(-(1 << 23)), one = _mm256_set1_epi32(127 << 23);\n"        \
             "    const __m256i half = _mm256_and_si256(_mm256_srai_epi32(whole, 1), powers);\n"                      \
             "    const __m256i rest = _mm256_sub_epi32(whole, half);\n\n"                                            \
             "    y = _mm256_mul_ps(y, _mm256_castsi256_ps(_mm256_add_epi32(half, one)));\n"                          \
             "    return _mm256_mul_ps(y, _mm256_castsi256_ps(_mm256_add_epi32(rest, one)));\n"),                     \
        MATH_LOG("8f", "__m256", "_mm256_",                                                                           \
                 "    const __m256 zero = _mm256_setzero_ps();\n"                                                     \
                 "    const __m256 tiny = _mm256_cmp_ps(a, _mm256_set1_ps(1.17549435e-38f), _CMP_LT_OQ);\n"           \
                 "    const __m256 up = _mm256_mul_ps(a, _mm256_set1_ps(8388608.0f));\n"                              \
                 "    const __m256i bits = _mm256_castps_si256(_mm256_blendv_ps(a, up, tiny));\n"                     \
                 "    const __m256i low = _mm256_and_si256(bits, _mm256_set1_epi32(0x007fffff));\n"                   \
                 "    const __m256 fraction =\n"                                                                      \
                 "        _mm256_castsi256_ps(_mm256_or_si256(low, _mm256_set1_epi32(0x3f800000)));\n"                \
                 "    const __m256 high = _mm256_cmp_ps(fraction, _mm256_set1_ps(1.41421354f), _CMP_GT_OQ);\n"        \
                 "    const __m256 half = _mm256_mul_ps(fraction, _mm256_set1_ps(0.5f));\n"                           \
                 "    const __m256 m = _mm256_blendv_ps(fraction, half, high);\n"                                     \
                 "    const __m256i power = _mm256_sub_epi32(_mm256_srli_epi32(bits, 23), _mm256_set1_epi32(127));\n" \
                 "    const __m256 one = _mm256_and_ps(high, _mm256_set1_ps(1.0f));\n"                                \
                 "    const __m256 down = _mm256_and_ps(tiny, _mm256_set1_ps(23.0f));\n"                              \
                 "    const __m256 e = _mm256_sub_ps(_mm256_add_ps(_mm256_cvtepi32_ps(power), one), down);\n",        \
                 "    y = _mm256_blendv_ps(y, a, _mm256_cmp_ps(a, _mm256_set1_ps(INFINITY), _CMP_EQ_OQ));\n"          \
                 "    y = _mm256_blendv_ps(y, _mm256_set1_ps(-INFINITY), _mm256_cmp_ps(a, zero, _CMP_EQ_OQ));\n"      \
                 "    return _mm256_or_ps(y, _mm256_cmp_ps(a, zero, _CMP_NGE_UQ));\n"),                               \
        MATH_TANH("8f", "__m256", "_mm256_",                                                                          \
                  "    return _mm256_blendv_ps(_mm256_or_ps(far, sign), y,\n"                                         \
                  "                            _mm256_cmp_ps(x, _mm256_set1_ps(0.625f), _CMP_LT_OQ));\n"),            \
        MATH_AVX2_64, TRIG_AVX2

#endif
