/* exp, log and tanh of f64 in vectors, as approximations: the helpers that rows call.
 *
 * exp by Taylor's polynomial, log by the one of Sun's fdlibm, tanh by the quotient of Cephes. tests/self/functions
 * compares them with the exact values and holds them to the errors that they name.
 */

/* clang-format off */

#ifndef CAPS_SIMD_MATH_F64_H
#define CAPS_SIMD_MATH_F64_H

/* y = y * x + c */
#define MATH_TERM_64(p, x, c) "    y = " p "fmadd_pd(y, " x ", " p "set1_pd(" c "));\n"

/* 2^n e^x, with x what is left of a after n times ln 2; scale is what multiplies y by 2^n. */
#define MATH_EXP_64(n, type, p, round, scale)                                                                         \
    {"exp_" n,                                                                                                        \
     "/* at most 1.1 units in the last place off */\n"                                                                \
     "static inline " type " exp_" n "(" type " a)\n{\n"                                                              \
     "    " type " x = " p "max_pd(" p "set1_pd(-746.0), " p "min_pd(" p "set1_pd(710.0), a));\n"                     \
     "    const " type " times = " p "mul_pd(x, " p "set1_pd(1.4426950408889634));\n"                                 \
     "    const " type " n = " round "(times, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);\n"                      \
     "    " type " y = " p "set1_pd(1.6059043836821613e-10);\n\n"                                                     \
     "    x = " p "fnmadd_pd(n, " p "set1_pd(6.93147180369123816490e-01), x);\n"                                      \
     "    x = " p "fnmadd_pd(n, " p "set1_pd(1.90821492927058770002e-10), x);\n"                                      \
     MATH_TERM_64(p, "x", "2.0876756987868099e-09") MATH_TERM_64(p, "x", "2.5052108385441720e-08")                    \
     MATH_TERM_64(p, "x", "2.7557319223985893e-07") MATH_TERM_64(p, "x", "2.7557319223985888e-06")                    \
     MATH_TERM_64(p, "x", "2.4801587301587302e-05") MATH_TERM_64(p, "x", "1.9841269841269841e-04")                    \
     MATH_TERM_64(p, "x", "1.3888888888888889e-03") MATH_TERM_64(p, "x", "8.3333333333333332e-03")                    \
     MATH_TERM_64(p, "x", "4.1666666666666664e-02") MATH_TERM_64(p, "x", "1.6666666666666666e-01")                    \
     MATH_TERM_64(p, "x", "0.5")                                                                                      \
     "    y = " p "add_pd(" p "fmadd_pd(" p "mul_pd(y, x), x, x), " p "set1_pd(1.0));\n" scale "}\n"}

/* log(m) + e log(2), with m in [sqrt(1/2), sqrt(2)); parts computes m and e, special puts in what is none. */
#define MATH_LOG_64(n, type, p, parts, special)                                                                       \
    {"log_" n,                                                                                                        \
     "/* at most 0.9 units in the last place off */\n"                                                                \
     "static inline " type " log_" n "(" type " a)\n{\n" parts                                                        \
     "    const " type " f = " p "sub_pd(m, " p "set1_pd(1.0));\n"                                                    \
     "    const " type " s = " p "div_pd(f, " p "add_pd(f, " p "set1_pd(2.0)));\n"                                    \
     "    const " type " z = " p "mul_pd(s, s);\n"                                                                    \
     "    const " type " half_square = " p "mul_pd(" p "mul_pd(f, f), " p "set1_pd(0.5));\n"                          \
     "    " type " y = " p "set1_pd(1.479819860511658591e-01);\n\n"                                                   \
     MATH_TERM_64(p, "z", "1.531383769920937332e-01") MATH_TERM_64(p, "z", "1.818357216161805012e-01")                \
     MATH_TERM_64(p, "z", "2.222219843214978396e-01") MATH_TERM_64(p, "z", "2.857142874366239149e-01")                \
     MATH_TERM_64(p, "z", "3.999999999940941908e-01") MATH_TERM_64(p, "z", "6.666666666666735130e-01")                \
     "    y = " p "mul_pd(s, " p "fmadd_pd(y, z, half_square));\n"                                                    \
     "    y = " p "fmadd_pd(e, " p "set1_pd(1.90821492927058770002e-10), y);\n"                                       \
     "    y = " p "sub_pd(f, " p "sub_pd(half_square, y));\n"                                                         \
     "    y = " p "fmadd_pd(e, " p "set1_pd(6.93147180369123816490e-01), y);\n" special "}\n"}

/* 1 - 2 / (e^2x + 1), or a quotient of polynomials for small x; choose takes y where x is small. */
#define MATH_TANH_64(n, type, p, choose)                                                                              \
    {"tanh_" n,                                                                                                       \
     "/* at most 1.7 units in the last place off */\n"                                                                \
     "static inline " type " tanh_" n "(" type " a)\n{\n"                                                             \
     "    const " type " sign = " p "and_pd(a, " p "set1_pd(-0.0)), z = " p "mul_pd(a, a);\n"                         \
     "    const " type " x = " p "andnot_pd(" p "set1_pd(-0.0), a), one = " p "set1_pd(1.0);\n"                       \
     "    const " type " e = " p "add_pd(exp_" n "(" p "add_pd(x, x)), one);\n"                                       \
     "    const " type " far = " p "sub_pd(one, " p "div_pd(" p "set1_pd(2.0), e));\n"                                \
     "    " type " q = " p "add_pd(z, " p "set1_pd(1.12811678491632931402e2));\n"                                     \
     "    " type " y = " p "set1_pd(-9.64399179425052238628e-1);\n\n"                                                 \
     MATH_TERM_64(p, "z", "-9.92877231001918586564e1") MATH_TERM_64(p, "z", "-1.61468768441708447952e3")              \
     "    q = " p "fmadd_pd(q, z, " p "set1_pd(2.23548839060100448583e3));\n"                                         \
     "    q = " p "fmadd_pd(q, z, " p "set1_pd(4.84406305325125486048e3));\n"                                         \
     "    y = " p "fmadd_pd(" p "fmadd_pd(" p "div_pd(y, q), z, " p "setzero_pd()), a, a);\n" choose "}\n"}

#define MATH_AVX512_64                                                                                                \
    MATH_EXP_64("8d", "__m512d", "_mm512_", "_mm512_roundscale_pd", "    return _mm512_scalef_pd(y, n);\n"),          \
        MATH_LOG_64("8d", "__m512d", "_mm512_",                                                                       \
                    "    const __m512d fraction = _mm512_getmant_pd(a, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);\n"      \
                    "    const __mmask8 high =\n"                                                                     \
                    "        _mm512_cmp_pd_mask(fraction, _mm512_set1_pd(1.4142135623730951), _CMP_GT_OQ);\n"         \
                    "    const __m512d m = _mm512_mask_mul_pd(fraction, high, fraction, _mm512_set1_pd(0.5));\n"      \
                    "    const __m512d power = _mm512_getexp_pd(a);\n"                                                \
                    "    const __m512d e = _mm512_mask_add_pd(power, high, power, _mm512_set1_pd(1.0));\n",           \
                    "    y = _mm512_mask_mov_pd(y, _mm512_cmp_pd_mask(a, _mm512_set1_pd(INFINITY), _CMP_EQ_OQ), a);\n" \
                    "    return _mm512_mask_mov_pd(y, _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_EQ_OQ),\n"      \
                    "                              _mm512_set1_pd(-INFINITY));\n"),                                   \
        MATH_TANH_64("8d", "__m512d", "_mm512_",                                                                      \
                     "    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, _mm512_set1_pd(0.625), _CMP_LT_OQ),\n"    \
                     "                                _mm512_or_pd(far, sign), y);\n")

/* Integers below 2^52 become doubles as the last bits of 2^52. */
#define MATH_AVX2_64                                                                                                  \
    MATH_EXP_64("4d", "__m256d", "_mm256_", "_mm256_round_pd",                                                        \
                "    const __m128i whole = _mm256_cvtpd_epi32(n), half = _mm_srai_epi32(whole, 1);\n"                 \
                "    const __m128i rest = _mm_sub_epi32(whole, half), bias = _mm_set1_epi32(1023);\n"                 \
                "    const __m256i a_half = _mm256_cvtepi32_epi64(_mm_add_epi32(half, bias));\n"                      \
                "    const __m256i a_rest = _mm256_cvtepi32_epi64(_mm_add_epi32(rest, bias));\n\n"                    \
                "    y = _mm256_mul_pd(y, _mm256_castsi256_pd(_mm256_slli_epi64(a_half, 52)));\n"                     \
                "    return _mm256_mul_pd(y, _mm256_castsi256_pd(_mm256_slli_epi64(a_rest, 52)));\n"),                \
        MATH_LOG_64("4d", "__m256d", "_mm256_",                                                                       \
                    "    const __m256d zero = _mm256_setzero_pd(), two_52 = _mm256_set1_pd(0x1p52);\n"                \
                    "    const __m256d tiny = _mm256_cmp_pd(a, _mm256_set1_pd(0x1p-1022), _CMP_LT_OQ);\n"             \
                    "    const __m256d up = _mm256_mul_pd(a, two_52);\n"                                              \
                    "    const __m256i bits = _mm256_castpd_si256(_mm256_blendv_pd(a, up, tiny));\n"                  \
                    "    const __m256i low = _mm256_and_si256(bits, _mm256_set1_epi64x(0x000fffffffffffff));\n"       \
                    "    const __m256d fraction =\n"                                                                  \
                    "        _mm256_castsi256_pd(_mm256_or_si256(low, _mm256_set1_epi64x(0x3ff0000000000000)));\n"    \
                    "    const __m256d high =\n"                                                                      \
                    "        _mm256_cmp_pd(fraction, _mm256_set1_pd(1.4142135623730951), _CMP_GT_OQ);\n"              \
                    "    const __m256d half = _mm256_mul_pd(fraction, _mm256_set1_pd(0.5));\n"                        \
                    "    const __m256d m = _mm256_blendv_pd(fraction, half, high);\n"                                 \
                    "    const __m256i power = _mm256_srli_epi64(bits, 52);\n"                                        \
                    "    const __m256d shifted =\n"                                                                   \
                    "        _mm256_castsi256_pd(_mm256_or_si256(power, _mm256_castpd_si256(two_52)));\n"             \
                    "    const __m256d one = _mm256_and_pd(high, _mm256_set1_pd(1.0));\n"                             \
                    "    const __m256d down = _mm256_and_pd(tiny, _mm256_set1_pd(52.0));\n"                           \
                    "    const __m256d whole = _mm256_sub_pd(shifted, _mm256_set1_pd(0x1p52 + 1023.0));\n"            \
                    "    const __m256d e = _mm256_sub_pd(_mm256_add_pd(whole, one), down);\n",                        \
                    "    y = _mm256_blendv_pd(y, a, _mm256_cmp_pd(a, _mm256_set1_pd(INFINITY), _CMP_EQ_OQ));\n"       \
                    "    y = _mm256_blendv_pd(y, _mm256_set1_pd(-INFINITY), _mm256_cmp_pd(a, zero, _CMP_EQ_OQ));\n"   \
                    "    return _mm256_or_pd(y, _mm256_cmp_pd(a, zero, _CMP_NGE_UQ));\n"),                            \
        MATH_TANH_64("4d", "__m256d", "_mm256_",                                                                      \
                     "    return _mm256_blendv_pd(_mm256_or_pd(far, sign), y,\n"                                      \
                     "                            _mm256_cmp_pd(x, _mm256_set1_pd(0.625), _CMP_LT_OQ));\n")

#endif
