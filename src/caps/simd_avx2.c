/* AVX2 with FMA: a mask is a vector of integers as wide as the lanes. */
#include "caps/simd_groups.h"
#include "caps/simd_math.h"
#include "caps/simd_sets.h"

/* clang-format off */

#define GATHER_FLOATS(w, suffix, bytes)                                                                               \
    [VECTOR_GATHER] = "_mm" w "_i32gather_" suffix "({p}, {b}, " bytes ")",                                           \
    [VECTOR_GATHER_MASK] = "_mm" w "_mask_i32gather_" suffix "(_mm" w "_setzero_" suffix                              \
                           "(), {p}, {b}, _mm" w "_castsi" w "_" suffix "({m}), " bytes ")"

/* Of 4 lanes, with offsets of 64 bits; w is the width of the values. */
#define GATHER_LONG(prefix, w, suffix, bytes)                                                                         \
    [VECTOR_GATHER_LONG] = "_mm256_i64gather_" suffix "({p}, {b}, " bytes ")",                                        \
    [VECTOR_GATHER_LONG_MASK] = "_mm256_mask_i64gather_" suffix "(" prefix "setzero_" suffix                          \
                                "(), {p}, {b}, " prefix "castsi" w "_" suffix "({m}), " bytes ")"

#define GATHER_INTS(suffix, pointer, bytes)                                                                           \
    [VECTOR_GATHER] = "_mm256_i32gather_" suffix "((const " pointer " *){p}, {b}, " bytes ")",                        \
    [VECTOR_GATHER_MASK] = "_mm256_mask_i32gather_" suffix "(_mm256_setzero_si256(), (const " pointer                 \
                           " *){p}, {b}, {m}, " bytes ")"

#define LOGIC(prefix, w)                                                                                              \
    [VECTOR_MASK_AND] = prefix "and_si" w "({a}, {b})", [VECTOR_MASK_OR] = prefix "or_si" w "({a}, {b})",             \
    [VECTOR_MASK_ANDNOT] = prefix "andnot_si" w "({a}, {b})",                                                         \
    [VECTOR_MASK_NOT] = prefix "xor_si" w "({a}, " prefix "set1_epi32(-1))"

#define COMPARE_FLOATS(prefix, w, suffix)                                                                             \
    [VECTOR_LT] = prefix "cast" suffix "_si" w "(" prefix "cmp_" suffix "({a}, {b}, _CMP_LT_OQ))",                    \
    [VECTOR_LE] = prefix "cast" suffix "_si" w "(" prefix "cmp_" suffix "({a}, {b}, _CMP_LE_OQ))",                    \
    [VECTOR_EQ] = prefix "cast" suffix "_si" w "(" prefix "cmp_" suffix "({a}, {b}, _CMP_EQ_OQ))",                    \
    [VECTOR_NE] = prefix "cast" suffix "_si" w "(" prefix "cmp_" suffix "({a}, {b}, _CMP_NEQ_UQ))",                   \
    [VECTOR_SELECT] = prefix "blendv_" suffix "({b}, {a}, " prefix "castsi" w "_" suffix "({m}))", LOGIC(prefix, w)

/* There is only "greater" and "equal", of signed integers; of unsigned ones a <= b where the smaller one is a. */
#define COMPARE_INTS(prefix, w, bits)                                                                                 \
    [VECTOR_LT] = prefix "cmpgt_epi" bits "({b}, {a})", COMPARE_EQUAL(prefix, w, bits)

#define COMPARE_UNSIGNED(prefix, w, bits)                                                                             \
    [VECTOR_LE] = prefix "cmpeq_epi" bits "(" prefix "min_epu" bits "({a}, {b}), {a})"

#define COMPARE_EQUAL(prefix, w, bits)                                                                                \
    [VECTOR_EQ] = prefix "cmpeq_epi" bits "({a}, {b})", [VECTOR_SELECT] = prefix "blendv_epi8({b}, {a}, {m})",        \
    LOGIC(prefix, w)

#define MASKED(prefix, suffix)                                                                                        \
    [VECTOR_LOAD_MASK] = prefix "maskload_" suffix "({p}, {m})",                                                      \
    [VECTOR_STORE_MASK] = prefix "maskstore_" suffix "({p}, {m}, {a})"
#define MASKED_INTS(prefix, suffix, pointer)                                                                          \
    [VECTOR_LOAD_MASK] = prefix "maskload_" suffix "((const " pointer " *){p}, {m})",                                 \
    [VECTOR_STORE_MASK] = prefix "maskstore_" suffix "((" pointer " *){p}, {m}, {a})"

#define TOTALS(n)                                                                                                     \
    [VECTOR_SUM] = "sum_" n "({a})", [VECTOR_PRODUCT] = "product_" n "({a})", [VECTOR_LEAST] = "least_" n "({a})",    \
    [VECTOR_GREATEST] = "greatest_" n "({a})"
#define BITS(cast, n)                                                                                                 \
    [VECTOR_ALL_AND] = cast "all_and_" n "({a})", [VECTOR_ALL_OR] = cast "all_or_" n "({a})",                         \
    [VECTOR_ALL_XOR] = cast "all_xor_" n "({a})"

#define WORDS(right)                                                                                                  \
    X86_INTS("_mm256_", "32", "32", "si256"), X86_MEMORY("_mm256_", "si256", "__m256i"), X86_MULLO("_mm256_", "32"),  \
    MASKED_INTS("_mm256_", "epi32", "int"), GATHER_INTS("epi32", "int", "4"), X86_SHIFTS("_mm256_", "32", right),     \
    GROUPS_AS("8f", "float", "_mm256_castps_si256", "_mm256_castsi256_ps"),                                           \
    [VECTOR_REVERSE] = "_mm256_permutevar8x32_epi32({a}, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))"
#define LONGS                                                                                                         \
    X86_INTS("_mm256_", "64", "64x", "si256"), X86_MEMORY("_mm256_", "si256", "__m256i"),                             \
    MASKED_INTS("_mm256_", "epi64", "long long"), GATHER_INTS("epi64", "long long", "8"),                             \
    GROUPS_AS("4d", "double", "_mm256_castpd_si256", "_mm256_castsi256_pd"),                                          \
    [VECTOR_MUL] = "mul_4l({a}, {b})", [VECTOR_SHL] = "_mm256_sllv_epi64({a}, {b})", X86_LEFT_ALL("_mm256_", "64"),   \
    [VECTOR_REVERSE] = "_mm256_permute4x64_epi64({a}, 0x1b)"
#define WORDS_4                                                                                                       \
    X86_INTS("_mm_", "32", "32", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_MULLO("_mm_", "32"),           \
    MASKED_INTS("_mm_", "epi32", "int"), GROUPS_AS("4f", "float", "_mm_castps_si128", "_mm_castsi128_ps")

/* Signed and unsigned comparisons of narrow types. */
#define SIGNED(prefix, w, bits) COMPARE_INTS(prefix, w, bits), X86_ABS(prefix, bits)
#define UNSIGNED(prefix, w, bits) COMPARE_EQUAL(prefix, w, bits), COMPARE_UNSIGNED(prefix, w, bits)
#define BYTES_32(kind)                                                                                                \
    X86_INTS("_mm256_", "8", "8", "si256"), X86_MEMORY("_mm256_", "si256", "__m256i"),                                \
    X86_BYTES("_mm256_", kind, "32"), X86_HALVES_256
#define SHORTS_16(kind)                                                                                               \
    X86_INTS("_mm256_", "16", "16", "si256"), X86_MEMORY("_mm256_", "si256", "__m256i"), X86_SHORTS("_mm256_", kind), \
    X86_HALVES_256
#define HALVES_8                                                                                                      \
    {X86_NUMBERS_16("_mm_", "si128", "__m128i"), LOGIC("_mm_", "128"),                                                \
     [VECTOR_SELECT] = "_mm_blendv_epi8({b}, {a}, {m})"}
#define MASK_8 "__m256i", "lanes_8", NULL
#define MASK_4 "__m256i", "lanes_4", NULL
#define MASK_4_WORDS "__m128i", "lanes_4_words", NULL
#define MASK_32_BYTES "__m256i", "lanes_32_bytes", NULL
#define MASK_16_SHORTS "__m256i", "lanes_16_shorts", NULL
#define MASK_BYTES "__m128i", "lanes_16_bytes", NULL
#define MASK_SHORTS "__m128i", "lanes_8_shorts", NULL

static const struct simd_type types[] = {
    {TYPE_F32, 8, "__m256", MASK_8,
     {X86_FLOATS("_mm256_", "ps"), X86_FMA("_mm256_", "ps"), MASKED("_mm256_", "ps"), GATHER_FLOATS("256", "ps", "4"),
      GROUPS("8f"),
      COMPARE_FLOATS("_mm256_", "256", "ps"), X86_FLOOR("_mm256_", "ps"), [VECTOR_ROUND] = "round_8f({a})",
      TOTALS("8f"), MATH_ROWS("8f"), POW_ROW("8f"),
      [VECTOR_REVERSE] = "_mm256_permutevar8x32_ps({a}, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))"}},
    {TYPE_F64, 4, "__m256d", MASK_4,
     {X86_FLOATS("_mm256_", "pd"), X86_FMA("_mm256_", "pd"), MASKED("_mm256_", "pd"), GATHER_FLOATS("256", "pd", "8"),
      GROUPS("4d"),
      GATHER_LONG("_mm256_", "256", "pd", "8"),
      COMPARE_FLOATS("_mm256_", "256", "pd"), X86_FLOOR("_mm256_", "pd"), [VECTOR_ROUND] = "round_4d({a})",
      TOTALS("4d"), MATH_ROWS("4d"), [VECTOR_REVERSE] = "_mm256_permute4x64_pd({a}, 0x1b)"}},
    {TYPE_I32, 8, "__m256i", MASK_8,
     {WORDS("sra"), X86_EXTREMES("_mm256_", "epi32"), COMPARE_INTS("_mm256_", "256", "32"), TOTALS("8i"),
      BITS("", "8i"), [VECTOR_ABS] = "_mm256_abs_epi32({a})"}},
    {TYPE_U32, 8, "__m256i", MASK_8,
     {WORDS("srl"), X86_EXTREMES("_mm256_", "epu32"), COMPARE_EQUAL("_mm256_", "256", "32"), BITS("(uint32_t)", "8i"),
      COMPARE_UNSIGNED("_mm256_", "256", "32"), [VECTOR_LEAST] = "(uint32_t)least_8u({a})",
      [VECTOR_GREATEST] = "(uint32_t)greatest_8u({a})",
      [VECTOR_SUM] = "(uint32_t)sum_8i({a})", [VECTOR_PRODUCT] = "(uint32_t)product_8i({a})"}},
    {TYPE_I64, 4, "__m256i", MASK_4,
     {LONGS, COMPARE_INTS("_mm256_", "256", "64"), [VECTOR_SUM] = "sum_4l({a})", [VECTOR_MIN] = "min_4l({a}, {b})",
      [VECTOR_MAX] = "max_4l({a}, {b})", [VECTOR_ABS] = "abs_4l({a})", [VECTOR_SHR] = "right_4l({a}, {b})"}},
    {TYPE_U64, 4, "__m256i", MASK_4,
     {LONGS, COMPARE_EQUAL("_mm256_", "256", "64"), [VECTOR_LT] = "below_4l({a}, {b})",
      [VECTOR_SHR] = "_mm256_srlv_epi64({a}, {b})", [VECTOR_SHR_ALL] = "_mm256_srli_epi64({a}, {c})",
      [VECTOR_SUM] = "(uint64_t)sum_4l({a})"}},
    {TYPE_I16, 8, "__m128i", MASK_SHORTS,
     {X86_SHORTS_8("epi"), SIGNED("_mm_", "128", "16"), X86_SHIFTS_ALL("_mm_", "16", "sra")}},
    {TYPE_U16, 8, "__m128i", MASK_SHORTS,
     {X86_SHORTS_8("epu"), UNSIGNED("_mm_", "128", "16"), X86_SHIFTS_ALL("_mm_", "16", "srl")}},
    {TYPE_I8, 8, "__m128i", MASK_BYTES, {X86_BYTES_8("epi"), SIGNED("_mm_", "128", "8")}},
    {TYPE_U8, 8, "__m128i", MASK_BYTES, {X86_BYTES_8("epu"), UNSIGNED("_mm_", "128", "8")}},
    {TYPE_I16, 4, "__m128i", MASK_SHORTS,
     {X86_SHORTS_4("epi"), SIGNED("_mm_", "128", "16"), X86_SHIFTS_ALL("_mm_", "16", "sra")}},
    {TYPE_U16, 4, "__m128i", MASK_SHORTS,
     {X86_SHORTS_4("epu"), UNSIGNED("_mm_", "128", "16"), X86_SHIFTS_ALL("_mm_", "16", "srl")}},
    {TYPE_I8, 4, "__m128i", MASK_BYTES, {X86_BYTES_4("epi"), SIGNED("_mm_", "128", "8")}},
    {TYPE_U8, 4, "__m128i", MASK_BYTES, {X86_BYTES_4("epu"), UNSIGNED("_mm_", "128", "8")}},
    {TYPE_F16, 8, "__m128i", MASK_SHORTS, HALVES_8},
    {TYPE_BF16, 8, "__m128i", MASK_SHORTS, HALVES_8},
    {TYPE_I8, 32, "__m256i", MASK_32_BYTES, {BYTES_32("epi"), SIGNED("_mm256_", "256", "8")}},
    {TYPE_U8, 32, "__m256i", MASK_32_BYTES, {BYTES_32("epu"), UNSIGNED("_mm256_", "256", "8")}},
    {TYPE_I16, 16, "__m256i", MASK_16_SHORTS,
     {SHORTS_16("epi"), SIGNED("_mm256_", "256", "16"), X86_SHIFTS_ALL("_mm256_", "16", "sra")}},
    {TYPE_U16, 16, "__m256i", MASK_16_SHORTS,
     {SHORTS_16("epu"), UNSIGNED("_mm256_", "256", "16"), X86_SHIFTS_ALL("_mm256_", "16", "srl")}},
    {TYPE_I8, 16, "__m128i", MASK_BYTES, {X86_BYTES_16("epi"), SIGNED("_mm_", "128", "8")}},
    {TYPE_U8, 16, "__m128i", MASK_BYTES, {X86_BYTES_16("epu"), UNSIGNED("_mm_", "128", "8")}},
    {TYPE_F32, 4, "__m128", MASK_4_WORDS,
     {X86_FLOATS("_mm_", "ps"), X86_FMA("_mm_", "ps"), MASKED("_mm_", "ps"), COMPARE_FLOATS("_mm_", "128", "ps"),
      GATHER_LONG("_mm_", "128", "ps", "4"), GROUPS("4f"), MATH_ROWS("4f"), POW_ROW("4f"),
      X86_FLOOR("_mm_", "ps"), [VECTOR_REVERSE] = "_mm_permute_ps({a}, 0x1b)"}},
    {TYPE_I32, 4, "__m128i", MASK_4_WORDS,
     {WORDS_4, X86_EXTREMES("_mm_", "epi32"), COMPARE_INTS("_mm_", "128", "32"), X86_SHIFTS("_mm_", "32", "sra"),
      [VECTOR_ABS] = "_mm_abs_epi32({a})", [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x1b)"}},
    {TYPE_U32, 4, "__m128i", MASK_4_WORDS,
     {WORDS_4, X86_EXTREMES("_mm_", "epu32"), UNSIGNED("_mm_", "128", "32"), X86_SHIFTS("_mm_", "32", "srl"),
      [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x1b)"}},
};

static const struct simd_conversion conversions[] = {
    X86_FROM_NARROW(32, 8, "_mm256_"),
    X86_FROM_NARROW(32, 4, "_mm_"),
    X86_TO_NARROW_4(4),
    X86_FROM_BYTES(16, "_mm256_"), X86_FROM_BYTES(8, "_mm_"), X86_FROM_BYTES(4, "_mm_"),
    X86_TO_BYTES(8), X86_TO_BYTES(4),
    {TYPE_I16, TYPE_I8, 16, "low_bytes_16_shorts({a})", NULL},
    {TYPE_U16, TYPE_I8, 16, "low_bytes_16_shorts({a})", NULL},
    {TYPE_I32, TYPE_I8, 8, "low_bytes_8({a})", NULL},
    {TYPE_I32, TYPE_I16, 8, "low_shorts_8({a})", NULL},
    {TYPE_I32, TYPE_I64, 4, "_mm256_cvtepi32_epi64({a})", NULL},
    {TYPE_U32, TYPE_I64, 4, "_mm256_cvtepu32_epi64({a})", NULL},
    {TYPE_U32, TYPE_F64, 4, "from_u32_4({a})", NULL},
    {TYPE_U32, TYPE_F32, 4, "_mm256_cvtpd_ps(from_u32_4({a}))", NULL},
    {TYPE_U32, TYPE_F32, 8, "from_u32_8({a})", NULL},
    {TYPE_I64, TYPE_I32, 4, "low_words_4({a})", NULL},
    {TYPE_I32, TYPE_F32, 8, "_mm256_cvtepi32_ps({a})", NULL},
    {TYPE_F32, TYPE_I32, 8, "_mm256_cvttps_epi32({a})", NULL},
    {TYPE_I32, TYPE_F32, 4, "_mm_cvtepi32_ps({a})", NULL},
    {TYPE_F32, TYPE_I32, 4, "_mm_cvttps_epi32({a})", NULL},
    {TYPE_F32, TYPE_F64, 4, "_mm256_cvtps_pd({a})", NULL},
    {TYPE_F64, TYPE_F32, 4, "_mm256_cvtpd_ps({a})", NULL},
    {TYPE_I32, TYPE_F64, 4, "_mm256_cvtepi32_pd({a})", NULL},
    {TYPE_F64, TYPE_I32, 4, "_mm256_cvttpd_epi32({a})", NULL},
    {TYPE_F16, TYPE_F32, 8, "_mm256_cvtph_ps({a})", "-mf16c"},
    {TYPE_F32, TYPE_F16, 8, "_mm256_cvtps_ph({a}, _MM_FROUND_TO_NEAREST_INT)", "-mf16c"},
    {TYPE_BF16, TYPE_F32, 8, "from_bf16_8({a})", NULL},
    {TYPE_F32, TYPE_BF16, 8, "to_bf16_8({a})", NULL},
};

#define LANES(name, n, type, body)                                                                                    \
    {name, "/* lanes 0 .. n - 1 of " #n " */\nstatic inline " type " " name "(int64_t n)\n{\n" body "}\n"}

/* Halves of the register first, then halves of these. */
#define FOLD_8F(name, op)                                                                                             \
    {name "_8f", "static inline float " name "_8f(__m256 a)\n{\n"                                                     \
                 "    __m128 b = _mm_" op "_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));\n\n"          \
                 "    b = _mm_" op "_ps(b, _mm_movehl_ps(b, b));\n"                                                   \
                 "    return _mm_cvtss_f32(_mm_" op "_ss(b, _mm_movehdup_ps(b)));\n}\n"}
#define FOLD_4D(name, op)                                                                                             \
    {name "_4d", "static inline double " name "_4d(__m256d a)\n{\n"                                                   \
                 "    const __m128d b = _mm_" op "_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));\n\n"   \
                 "    return _mm_cvtsd_f64(_mm_" op "_sd(b, _mm_unpackhi_pd(b, b)));\n}\n"}
#define FOLD_WORDS(name, op)                                                                                          \
    {name, "static inline int32_t " name "(__m256i a)\n{\n"                                                  \
                 "    __m128i b = _mm_" op "(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));\n\n"         \
                 "    b = _mm_" op "(b, _mm_unpackhi_epi64(b, b));\n"                                                 \
                 "    return _mm_cvtsi128_si32(_mm_" op "(b, _mm_shuffle_epi32(b, 1)));\n}\n"}
#define FOLD_8I(name, op) FOLD_WORDS(name "_8i", op)

static const struct simd_helper helpers[] = {
    GROUPS_8F, GROUPS_4D, GROUPS_4F,
    LANES("lanes_8", 8, "__m256i",
          "    const int m = n > 8 ? 8 : n < 0 ? 0 : (int)n;\n\n"
          "    return _mm256_cmpgt_epi32(_mm256_set1_epi32(m), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));\n"),
    LANES("lanes_4", 4, "__m256i",
          "    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));\n"),
    LANES("lanes_4_words", 4, "__m128i",
          "    const int m = n > 4 ? 4 : n < 0 ? 0 : (int)n;\n\n"
          "    return _mm_cmpgt_epi32(_mm_set1_epi32(m), _mm_setr_epi32(0, 1, 2, 3));\n"),
    LANES("lanes_32_bytes", 32, "__m256i",
          "    const char m = n > 32 ? 32 : n < 0 ? 0 : (char)n;\n\n"
          "    return _mm256_cmpgt_epi8(_mm256_set1_epi8(m),\n"
          "                             _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,\n"
          "                                              15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,\n"
          "                                              28, 29, 30, 31));\n"),
    LANES("lanes_16_shorts", 16, "__m256i",
          "    const short m = n > 16 ? 16 : n < 0 ? 0 : (short)n;\n\n"
          "    return _mm256_cmpgt_epi16(_mm256_set1_epi16(m),\n"
          "                              _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,\n"
          "                                                15));\n"),
    X86_LANES_NARROW, X86_MUL_BYTES("32", "__m256i", "_mm256_", "si256"),
    X86_MUL_BYTES("16", "__m128i", "_mm_", "si128"),
    {"from_bf16_8",
     "static inline __m256 from_bf16_8(__m128i a)\n{\n"
     "    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(a), 16));\n}\n"},
    X86_TO_BF16_8,
    X86_LOW_4, X86_LOW_8_SHORTS,
    {"low_bytes_16_shorts", "/* the low bytes of 16 shorts */\n"
                            "static inline __m128i low_bytes_16_shorts(__m256i a)\n{\n"
                            "    a = _mm256_and_si256(a, _mm256_set1_epi16(0xff));\n"
                            "    return _mm_packus_epi16(_mm256_castsi256_si128(a),"
                            " _mm256_extracti128_si256(a, 1));\n}\n"},
    {"from_u32_4", "/* behind the bits of 2^52 they are that much more */\n"
                   "static inline __m256d from_u32_4(__m128i a)\n{\n"
                   "    const __m256d base = _mm256_set1_pd(4503599627370496.0);\n"
                   "    const __m256i bits = _mm256_or_si256(_mm256_cvtepu32_epi64(a), _mm256_castpd_si256(base));\n\n"
                   "    return _mm256_sub_pd(_mm256_castsi256_pd(bits), base);\n}\n"},
    {"from_u32_8", "/* rounded once, from f64, which has them all */\n"
                   "static inline __m256 from_u32_8(__m256i a)\n{\n"
                   "    const __m128 low = _mm256_cvtpd_ps(from_u32_4(_mm256_castsi256_si128(a)));\n"
                   "    const __m128 high = _mm256_cvtpd_ps(from_u32_4(_mm256_extracti128_si256(a, 1)));\n\n"
                   "    return _mm256_set_m128(high, low);\n}\n"},
    {"low_shorts_8", "/* the low halves of 8 words */\n"
                     "static inline __m128i low_shorts_8(__m256i a)\n{\n"
                     "    a = _mm256_and_si256(a, _mm256_set1_epi32(0xffff));\n"
                     "    return _mm_packus_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));\n}\n"},
    {"low_bytes_8", "/* the low bytes of 8 words */\n"
                    "static inline __m128i low_bytes_8(__m256i a)\n{\n"
                    "    __m128i b;\n\n"
                    "    a = _mm256_and_si256(a, _mm256_set1_epi32(0xff));\n"
                    "    b = _mm_packus_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));\n"
                    "    return _mm_packus_epi16(b, b);\n}\n"},
    {"low_words_4", "/* the low halves of 4 numbers */\n"
                    "static inline __m128i low_words_4(__m256i a)\n{\n"
                    "    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);\n\n"
                    "    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(a, even));\n}\n"},
    FOLD_8F("sum", "add"), FOLD_8F("product", "mul"), FOLD_8F("least", "min"), FOLD_8F("greatest", "max"),
    FOLD_4D("sum", "add"), FOLD_4D("product", "mul"), FOLD_4D("least", "min"), FOLD_4D("greatest", "max"),
    FOLD_8I("sum", "add_epi32"), FOLD_8I("product", "mullo_epi32"), FOLD_8I("least", "min_epi32"),
    FOLD_8I("greatest", "max_epi32"), FOLD_8I("all_and", "and_si128"), FOLD_8I("all_or", "or_si128"),
    FOLD_8I("all_xor", "xor_si128"),
    FOLD_WORDS("least_8u", "min_epu32"), FOLD_WORDS("greatest_8u", "max_epu32"),
    {"mul_4l", "/* the low 64 bits of products, by parts of 32 bits */\n"
               "static inline __m256i mul_4l(__m256i a, __m256i b)\n{\n"
               "    const __m256i cross = _mm256_mullo_epi32(a, _mm256_shuffle_epi32(b, 0xb1));\n"
               "    const __m256i sum = _mm256_add_epi32(cross, _mm256_srli_epi64(cross, 32));\n\n"
               "    return _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64(sum, 32));\n}\n"},
    {"min_4l", "static inline __m256i min_4l(__m256i a, __m256i b)\n{\n"
               "    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(b, a));\n}\n"},
    {"max_4l", "static inline __m256i max_4l(__m256i a, __m256i b)\n{\n"
               "    return _mm256_blendv_epi8(b, a, _mm256_cmpgt_epi64(a, b));\n}\n"},
    {"abs_4l", "static inline __m256i abs_4l(__m256i a)\n{\n"
               "    const __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);\n\n"
               "    return _mm256_sub_epi64(_mm256_xor_si256(a, sign), sign);\n}\n"},
    {"right_4l", "/* a shifted to the right, copies of the sign coming in */\n"
                 "static inline __m256i right_4l(__m256i a, __m256i b)\n{\n"
                 "    const __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);\n\n"
                 "    return _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(a, sign), b), sign);\n}\n"},
    {"below_4l", "/* a < b of unsigned numbers */\n"
                 "static inline __m256i below_4l(__m256i a, __m256i b)\n{\n"
                 "    const __m256i top = _mm256_set1_epi64x(INT64_MIN);\n\n"
                 "    return _mm256_cmpgt_epi64(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top));\n}\n"},
    {"sum_4l", "static inline int64_t sum_4l(__m256i a)\n{\n"
               "    const __m128i b = _mm_add_epi64(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));\n\n"
               "    return _mm_cvtsi128_si64(_mm_add_epi64(b, _mm_unpackhi_epi64(b, b)));\n}\n"},
    {"round_8f",
     "/* to the nearest integers, halves away from zero */\n"
     "static inline __m256 round_8f(__m256 a)\n{\n"
     "    const __m256 sign = _mm256_and_ps(a, _mm256_set1_ps(-0.0f));\n"
     "    const __m256 whole = _mm256_round_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);\n"
     "    const __m256 left = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), _mm256_sub_ps(a, whole));\n"
     "    const __m256 up = _mm256_cmp_ps(left, _mm256_set1_ps(0.5f), _CMP_GE_OQ);\n"
     "    const __m256 next = _mm256_add_ps(whole, _mm256_or_ps(_mm256_set1_ps(1.0f), sign));\n\n"
     "    return _mm256_blendv_ps(whole, next, up);\n}\n"},
    {"round_4d",
     "/* to the nearest integers, halves away from zero */\n"
     "static inline __m256d round_4d(__m256d a)\n{\n"
     "    const __m256d sign = _mm256_and_pd(a, _mm256_set1_pd(-0.0));\n"
     "    const __m256d whole = _mm256_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);\n"
     "    const __m256d left = _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_sub_pd(a, whole));\n"
     "    const __m256d up = _mm256_cmp_pd(left, _mm256_set1_pd(0.5), _CMP_GE_OQ);\n"
     "    const __m256d next = _mm256_add_pd(whole, _mm256_or_pd(_mm256_set1_pd(1.0), sign));\n\n"
     "    return _mm256_blendv_pd(whole, next, up);\n}\n"},
    {"pairs_8i",
     "/* each lane of c plus two products; gcc would add up products first, and spill, without being\n"
     " * told that c changes here */\n"
     "static inline __m256i pairs_8i(__m256i c, __m256i a, __m256i b)\n{\n"
     "    c = _mm256_add_epi32(c, _mm256_madd_epi16(a, b));\n"
     "    __asm__(\"\" : \"+x\"(c));\n"
     "    return c;\n}\n"},
    {"dot_8i",
     "/* each lane of c plus four products, of u8 and i8, two of which together fit 16 bits; gcc would\n"
     " * add up products first, and spill, without being told that c changes here */\n"
     "static inline __m256i dot_8i(__m256i c, __m256i a, __m256i b)\n{\n"
     "    const __m256i pairs = _mm256_maddubs_epi16(a, b);\n\n"
     "    c = _mm256_add_epi32(c, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));\n"
     "    __asm__(\"\" : \"+x\"(c));\n"
     "    return c;\n}\n"},
    {"bytes_4",
     "/* four bytes as one number */\n"
     "static inline int bytes_4(const void *p) { return _mm_cvtsi128_si32(_mm_loadu_si32(p)); }\n"},
    MATH_AVX2,
};

static const struct simd_dot dots[] = {
    {TYPE_I16, TYPE_I16, TYPE_I32, 8, 2, "pairs_8i({c}, {a}, {b})", NULL, NULL, false},
    {TYPE_U8, TYPE_I8, TYPE_I32, 8, 4, "dot_8i({c}, {a}, {b})", NULL, NULL, true},
};

static const struct simd_need needs[] = {
    {"_mm256_fmadd_", "-mfma"}, {"_mm256_fnmadd_", "-mfma"}, {"_mm_fmadd_", "-mfma"}};

const struct simd simd_avx2 = {"avx2", "-mavx2", "immintrin.h", true, false, types, SIMD_COUNT(types),
                               conversions, SIMD_COUNT(conversions), helpers, SIMD_COUNT(helpers), dots,
                               SIMD_COUNT(dots), needs, SIMD_COUNT(needs), NULL, 0, "_mm_sfence();", NULL, NULL};
