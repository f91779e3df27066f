/* sin, cos and pow in vectors, as approximations: the helpers that rows call.
 *
 * What is left of a after n times pi / 2 is right to its last place: the product with the first part of pi / 2 leaves
 * no error, since the difference fits a number. The polynomials are Cephes'. pow of f32 is computed in f64; that of f64
 * would need more digits than there are. Where a lane is too large, or not of the kind that has such a form, the
 * library computes all of them (NAME_each_LANES, target/clike/vector_each.c). tests/self/functions holds them to the
 * errors that they name.
 */

/* clang-format off */

#ifndef CAPS_SIMD_TRIG_H
#define CAPS_SIMD_TRIG_H

#define TRIG_ROWS(n) [VECTOR_SIN] = "sin_" n "({a})", [VECTOR_COS] = "cos_" n "({a})"

/* x, what is left of a, and its square; n, of the parts of pi / 2. s: suffix of the type. */
#define TRIG_REDUCE(type, p, s, round, to_pi, pi_1, pi_2, pi_3)                                                       \
    "    const " type " zero = " p "setzero_" s "(), turns = " p "mul_" s "(a, " p "set1_" s "(" to_pi "));\n"        \
    "    const " type " whole = " round "(turns, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);\n"                   \
    "    const " type " n = " p "add_" s "(whole, zero);\n"                                                           \
    "    const " type " left = " p "fnmadd_" s "(n, " p "set1_" s "(" pi_1 "), a);\n"                                 \
    "    const " type " more = " p "fnmadd_" s "(n, " p "set1_" s "(" pi_2 "), left);\n"                              \
    "    const " type " x = " p "fnmadd_" s "(n, " p "set1_" s "(" pi_3 "), more), z = " p "mul_" s "(x, x);\n"

#define TRIG_TERM(p, s, y, c) "    " y " = " p "fmadd_" s "(" y ", z, " p "set1_" s "(" c "));\n"

/* The two series, in sine and cosine. */
#define TRIG_SERIES_32(type, p)                                                                                       \
    "    " type " sine = " p "set1_ps(-1.9515295891e-4f), cosine = " p "set1_ps(2.443315711809948e-5f);\n\n"          \
    TRIG_TERM(p, "ps", "sine", "8.3321608736e-3f") TRIG_TERM(p, "ps", "sine", "-1.6666654611e-1f")                    \
    TRIG_TERM(p, "ps", "cosine", "-1.388731625493765e-3f") TRIG_TERM(p, "ps", "cosine", "4.166664568298827e-2f")      \
    TRIG_TERM(p, "ps", "cosine", "-0.5f")                                                                             \
    "    sine = " p "fmadd_ps(" p "fmadd_ps(sine, z, zero), x, x);\n"                                                 \
    "    cosine = " p "fmadd_ps(cosine, z, " p "set1_ps(1.0f));\n"

#define TRIG_SERIES_64(type, p)                                                                                       \
    "    " type " sine = " p "set1_pd(1.58962301576546568060e-10);\n"                                                 \
    "    " type " cosine = " p "set1_pd(-1.13585365213876817300e-11);\n\n"                                            \
    TRIG_TERM(p, "pd", "sine", "-2.50507477628578072866e-8") TRIG_TERM(p, "pd", "sine", "2.75573136213857245213e-6")  \
    TRIG_TERM(p, "pd", "sine", "-1.98412698295895385996e-4") TRIG_TERM(p, "pd", "sine", "8.33333333332211858878e-3")  \
    TRIG_TERM(p, "pd", "sine", "-1.66666666666666307295e-1")                                                          \
    TRIG_TERM(p, "pd", "cosine", "2.08757008419747316778e-9")                                                         \
    TRIG_TERM(p, "pd", "cosine", "-2.75573141792967388112e-7")                                                        \
    TRIG_TERM(p, "pd", "cosine", "2.48015872888517045348e-5")                                                         \
    TRIG_TERM(p, "pd", "cosine", "-1.38888888888730564116e-3")                                                        \
    TRIG_TERM(p, "pd", "cosine", "4.16666666666665929218e-2") TRIG_TERM(p, "pd", "cosine", "-0.5")                    \
    "    sine = " p "fmadd_pd(" p "fmadd_pd(sine, z, zero), x, x);\n"                                                 \
    "    cosine = " p "fmadd_pd(cosine, z, " p "set1_pd(1.0));\n"

/* By the quarter of the circle: cos is sin a quarter further. odd takes its first where bit 0 of quarter is set, turn
 * changes signs where bit 1 is. */
#define TRIG_PAIR(n, type, ints, far, reduce, series, quarters, next, odd, turn)                                      \
    {"sin_" n,                                                                                                        \
     "/* at most 1.6 units in the last place off */\n"                                                                \
     "static inline " type " sin_" n "(" type " a)\n{\n"                                                              \
     "    if (" far ")\n        return sin_each_" n "(a);\n" reduce                                                   \
     "    const " ints " quarter = " quarters ";\n" series                                                            \
     "    const " type " y = " odd("cosine", "sine") ";\n\n"                                                          \
     "    return " turn("y") ";\n}\n"},                                                                               \
    {"cos_" n,                                                                                                        \
     "/* at most 1.6 units in the last place off */\n"                                                                \
     "static inline " type " cos_" n "(" type " a)\n{\n"                                                              \
     "    if (" far ")\n        return cos_each_" n "(a);\n" reduce                                                   \
     "    const " ints " quarter = " next(quarters) ";\n" series                                                      \
     "    const " type " y = " odd("cosine", "sine") ";\n\n"                                                          \
     "    return " turn("y") ";\n}\n"}

#define TRIG_PI_32 "0.636619772f", "1.57079637f", "-4.37113883e-8f", "-1.71512489e-15f"
#define TRIG_PI_64                                                                                                    \
    "0.63661977236758138", "1.5707963267948966", "6.1232339957367660e-17", "-1.4973849048591833e-33"

/* Beyond these, n has no room in its digits. */
#define TRIG_MOST_32 "set1_ps(65536.0f)"
#define TRIG_MOST_64 "set1_pd(0x1p30)"

#define TRIG_REDUCE_AS(type, p, s, round, numbers) TRIG_REDUCE(type, p, s, round, numbers)

#define TRIG_NEXT_16F(quarter) "_mm512_add_epi32(" quarter ", _mm512_set1_epi32(1))"
#define TRIG_ODD_16F(a, b)                                                                                            \
    "_mm512_mask_blend_ps(_mm512_movepi32_mask(_mm512_slli_epi32(quarter, 31)), " b ", " a ")"
#define TRIG_TURN_16F(y)                                                                                              \
    "_mm512_xor_ps(" y ", _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_srli_epi32(quarter, 1), 31)))"

#define TRIG_NEXT_8D(quarter) "_mm512_add_epi64(" quarter ", _mm512_set1_epi64(1))"
#define TRIG_ODD_8D(a, b)                                                                                             \
    "_mm512_mask_blend_pd(_mm512_movepi64_mask(_mm512_slli_epi64(quarter, 63)), " b ", " a ")"
#define TRIG_TURN_8D(y)                                                                                               \
    "_mm512_xor_pd(" y ", _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_srli_epi64(quarter, 1), 63)))"

#define TRIG_NEXT_8F(quarter) "_mm256_add_epi32(" quarter ", _mm256_set1_epi32(1))"
#define TRIG_ODD_8F(a, b) "_mm256_blendv_ps(" b ", " a ", _mm256_castsi256_ps(_mm256_slli_epi32(quarter, 31)))"
#define TRIG_TURN_8F(y)                                                                                               \
    "_mm256_xor_ps(" y ", _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_srli_epi32(quarter, 1), 31)))"

#define TRIG_NEXT_4D(quarter) "_mm256_add_epi64(" quarter ", _mm256_set1_epi64x(1))"
#define TRIG_ODD_4D(a, b) "_mm256_blendv_pd(" b ", " a ", _mm256_castsi256_pd(_mm256_slli_epi64(quarter, 63)))"
#define TRIG_TURN_4D(y)                                                                                               \
    "_mm256_xor_pd(" y ", _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_srli_epi64(quarter, 1), 63)))"

/* Positive numbers only; low and high halves in f64. */
#define POW_ROW(n) [VECTOR_POW] = "pow_" n "({a}, {b})"

#define TRIG_AVX512                                                                                                   \
    TRIG_PAIR("16f", "__m512", "__m512i",                                                                             \
              "_mm512_cmp_ps_mask(_mm512_abs_ps(a), _mm512_" TRIG_MOST_32 ", _CMP_NLE_UQ)",                           \
              TRIG_REDUCE_AS("__m512", "_mm512_", "ps", "_mm512_roundscale_ps", TRIG_PI_32),                          \
              TRIG_SERIES_32("__m512", "_mm512_"), "_mm512_cvtps_epi32(n)", TRIG_NEXT_16F, TRIG_ODD_16F,              \
              TRIG_TURN_16F),                                                                                         \
        TRIG_PAIR("8d", "__m512d", "__m512i",                                                                         \
                  "_mm512_cmp_pd_mask(_mm512_abs_pd(a), _mm512_" TRIG_MOST_64 ", _CMP_NLE_UQ)",                       \
                  TRIG_REDUCE_AS("__m512d", "_mm512_", "pd", "_mm512_roundscale_pd", TRIG_PI_64),                     \
                  TRIG_SERIES_64("__m512d", "_mm512_"), "_mm512_cvtpd_epi64(n)", TRIG_NEXT_8D, TRIG_ODD_8D,           \
                  TRIG_TURN_8D),                                                                                      \
        {"pow_16f",                                                                                                   \
         "/* at most 0.6 units in the last place off */\n"                                                            \
         "static inline __m512 pow_16f(__m512 a, __m512 b)\n{\n"                                                      \
         "    const __m512 zero = _mm512_setzero_ps(), inf = _mm512_set1_ps(INFINITY);\n"                             \
         "    const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(a));\n"                                      \
         "    const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1));\n"                                  \
         "    __m512d x = _mm512_cvtps_pd(_mm512_castps512_ps256(b));\n"                                              \
         "    __m512d y = _mm512_cvtps_pd(_mm512_extractf32x8_ps(b, 1));\n\n"                                         \
         "    if (_mm512_cmp_ps_mask(a, zero, _CMP_NGT_UQ) | _mm512_cmp_ps_mask(a, inf, _CMP_EQ_OQ) |\n"              \
         "        _mm512_cmp_ps_mask(_mm512_abs_ps(b), inf, _CMP_NLT_UQ))\n"                                          \
         "        return pow_each_16f(a, b);\n"                                                                       \
         "    x = exp_8d(_mm512_mul_pd(x, log_8d(low)));\n"                                                           \
         "    y = exp_8d(_mm512_mul_pd(y, log_8d(high)));\n"                                                          \
         "    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(x)), _mm512_cvtpd_ps(y), 1);\n}\n"}    \

#define TRIG_AVX2                                                                                                     \
    TRIG_PAIR("8f", "__m256", "__m256i",                                                                              \
              "_mm256_movemask_ps(_mm256_cmp_ps(_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a),\n"                        \
              "                                         _mm256_" TRIG_MOST_32 ", _CMP_NLE_UQ))",                      \
              TRIG_REDUCE_AS("__m256", "_mm256_", "ps", "_mm256_round_ps", TRIG_PI_32),                               \
              TRIG_SERIES_32("__m256", "_mm256_"), "_mm256_cvtps_epi32(n)", TRIG_NEXT_8F, TRIG_ODD_8F, TRIG_TURN_8F), \
        TRIG_PAIR("4d", "__m256d", "__m256i",                                                                         \
                  "_mm256_movemask_pd(_mm256_cmp_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), a),\n"                     \
                  "                                         _mm256_" TRIG_MOST_64 ", _CMP_NLE_UQ))",                  \
                  TRIG_REDUCE_AS("__m256d", "_mm256_", "pd", "_mm256_round_pd", TRIG_PI_64),                          \
                  TRIG_SERIES_64("__m256d", "_mm256_"), "_mm256_cvtepi32_epi64(_mm256_cvtpd_epi32(n))", TRIG_NEXT_4D, \
                  TRIG_ODD_4D, TRIG_TURN_4D),                                                                         \
        {"pow_8f",                                                                                                    \
         "/* at most 0.6 units in the last place off */\n"                                                            \
         "static inline __m256 pow_8f(__m256 a, __m256 b)\n{\n"                                                       \
         "    const __m256 inf = _mm256_set1_ps(INFINITY), size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), b);\n"      \
         "    const __m256 no_log = _mm256_or_ps(_mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_NGT_UQ),\n"               \
         "                                       _mm256_cmp_ps(a, inf, _CMP_EQ_OQ));\n"                               \
         "    const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(a));\n"                                      \
         "    const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1));\n"                                   \
         "    __m256d x = _mm256_cvtps_pd(_mm256_castps256_ps128(b));\n"                                              \
         "    __m256d y = _mm256_cvtps_pd(_mm256_extractf128_ps(b, 1));\n\n"                                          \
         "    if (_mm256_movemask_ps(_mm256_or_ps(no_log, _mm256_cmp_ps(size, inf, _CMP_NLT_UQ))))\n"                 \
         "        return pow_each_8f(a, b);\n"                                                                        \
         "    x = exp_4d(_mm256_mul_pd(x, log_4d(low)));\n"                                                           \
         "    y = exp_4d(_mm256_mul_pd(y, log_4d(high)));\n"                                                          \
         "    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(x)), _mm256_cvtpd_ps(y), 1);\n}\n"}  \

#endif
