/* SSE up to 4.2: no masks for memory, so that rests run one by one. */
#include "caps/simd_sets.h"

#define LOGIC                                                                                                         \
    [VECTOR_MASK_AND] = "_mm_and_si128({a}, {b})", [VECTOR_MASK_OR] = "_mm_or_si128({a}, {b})",                       \
    [VECTOR_MASK_NOT] = "_mm_xor_si128({a}, _mm_set1_epi32(-1))"

#define COMPARE_FLOATS(suffix)                                                                                        \
    [VECTOR_LT] = "_mm_cast" suffix "_si128(_mm_cmplt_" suffix "({a}, {b}))",                                         \
    [VECTOR_LE] = "_mm_cast" suffix "_si128(_mm_cmple_" suffix "({a}, {b}))",                                         \
    [VECTOR_EQ] = "_mm_cast" suffix "_si128(_mm_cmpeq_" suffix "({a}, {b}))",                                         \
    [VECTOR_NE] = "_mm_cast" suffix "_si128(_mm_cmpneq_" suffix "({a}, {b}))",                                        \
    [VECTOR_SELECT] = "_mm_blendv_" suffix "({b}, {a}, _mm_castsi128_" suffix "({m}))", LOGIC

#define COMPARE_INTS                                                                                                  \
    [VECTOR_LT] = "_mm_cmpgt_epi32({b}, {a})",                                                                        \
    [VECTOR_LE] = "_mm_xor_si128(_mm_cmpgt_epi32({a}, {b}), _mm_set1_epi32(-1))",                                     \
    [VECTOR_EQ] = "_mm_cmpeq_epi32({a}, {b})",                                                                        \
    [VECTOR_NE] = "_mm_xor_si128(_mm_cmpeq_epi32({a}, {b}), _mm_set1_epi32(-1))",                                     \
    [VECTOR_SELECT] = "_mm_blendv_epi8({b}, {a}, {m})", LOGIC

/* Equality of 32 bits. */
#define COMPARE_WORDS                                                                                                 \
    [VECTOR_EQ] = "_mm_cmpeq_epi32({a}, {b})",                                                                        \
    [VECTOR_NE] = "_mm_xor_si128(_mm_cmpeq_epi32({a}, {b}), _mm_set1_epi32(-1))",                                     \
    [VECTOR_SELECT] = "_mm_blendv_epi8({b}, {a}, {m})", LOGIC

#define LONGS                                                                                                         \
    X86_MEMORY("_mm_", "si128", "__m128i"), [VECTOR_SPLAT] = "_mm_set1_epi64x({a})",                                  \
        [VECTOR_ZERO] = "_mm_setzero_si128()", [VECTOR_LIST] = "list_2l({a})",                                        \
        [VECTOR_ADD] = "_mm_add_epi64({a}, {b})", [VECTOR_SUB] = "_mm_sub_epi64({a}, {b})",                           \
        [VECTOR_AND] = "_mm_and_si128({a}, {b})", [VECTOR_OR] = "_mm_or_si128({a}, {b})",                             \
        [VECTOR_XOR] = "_mm_xor_si128({a}, {b})", [VECTOR_NOT] = "_mm_xor_si128({a}, _mm_set1_epi32(-1))",            \
        [VECTOR_NEG] = "_mm_sub_epi64(_mm_setzero_si128(), {a})", [VECTOR_MUL] = "mul_2l({a}, {b})",                  \
        [VECTOR_EQ] = "_mm_cmpeq_epi64({a}, {b})",                                                                    \
        [VECTOR_NE] = "_mm_xor_si128(_mm_cmpeq_epi64({a}, {b}), _mm_set1_epi32(-1))",                                 \
        [VECTOR_SELECT] = "_mm_blendv_epi8({b}, {a}, {m})", [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x4e)", LOGIC

#define TOTALS(n)                                                                                                     \
    [VECTOR_SUM] = "sum_" n "({a})", [VECTOR_PRODUCT] = "product_" n "({a})", [VECTOR_LEAST] = "least_" n "({a})",    \
    [VECTOR_GREATEST] = "greatest_" n "({a})"

static const struct simd_type types[] = {
    {TYPE_F32, 4, "__m128", "__m128i", "lanes_4", NULL,
     {X86_FLOATS("_mm_", "ps"), X86_FLOOR("_mm_", "ps"), COMPARE_FLOATS("ps"), TOTALS("4f"),
      [VECTOR_REVERSE] = "_mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128({a}), 0x1b))"}},
    {TYPE_F64, 2, "__m128d", "__m128i", "lanes_2", NULL,
     {X86_FLOATS("_mm_", "pd"), X86_FLOOR("_mm_", "pd"), COMPARE_FLOATS("pd"), TOTALS("2d"),
      [VECTOR_REVERSE] = "_mm_castsi128_pd(_mm_shuffle_epi32(_mm_castpd_si128({a}), 0x4e))"}},
    {TYPE_I32, 4, "__m128i", "__m128i", "lanes_4", NULL,
     {X86_INTS("_mm_", "32", "32", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_MULLO("_mm_", "32"),
      X86_EXTREMES("_mm_", "epi32"), COMPARE_INTS, TOTALS("4i"), [VECTOR_ABS] = "_mm_abs_epi32({a})",
      [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x1b)"}},
    {TYPE_U32, 4, "__m128i", "__m128i", "lanes_4", NULL,
     {X86_INTS("_mm_", "32", "32", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_MULLO("_mm_", "32"),
      X86_EXTREMES("_mm_", "epu32"), COMPARE_WORDS, [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x1b)",
      [VECTOR_LT] = "_mm_xor_si128(_mm_cmpeq_epi32(_mm_max_epu32({a}, {b}), {a}), _mm_set1_epi32(-1))",
      [VECTOR_LE] = "_mm_cmpeq_epi32(_mm_min_epu32({a}, {b}), {a})", [VECTOR_SUM] = "(uint32_t)sum_4i({a})",
      [VECTOR_PRODUCT] = "(uint32_t)product_4i({a})", [VECTOR_LEAST] = "(uint32_t)least_4u({a})",
      [VECTOR_GREATEST] = "(uint32_t)greatest_4u({a})"}},
    {TYPE_I64, 2, "__m128i", "__m128i", "lanes_2", NULL,
     {LONGS, [VECTOR_LT] = "_mm_cmpgt_epi64({b}, {a})",
      [VECTOR_LE] = "_mm_xor_si128(_mm_cmpgt_epi64({a}, {b}), _mm_set1_epi32(-1))",
      [VECTOR_MIN] = "min_2l({a}, {b})", [VECTOR_MAX] = "max_2l({a}, {b})"}},
    {TYPE_U64, 2, "__m128i", "__m128i", "lanes_2", NULL, {LONGS}},
    {TYPE_I8, 16, "__m128i", SIMD_NO_MASK,
     {X86_INTS("_mm_", "8", "8", "si128"), X86_MEMORY("_mm_", "si128", "__m128i")}},
    {TYPE_U8, 16, "__m128i", SIMD_NO_MASK,
     {X86_INTS("_mm_", "8", "8", "si128"), X86_MEMORY("_mm_", "si128", "__m128i")}},
    {TYPE_I16, 8, "__m128i", SIMD_NO_MASK,
     {X86_INTS("_mm_", "16", "16", "si128"), X86_MEMORY("_mm_", "si128", "__m128i")}},
    {TYPE_U16, 8, "__m128i", SIMD_NO_MASK,
     {X86_INTS("_mm_", "16", "16", "si128"), X86_MEMORY("_mm_", "si128", "__m128i")}},
    {TYPE_I16, 4, "__m128i", SIMD_NO_MASK, {X86_INTS("_mm_", "16", "16", "si128"), X86_HALF_MEMORY}},
    {TYPE_U16, 4, "__m128i", SIMD_NO_MASK, {X86_INTS("_mm_", "16", "16", "si128"), X86_HALF_MEMORY}},
    {TYPE_I8, 4, "__m128i", SIMD_NO_MASK,
     {X86_INTS("_mm_", "8", "8", "si128"), [VECTOR_LOAD] = "_mm_loadu_si32({p})",
      [VECTOR_STORE] = "_mm_storeu_si32({p}, {a})"}},
    {TYPE_U8, 4, "__m128i", SIMD_NO_MASK,
     {X86_INTS("_mm_", "8", "8", "si128"), [VECTOR_LOAD] = "_mm_loadu_si32({p})",
      [VECTOR_STORE] = "_mm_storeu_si32({p}, {a})"}},
};

static const struct simd_conversion conversions[] = {
    {TYPE_I8, TYPE_I32, 4, "_mm_cvtepi8_epi32({a})", NULL},
    {TYPE_U8, TYPE_I32, 4, "_mm_cvtepu8_epi32({a})", NULL},
    {TYPE_I16, TYPE_I32, 4, "_mm_cvtepi16_epi32({a})", NULL},
    {TYPE_U16, TYPE_I32, 4, "_mm_cvtepu16_epi32({a})", NULL},
    {TYPE_I32, TYPE_F32, 4, "_mm_cvtepi32_ps({a})", NULL},
    {TYPE_F32, TYPE_I32, 4, "_mm_cvttps_epi32({a})", NULL},
    {TYPE_I32, TYPE_I16, 4, "low_shorts_4({a})", NULL},
    {TYPE_I32, TYPE_I8, 4, "low_bytes_4({a})", NULL},
};

#define FOLD_4F(name, op)                                                                                             \
    {name "_4f", "static inline float " name "_4f(__m128 a)\n{\n"                                                     \
                 "    a = _mm_" op "_ps(a, _mm_movehl_ps(a, a));\n"                                                   \
                 "    return _mm_cvtss_f32(_mm_" op "_ss(a, _mm_movehdup_ps(a)));\n}\n"}
#define FOLD_2D(name, op)                                                                                             \
    {name "_2d", "static inline double " name "_2d(__m128d a)\n{\n"                                                   \
                 "    return _mm_cvtsd_f64(_mm_" op "_sd(a, _mm_unpackhi_pd(a, a)));\n}\n"}
#define FOLD_WORDS(name, op)                                                                                          \
    {name, "static inline int32_t " name "(__m128i a)\n{\n"                                                  \
                 "    a = _mm_" op "(a, _mm_unpackhi_epi64(a, a));\n"                                                 \
                 "    return _mm_cvtsi128_si32(_mm_" op "(a, _mm_shuffle_epi32(a, 1)));\n}\n"}
#define FOLD_4I(name, op) FOLD_WORDS(name "_4i", op)

static const struct simd_helper helpers[] = {
    {"lanes_4", "/* lanes 0 .. n - 1 of 4 */\n"
                "static inline __m128i lanes_4(int64_t n)\n{\n"
                "    const int m = n > 4 ? 4 : n < 0 ? 0 : (int)n;\n\n"
                "    return _mm_cmpgt_epi32(_mm_set1_epi32(m), _mm_setr_epi32(0, 1, 2, 3));\n}\n"},
    {"lanes_2", "/* lanes 0 .. n - 1 of 2 */\n"
                "static inline __m128i lanes_2(int64_t n)\n{\n"
                "    return _mm_cmpgt_epi64(_mm_set1_epi64x(n), _mm_set_epi64x(1, 0));\n}\n"},
    {"low_shorts_4", "/* the low halves of 4 words */\n"
                     "static inline __m128i low_shorts_4(__m128i a)\n{\n"
                     "    a = _mm_and_si128(a, _mm_set1_epi32(0xffff));\n"
                     "    return _mm_packus_epi32(a, a);\n}\n"},
    {"low_bytes_4", "/* the low bytes of 4 words */\n"
                    "static inline __m128i low_bytes_4(__m128i a)\n{\n"
                    "    a = _mm_and_si128(a, _mm_set1_epi32(0xff));\n"
                    "    a = _mm_packus_epi32(a, a);\n"
                    "    return _mm_packus_epi16(a, a);\n}\n"},
    FOLD_4F("sum", "add"), FOLD_4F("product", "mul"), FOLD_4F("least", "min"), FOLD_4F("greatest", "max"),
    FOLD_2D("sum", "add"), FOLD_2D("product", "mul"), FOLD_2D("least", "min"), FOLD_2D("greatest", "max"),
    FOLD_4I("sum", "add_epi32"), FOLD_4I("product", "mullo_epi32"), FOLD_4I("least", "min_epi32"),
    FOLD_4I("greatest", "max_epi32"), FOLD_WORDS("least_4u", "min_epu32"), FOLD_WORDS("greatest_4u", "max_epu32"),
    {"list_2l", "static inline __m128i list_2l(int64_t a, int64_t b) { return _mm_set_epi64x(b, a); }\n"},
    {"mul_2l", "/* the low 64 bits of products, by parts of 32 bits */\n"
               "static inline __m128i mul_2l(__m128i a, __m128i b)\n{\n"
               "    const __m128i cross = _mm_mullo_epi32(a, _mm_shuffle_epi32(b, 0xb1));\n"
               "    const __m128i sum = _mm_add_epi32(cross, _mm_srli_epi64(cross, 32));\n\n"
               "    return _mm_add_epi64(_mm_mul_epu32(a, b), _mm_slli_epi64(sum, 32));\n}\n"},
    {"min_2l", "static inline __m128i min_2l(__m128i a, __m128i b)\n{\n"
               "    return _mm_blendv_epi8(b, a, _mm_cmpgt_epi64(b, a));\n}\n"},
    {"max_2l", "static inline __m128i max_2l(__m128i a, __m128i b)\n{\n"
               "    return _mm_blendv_epi8(b, a, _mm_cmpgt_epi64(a, b));\n}\n"},
};

const struct simd simd_sse = {"sse4.2", "-msse4.2", "immintrin.h", true, false, types, SIMD_COUNT(types),
                              conversions, SIMD_COUNT(conversions), helpers, SIMD_COUNT(helpers), NULL, 0, NULL, 0};
