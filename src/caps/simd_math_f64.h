/* exp, log and tanh of f64 in vectors, as approximations: the helpers that rows call.
 *
 * exp by Taylor's polynomial, log by the one of Sun's fdlibm, tanh by the quotient of Cephes. See caps/simd_math.h.
 */
#ifndef CAPS_SIMD_MATH_F64_H
#define CAPS_SIMD_MATH_F64_H

#include "caps/simd_math_parts.h"

/* clang-format off */

/* 2^n e^x, with x what is left of a after n times ln 2; parts computes n, scale is what multiplies y by 2^n. */
#define EXP_64(s, t, name, most, parts, scale)                                                                        \
    {"exp_" name,                                                                                                     \
     MATH_HEAD(s, t, "exp_" name, most) parts                                                                         \
     MATH_LESS(s, t, "left", "n", "6.93147180369123816490e-01", "near")                                               \
     MATH_LESS(s, t, "x", "n", "1.90821492927058770002e-10", "left")                                                  \
     MATH_FIRST(s, t, "y", "x", "1.6059043836821613e-10", "2.0876756987868099e-09")                                   \
     MATH_TERM(s, t, "y", "x", "2.5052108385441720e-08") MATH_TERM(s, t, "y", "x", "2.7557319223985893e-07")          \
     MATH_TERM(s, t, "y", "x", "2.7557319223985888e-06") MATH_TERM(s, t, "y", "x", "2.4801587301587302e-05")          \
     MATH_TERM(s, t, "y", "x", "1.9841269841269841e-04") MATH_TERM(s, t, "y", "x", "1.3888888888888889e-03")          \
     MATH_TERM(s, t, "y", "x", "8.3333333333333332e-03") MATH_TERM(s, t, "y", "x", "4.1666666666666664e-02")          \
     MATH_TERM(s, t, "y", "x", "1.6666666666666666e-01") MATH_TERM(s, t, "y", "x", "0.5")                             \
     MATH_SET("y", MATH(s, MADD, t, MATH(s, MUL, t, "y", "x"), "x", "x"))                                             \
     MATH_SET("y", MATH(s, ADD, t, "y", MATH(s, ALL, t, "1.0"))) scale "}\n"}
#define EXP_PARTS_64(s, t) EXP_ROUND(s, t, "0x1.8p52 + 2 * 1023", "-746.0", "710.0", "1.4426950408889634")

/* log(m) + e log(2), with m in [sqrt(1/2), sqrt(2)); parts computes m and e, special puts in what is none. */
#define LOG_64(s, t, name, most, parts, special)                                                                      \
    {"log_" name,                                                                                                     \
     MATH_HEAD(s, t, "log_" name, most) parts                                                                         \
     MATH_NEW(s, TYPE, t, "f", MATH(s, SUB, t, "m", MATH(s, ALL, t, "1.0")))                                          \
     MATH_NEW(s, TYPE, t, "s", MATH(s, DIV, t, "f", MATH(s, PART, MATH(s, ADD, t, "f", MATH(s, ALL, t, "2.0")))))     \
     MATH_NEW(s, TYPE, t, "z", MATH(s, MUL, t, "s", "s"))                                                             \
     MATH_NEW(s, TYPE, t, "half_square", MATH(s, MUL, t, MATH(s, MUL, t, "f", "f"), MATH(s, ALL, t, "0.5")))          \
     MATH_FIRST(s, t, "y", "z", "1.479819860510658591e-01", "1.531383769920937332e-01")                               \
     MATH_TERM(s, t, "y", "z", "1.818357216161805012e-01") MATH_TERM(s, t, "y", "z", "2.222219843214978396e-01")      \
     MATH_TERM(s, t, "y", "z", "2.857142874366239149e-01") MATH_TERM(s, t, "y", "z", "3.999999999940941908e-01")      \
     MATH_TERM(s, t, "y", "z", "6.666666666666735130e-01")                                                            \
     MATH_SET("y", MATH(s, MADD, t, "y", "z", "half_square")) MATH_SET("y", MATH(s, MUL, t, "s", "y"))                \
     MATH_SET("y", MATH(s, MADD, t, "e", MATH(s, ALL, t, "1.90821492927058770002e-10"), "y"))                         \
     MATH_SET("y", MATH(s, SUB, t, "f", MATH(s, PART, MATH(s, SUB, t, "half_square", "y"))))                          \
     MATH_SET("y", MATH(s, MADD, t, "e", MATH(s, ALL, t, "6.93147180369123816490e-01"), "y")) special "}\n"}
#define LOG_PARTS_64(s, t)                                                                                            \
    LOG_BITS(s, t, "0x1p-1022", "0x1p52", "0x00095f619980c433", "0x000fffffffffffff", "0x3fe6a09e667f3bcd", "52",     \
             "0x4330000000000000", "0x1p52 + 1023 + 52", "0x1p52 + 1023")

/* 1 - 2 / (e^2x + 1), or a quotient of polynomials for small x. */
#define TANH_64(s, t, name, most)                                                                                     \
    {"tanh_" name,                                                                                                    \
     MATH_HEAD(s, t, "tanh_" name, most)                                                                              \
     MATH_NEW(s, TYPE, t, "x", MATH(s, ABS, t, "a")) MATH_NEW(s, TYPE, t, "z", MATH(s, MUL, t, "x", "x"))             \
     TANH_FAR(s, t, name, "1.0", "2.0")                                                                               \
     "    " MATH(s, TYPE, t) " q = " MATH(s, ADD, t, "z", MATH(s, ALL, t, "1.12811678491632931402e2")) ";\n"          \
     MATH_FIRST(s, t, "y", "z", "-9.64399179425052238628e-1", "-9.92877231001918586564e1")                            \
     MATH_TERM(s, t, "y", "z", "-1.61468768441708447952e3") MATH_TERM(s, t, "q", "z", "2.23548839060100448583e3")     \
     MATH_TERM(s, t, "q", "z", "4.84406305325125486048e3") MATH_SET("y", MATH(s, DIV, t, "y", "q"))                   \
     TANH_END(s, t, "0.625")}

/* All of a set whose rows need no other form of these; n: lanes and type in names. */
#define MATH_64(s, t, n)                                                                                              \
    EXP_64(s, t, n, "1.1", EXP_PARTS_64(s, t), EXP_SCALE(s, t, "52")),                                                \
        LOG_64(s, t, n, "0.9", LOG_PARTS_64(s, t), LOG_SPECIAL(s, t)), TANH_64(s, t, n, "1.7")

#define MATH_AVX512_64                                                                                                \
    EXP_64(AVX512, F64, "8d", "1.1",                                                                                  \
           MATH_NEW(AVX512, TYPE, F64, "near",                                                                        \
                    MATH(AVX512, MOST, F64, "-746.0", MATH(AVX512, LEAST, F64, "710.0", "a")))                        \
           "    const __m512d times = _mm512_mul_pd(near, _mm512_set1_pd(1.4426950408889634));\n"                     \
           "    const __m512d n = _mm512_roundscale_pd(times, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);\n",     \
           "    return _mm512_scalef_pd(y, n);\n"),                                                                   \
        LOG_64(AVX512, F64, "8d", "0.9",                                                                              \
               "    const __m512d fraction = _mm512_getmant_pd(a, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan);\n"           \
               "    const __mmask8 high =\n"                                                                          \
               "        _mm512_cmp_pd_mask(fraction, _mm512_set1_pd(1.4142135623730951), _CMP_GT_OQ);\n"              \
               "    const __m512d m = _mm512_mask_mul_pd(fraction, high, fraction, _mm512_set1_pd(0.5));\n"           \
               "    const __m512d power = _mm512_getexp_pd(a);\n"                                                     \
               "    const __m512d e = _mm512_mask_add_pd(power, high, power, _mm512_set1_pd(1.0));\n",                \
               "    y = _mm512_mask_mov_pd(y, _mm512_cmp_pd_mask(a, _mm512_set1_pd(INFINITY), _CMP_EQ_OQ), a);\n"     \
               "    return _mm512_mask_mov_pd(y, _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_EQ_OQ),\n"           \
               "                              _mm512_set1_pd(-INFINITY));\n"),                                        \
        TANH_64(AVX512, F64, "8d", "1.7")

#endif
