/* SSE up to 4.2: no masks for memory, so that rests run one by one. */
#include "caps/simd_groups.h"
#include "caps/simd_math.h"
#include "caps/simd_sets.h"

/* clang-format off */

#define LOGIC                                                                                                         \
    [VECTOR_MASK_AND] = "_mm_and_si128({a}, {b})", [VECTOR_MASK_OR] = "_mm_or_si128({a}, {b})",                       \
    [VECTOR_MASK_ANDNOT] = "_mm_andnot_si128({a}, {b})", [VECTOR_MASK_NOT] = "_mm_xor_si128({a}, _mm_set1_epi32(-1))",\
    [VECTOR_MASK_BYTES] = "_mm_movemask_epi8({a})"

#define COMPARE_FLOATS(suffix)                                                                                        \
    [VECTOR_LT] = "_mm_cast" suffix "_si128(_mm_cmplt_" suffix "({a}, {b}))",                                         \
    [VECTOR_LE] = "_mm_cast" suffix "_si128(_mm_cmple_" suffix "({a}, {b}))",                                         \
    [VECTOR_EQ] = "_mm_cast" suffix "_si128(_mm_cmpeq_" suffix "({a}, {b}))",                                         \
    [VECTOR_NE] = "_mm_cast" suffix "_si128(_mm_cmpneq_" suffix "({a}, {b}))",                                        \
    [VECTOR_SELECT] = "_mm_blendv_" suffix "({b}, {a}, _mm_castsi128_" suffix "({m}))", LOGIC

/* There is only "greater" and "equal" of integers, of unsigned ones a <= b where the smaller one is a. */
#define EQUAL(bits)                                                                                                   \
    [VECTOR_EQ] = "_mm_cmpeq_epi" bits "({a}, {b})", [VECTOR_SELECT] = "_mm_blendv_epi8({b}, {a}, {m})", LOGIC
#define SIGNED(bits)                                                                                                  \
    [VECTOR_LT] = "_mm_cmpgt_epi" bits "({b}, {a})", X86_ABS("_mm_", bits), EQUAL(bits)
#define UNSIGNED(bits)                                                                                                \
    [VECTOR_LE] = "_mm_cmpeq_epi" bits "(_mm_min_epu" bits "({a}, {b}), {a})", EQUAL(bits)

#define MASK_BYTES "__m128i", "lanes_16_bytes", NULL
#define MASK_SHORTS "__m128i", "lanes_8_shorts", NULL

/* Two lanes of 32 bits, beside two of 64. */
#define PAIR_WORDS                                                                                                    \
    X86_PART("_mm_", "32", "32", "si128"), X86_HALF_MEMORY, X86_LIST_PART("32", "0, 0"), X86_MULLO("_mm_", "32")
#define PAIR_FLOATS                                                                                                   \
    [VECTOR_LOAD] = "_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *){p}))",                                        \
    [VECTOR_STORE] = "_mm_storel_epi64((__m128i *){p}, _mm_castps_si128({a}))",                                       \
    [VECTOR_LIST] = "_mm_setr_ps({a}, 0, 0)", X86_FLOAT_ROWS("_mm_", "ps"), X86_FLOOR("_mm_", "ps"),                  \
    COMPARE_FLOATS("ps"), MATH_ROWS("4f")

#define LONGS                                                                                                         \
    X86_MEMORY("_mm_", "si128", "__m128i"), [VECTOR_SPLAT] = "_mm_set1_epi64x({a})",                                  \
        [VECTOR_ZERO] = "_mm_setzero_si128()", [VECTOR_LIST] = "list_2l({a})",                                        \
        [VECTOR_ADD] = "_mm_add_epi64({a}, {b})", [VECTOR_SUB] = "_mm_sub_epi64({a}, {b})",                           \
        [VECTOR_AND] = "_mm_and_si128({a}, {b})", [VECTOR_OR] = "_mm_or_si128({a}, {b})",                             \
        [VECTOR_XOR] = "_mm_xor_si128({a}, {b})", [VECTOR_NOT] = "_mm_xor_si128({a}, _mm_set1_epi32(-1))",            \
        [VECTOR_NEG] = "_mm_sub_epi64(_mm_setzero_si128(), {a})", [VECTOR_MUL] = "mul_2l({a}, {b})",                  \
        [VECTOR_EQ] = "_mm_cmpeq_epi64({a}, {b})",                                                                    \
        [VECTOR_SELECT] = "_mm_blendv_epi8({b}, {a}, {m})", [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x4e)", LOGIC

#define TOTALS(n)                                                                                                     \
    [VECTOR_SUM] = "sum_" n "({a})", [VECTOR_PRODUCT] = "product_" n "({a})", [VECTOR_LEAST] = "least_" n "({a})",    \
    [VECTOR_GREATEST] = "greatest_" n "({a})"

#define GROUPS_WORDS GROUPS_AS("4f", "float", "_mm_castps_si128", "_mm_castsi128_ps")

static const struct simd_type types[] = {
    {TYPE_F32, 4, "__m128", "__m128i", "lanes_4", NULL,
     {X86_FLOATS("_mm_", "ps"), X86_FLOOR("_mm_", "ps"), COMPARE_FLOATS("ps"), TOTALS("4f"), GROUPS("4f"),
      MATH_ROWS("4f"), POW_ROW("4f"),
      [VECTOR_REVERSE] = "_mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128({a}), 0x1b))"}},
    {TYPE_F64, 2, "__m128d", "__m128i", "lanes_2", NULL,
     {X86_FLOATS("_mm_", "pd"), X86_FLOOR("_mm_", "pd"), COMPARE_FLOATS("pd"), TOTALS("2d"), GROUPS("2d"),
      MATH_ROWS("2d"),
      [VECTOR_REVERSE] = "_mm_castsi128_pd(_mm_shuffle_epi32(_mm_castpd_si128({a}), 0x4e))"}},
    {TYPE_I32, 4, "__m128i", "__m128i", "lanes_4", NULL,
     {X86_INTS("_mm_", "32", "32", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_MULLO("_mm_", "32"),
      X86_EXTREMES("_mm_", "epi32"), SIGNED("32"), X86_SHIFTS_ALL("_mm_", "32", "sra"), TOTALS("4i"), GROUPS_WORDS,
      [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x1b)"}},
    {TYPE_U32, 4, "__m128i", "__m128i", "lanes_4", NULL,
     {X86_INTS("_mm_", "32", "32", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_MULLO("_mm_", "32"),
      X86_EXTREMES("_mm_", "epu32"), UNSIGNED("32"), X86_SHIFTS_ALL("_mm_", "32", "srl"), GROUPS_WORDS,
      [VECTOR_REVERSE] = "_mm_shuffle_epi32({a}, 0x1b)",
      [VECTOR_SUM] = "(uint32_t)sum_4i({a})",
      [VECTOR_PRODUCT] = "(uint32_t)product_4i({a})", [VECTOR_LEAST] = "(uint32_t)least_4u({a})",
      [VECTOR_GREATEST] = "(uint32_t)greatest_4u({a})"}},
    {TYPE_I64, 2, "__m128i", "__m128i", "lanes_2", NULL,
     {LONGS, X86_LEFT_ALL("_mm_", "64"), [VECTOR_LT] = "_mm_cmpgt_epi64({b}, {a})",
      [VECTOR_MIN] = "min_2l({a}, {b})", [VECTOR_MAX] = "max_2l({a}, {b})"}},
    {TYPE_U64, 2, "__m128i", "__m128i", "lanes_2", NULL,
     {LONGS, X86_SHIFTS_ALL("_mm_", "64", "srl"), [VECTOR_LT] = "below_2l({a}, {b})"}},
    {TYPE_I8, 16, "__m128i", MASK_BYTES, {X86_BYTES_16("epi"), SIGNED("8")}},
    {TYPE_U8, 16, "__m128i", MASK_BYTES, {X86_BYTES_16("epu"), UNSIGNED("8")}},
    {TYPE_I16, 8, "__m128i", MASK_SHORTS, {X86_SHORTS_8("epi"), SIGNED("16"), X86_SHIFTS_ALL("_mm_", "16", "sra")}},
    {TYPE_U16, 8, "__m128i", MASK_SHORTS, {X86_SHORTS_8("epu"), UNSIGNED("16"), X86_SHIFTS_ALL("_mm_", "16", "srl")}},
    {TYPE_I8, 8, "__m128i", MASK_BYTES, {X86_BYTES_8("epi"), SIGNED("8")}},
    {TYPE_U8, 8, "__m128i", MASK_BYTES, {X86_BYTES_8("epu"), UNSIGNED("8")}},
    {TYPE_I16, 4, "__m128i", MASK_SHORTS, {X86_SHORTS_4("epi"), SIGNED("16"), X86_SHIFTS_ALL("_mm_", "16", "sra")}},
    {TYPE_U16, 4, "__m128i", MASK_SHORTS, {X86_SHORTS_4("epu"), UNSIGNED("16"), X86_SHIFTS_ALL("_mm_", "16", "srl")}},
    {TYPE_I8, 4, "__m128i", MASK_BYTES, {X86_BYTES_4("epi"), SIGNED("8")}},
    {TYPE_U8, 4, "__m128i", MASK_BYTES, {X86_BYTES_4("epu"), UNSIGNED("8")}},
    {TYPE_I16, 2, "__m128i", MASK_SHORTS, {X86_SHORTS_2("epi"), SIGNED("16"), X86_SHIFTS_ALL("_mm_", "16", "sra")}},
    {TYPE_U16, 2, "__m128i", MASK_SHORTS, {X86_SHORTS_2("epu"), UNSIGNED("16"), X86_SHIFTS_ALL("_mm_", "16", "srl")}},
    {TYPE_I8, 2, "__m128i", MASK_BYTES, {X86_BYTES_2("epi"), SIGNED("8")}},
    {TYPE_U8, 2, "__m128i", MASK_BYTES, {X86_BYTES_2("epu"), UNSIGNED("8")}},
    {TYPE_BF16, 4, "__m128i", MASK_SHORTS,
     {X86_HALF_MEMORY, LOGIC, [VECTOR_ZERO] = "_mm_setzero_si128()",
      [VECTOR_SELECT] = "_mm_blendv_epi8({b}, {a}, {m})"}},
    {TYPE_F32, 2, "__m128", "__m128i", "lanes_4", NULL, {PAIR_FLOATS}},
    {TYPE_I32, 2, "__m128i", "__m128i", "lanes_4", NULL,
     {PAIR_WORDS, X86_EXTREMES("_mm_", "epi32"), SIGNED("32"), X86_SHIFTS_ALL("_mm_", "32", "sra")}},
    {TYPE_U32, 2, "__m128i", "__m128i", "lanes_4", NULL,
     {PAIR_WORDS, X86_EXTREMES("_mm_", "epu32"), UNSIGNED("32"), X86_SHIFTS_ALL("_mm_", "32", "srl")}},
};

static const struct simd_conversion conversions[] = {
    X86_FROM_NARROW(32, 4, "_mm_"),
    X86_TO_NARROW_4(4),
    X86_FROM_NARROW(32, 2, "_mm_"),
    X86_TO_NARROW_4(2),
    X86_FROM_BYTES(8, "_mm_"), X86_FROM_BYTES(4, "_mm_"), X86_FROM_BYTES(2, "_mm_"),
    X86_TO_BYTES(8), X86_TO_BYTES(4), X86_TO_BYTES(2),
    {TYPE_I32, TYPE_F32, 4, "_mm_cvtepi32_ps({a})", NULL},
    {TYPE_F32, TYPE_I32, 4, "_mm_cvttps_epi32({a})", NULL},
    {TYPE_I32, TYPE_F32, 2, "_mm_cvtepi32_ps({a})", NULL},
    {TYPE_F32, TYPE_I32, 2, "_mm_cvttps_epi32({a})", NULL},
    {TYPE_U32, TYPE_F64, 2, "from_u32_2({a})", NULL},
    {TYPE_U32, TYPE_F32, 2, "_mm_cvtpd_ps(from_u32_2({a}))", NULL},
    {TYPE_U32, TYPE_F32, 4, "from_u32_4({a})", NULL},
    {TYPE_I32, TYPE_F64, 2, "_mm_cvtepi32_pd({a})", NULL},
    {TYPE_F64, TYPE_I32, 2, "_mm_cvttpd_epi32({a})", NULL},
    {TYPE_F32, TYPE_F64, 2, "_mm_cvtps_pd({a})", NULL},
    {TYPE_F64, TYPE_F32, 2, "_mm_cvtpd_ps({a})", NULL},
    {TYPE_I32, TYPE_I64, 2, "_mm_cvtepi32_epi64({a})", NULL},
    {TYPE_U32, TYPE_I64, 2, "_mm_cvtepu32_epi64({a})", NULL},
    {TYPE_I64, TYPE_I32, 2, "_mm_shuffle_epi32({a}, 0x08)", NULL},
    {TYPE_BF16, TYPE_F32, 4, "from_bf16_4({a})", NULL},
    {TYPE_F32, TYPE_BF16, 4, "to_bf16_4({a})", NULL},
};

static const struct simd_helper helpers[] = {
    GROUPS_4F, GROUPS_2D,
    X86_LANES("lanes_4", 4, "__m128i", "_mm_", "32", "int", TO_3),
    HELPER("lanes_2", "x86/lanes_longs", X86_VECTOR("__m128i", "_mm_"), {"N", "2"},
           {"NUMBERS", "_mm_set_epi64x(1, 0)"}),
    X86_LANES_NARROW, X86_MUL_BYTES("16", "__m128i", "_mm_", "si128"),
    X86_LOW_4, X86_LOW_8_SHORTS,
    X86_FROM_U32("2", "__m128d", "__m128i", "_mm_", "128"),
    X86_FROM_U32_BY_HALVES("4", "2", "__m128", "__m128i", "_mm_", "a", "_mm_unpackhi_epi64(a, a)",
                           "_mm_movelh_ps(low, high)"),
    HELPER_AS_IS("from_bf16_4", "x86/from_bf16_4"),
    HELPER("to_bf16_4", "x86/to_bf16", {"FLOATS", "__m128"}, {"INTS", "__m128i"}, {"P", "_mm_"}, {"W", "128"},
           {"UNORDERED", "_mm_cmpunord_ps(a, a)"}, {"PACKED", "_mm_packus_epi32(top, top)"}),
    X86_FLOAT_FOLDS("4f", "x86/fold_4f"), X86_FLOAT_FOLDS("2d", "x86/fold_2d"),
    X86_FOLD("sum_4i", "x86/fold_4i", "add_epi32"), X86_FOLD("product_4i", "x86/fold_4i", "mullo_epi32"),
    X86_FOLD("least_4i", "x86/fold_4i", "min_epi32"), X86_FOLD("greatest_4i", "x86/fold_4i", "max_epi32"),
    X86_FOLD("least_4u", "x86/fold_4i", "min_epu32"), X86_FOLD("greatest_4u", "x86/fold_4i", "max_epu32"),
    HELPER_AS_IS("list_2l", "x86/list_2l"), X86_MUL_LONGS("2l", "__m128i", "_mm_"),
    X86_EXTREME_LONGS("min_2l", "__m128i", "_mm_", "b, a"), X86_BELOW_LONGS("2l", "__m128i", "_mm_", "128"),
    X86_EXTREME_LONGS("max_2l", "__m128i", "_mm_", "a, b"), HELPER_AS_IS("dot_4i", "x86/dot_4i"),
    HELPER_AS_IS("bytes_4", "x86/bytes_4"), MATH_SSE,
};

static const struct simd_dot dots[] = {
    {TYPE_I16, TYPE_I16, TYPE_I32, 4, 2, "_mm_add_epi32({c}, _mm_madd_epi16({a}, {b}))", NULL, NULL, false},
    {TYPE_U8, TYPE_I8, TYPE_I32, 4, 4, "dot_4i({c}, {a}, {b})", NULL, NULL, true},
};

const struct simd simd_sse = {"sse4.2", "-msse4.2", "immintrin.h", true, false, types, SIMD_COUNT(types),
                              conversions, SIMD_COUNT(conversions), helpers, SIMD_COUNT(helpers), dots,
                              SIMD_COUNT(dots), NULL, 0, NULL, 0, "_mm_sfence();", NULL, NULL};
