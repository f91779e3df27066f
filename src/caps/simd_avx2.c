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
    [VECTOR_MASK_NOT] = prefix "xor_si" w "({a}, " prefix "set1_epi32(-1))",                                          \
    [VECTOR_MASK_BYTES] = prefix "movemask_epi8({a})"

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

#define ROUND(n, type, ps, f) HELPER("round_" n, "x86/round", {"VECTOR", type}, {"PS", ps}, {"F", f})

static const struct simd_helper helpers[] = {
    GROUPS_8F, GROUPS_4D, GROUPS_4F,
    X86_LANES("lanes_8", 8, "__m256i", "_mm256_", "32", "int", TO_7),
    HELPER("lanes_4", "x86/lanes_longs", X86_VECTOR("__m256i", "_mm256_"), {"N", "4"},
           {"NUMBERS", "_mm256_setr_epi64x(" TO_3 ")"}),
    X86_LANES("lanes_4_words", 4, "__m128i", "_mm_", "32", "int", TO_3),
    X86_LANES("lanes_32_bytes", 32, "__m256i", "_mm256_", "8", "char", TO_31),
    X86_LANES("lanes_16_shorts", 16, "__m256i", "_mm256_", "16", "short", TO_15),
    X86_LANES_NARROW, X86_MUL_BYTES("32", "__m256i", "_mm256_", "si256"),
    X86_MUL_BYTES("16", "__m128i", "_mm_", "si128"),
    X86_FROM_BF16("8", "__m256", "__m128i", "_mm256_", "256"), X86_TO_BF16_8,
    X86_LOW_4, X86_LOW_8_SHORTS, HELPER_AS_IS("low_bytes_16_shorts", "x86/low_bytes_16_shorts"),
    X86_FROM_U32("4", "__m256d", "__m256i", "_mm256_", "256"),
    X86_FROM_U32_BY_HALVES("8", "4", "__m256", "__m256i", "_mm256_", "_mm256_castsi256_si128(a)",
                           "_mm256_extracti128_si256(a, 1)", "_mm256_set_m128(high, low)"),
    HELPER_AS_IS("low_shorts_8", "x86/low_shorts_8"), HELPER_AS_IS("low_bytes_8", "x86/low_bytes_8"),
    HELPER_AS_IS("low_words_4", "x86/low_words_4"),
    X86_FLOAT_FOLDS("8f", "x86/fold_8f"), X86_FLOAT_FOLDS("4d", "x86/fold_4d"),
    X86_FOLD("sum_8i", "x86/fold_8i", "add_epi32"), X86_FOLD("product_8i", "x86/fold_8i", "mullo_epi32"),
    X86_FOLD("least_8i", "x86/fold_8i", "min_epi32"), X86_FOLD("greatest_8i", "x86/fold_8i", "max_epi32"),
    X86_FOLD("all_and_8i", "x86/fold_8i", "and_si128"), X86_FOLD("all_or_8i", "x86/fold_8i", "or_si128"),
    X86_FOLD("all_xor_8i", "x86/fold_8i", "xor_si128"),
    X86_FOLD("least_8u", "x86/fold_8i", "min_epu32"), X86_FOLD("greatest_8u", "x86/fold_8i", "max_epu32"),
    X86_MUL_LONGS("4l", "__m256i", "_mm256_"),
    X86_EXTREME_LONGS("min_4l", "__m256i", "_mm256_", "b, a"),
    X86_EXTREME_LONGS("max_4l", "__m256i", "_mm256_", "a, b"),
    HELPER_AS_IS("abs_4l", "x86/abs_4l"), HELPER_AS_IS("right_4l", "x86/right_4l"),
    X86_BELOW_LONGS("4l", "__m256i", "_mm256_", "256"), HELPER_AS_IS("sum_4l", "x86/sum_4l"),
    ROUND("8f", "__m256", "ps", "f"), ROUND("4d", "__m256d", "pd", ""),
    HELPER_AS_IS("pairs_8i", "x86/pairs_8i"), HELPER_AS_IS("dot_8i", "x86/dot_8i"),
    HELPER_AS_IS("bytes_4", "x86/bytes_4"), MATH_AVX2,
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
