/* AVX-512 (F, DQ, VL; BW for masks of narrow types), whose masks are registers of bits. */
#include "caps/simd_amx.h"
#include "caps/simd_math.h"
#include "caps/simd_sets.h"

/* clang-format off */

/* bits: of the lanes, in names of lists of them */
#define SHUFFLE(w, suffix, bits)                                                                                      \
    [VECTOR_SHUFFLE] = "_mm" w "_permutex2var_" suffix "({a}, _mm" w "_setr_epi" bits "({c}), {b})"

/* Offsets are 32-bit; w is the width of their vector. */
#define GATHER_512(w, suffix, bytes)                                                                                  \
    [VECTOR_GATHER] = "_mm" w "_i32gather_" suffix "({b}, {p}, " bytes ")",                                           \
    [VECTOR_GATHER_MASK] =                                                                                            \
        "_mm" w "_mask_i32gather_" suffix "(_mm" w "_set1_" suffix "(0), {m}, {b}, {p}, " bytes ")",                  \
    [VECTOR_SCATTER] = "_mm" w "_i32scatter_" suffix "({p}, {b}, {a}, " bytes ")",                                    \
    [VECTOR_SCATTER_MASK] = "_mm" w "_mask_i32scatter_" suffix "({p}, {m}, {b}, {a}, " bytes ")"

#define GATHER_256(w, suffix, pointer, bytes)                                                                         \
    [VECTOR_GATHER] = "_mm" w "_i32gather_" suffix "(" pointer "{p}, {b}, " bytes ")",                                \
    [VECTOR_GATHER_MASK] =                                                                                            \
        "_mm" w "_mmask_i32gather_" suffix "(_mm" w "_set1_" suffix "(0), {m}, {b}, {p}, " bytes ")",                 \
    [VECTOR_SCATTER] = "_mm" w "_i32scatter_" suffix "({p}, {b}, {a}, " bytes ")",                                    \
    [VECTOR_SCATTER_MASK] = "_mm" w "_mask_i32scatter_" suffix "({p}, {m}, {b}, {a}, " bytes ")"

#define GATHER_256X(w, pointer)                                                                                       \
    [VECTOR_GATHER] = "_mm" w "_i32gather_epi64((const long long *){p}, {b}, 8)",                                     \
    [VECTOR_GATHER_MASK] = "_mm" w "_mmask_i32gather_epi64(_mm" w "_set1_epi64x(0), {m}, {b}, {p}, 8)",               \
    [VECTOR_SCATTER] = "_mm" w "_i32scatter_epi64({p}, {b}, {a}, 8)",                                                 \
    [VECTOR_SCATTER_MASK] = "_mm" w "_mask_i32scatter_epi64({p}, {m}, {b}, {a}, 8)"

/* Of 8 lanes, with offsets of 64 bits; w is the width of the values. */
#define GATHER_LONG(w, suffix, bytes)                                                                                 \
    [VECTOR_GATHER_LONG] = "_mm512_i64gather_" suffix "({b}, {p}, " bytes ")",                                        \
    [VECTOR_GATHER_LONG_MASK] =                                                                                       \
        "_mm512_mask_i64gather_" suffix "(_mm" w "_set1_" suffix "(0), {m}, {b}, {p}, " bytes ")",                    \
    [VECTOR_SCATTER_LONG] = "_mm512_i64scatter_" suffix "({p}, {b}, {a}, " bytes ")",                                 \
    [VECTOR_SCATTER_LONG_MASK] = "_mm512_mask_i64scatter_" suffix "({p}, {m}, {b}, {a}, " bytes ")"

/* A mask has no bit above its lanes: it may go to an instruction of more lanes. */
#define JOINED(prefix, type, suffix)                                                                                  \
    [VECTOR_MASK_AND] = "(" type ")({a} & {b})", [VECTOR_MASK_OR] = "(" type ")({a} | {b})",                          \
    [VECTOR_MASK_ANY] = "{a} != 0", [VECTOR_SELECT] = prefix "mask_blend_" suffix "({m}, {b}, {a})"
#define LOGIC(prefix, type, suffix) JOINED(prefix, type, suffix), [VECTOR_MASK_NOT] = "(" type ")~{a}"
#define LOGIC_4(prefix, suffix)                                                                                       \
    JOINED(prefix, "__mmask8", suffix), [VECTOR_MASK_NOT] = "(__mmask8)(~{a} & 0xf)"

#define FLOATS_COMPARED(prefix, suffix)                                                                               \
    [VECTOR_LT] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_LT_OQ)",                                                 \
    [VECTOR_LE] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_LE_OQ)",                                                 \
    [VECTOR_EQ] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_EQ_OQ)",                                                 \
    [VECTOR_NE] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_NEQ_UQ)"
#define COMPARE_FLOATS(prefix, type, suffix) FLOATS_COMPARED(prefix, suffix), LOGIC(prefix, type, suffix)
#define COMPARE_FLOATS_4(prefix, suffix) FLOATS_COMPARED(prefix, suffix), LOGIC_4(prefix, suffix)

/* before and behind stand around each comparison. */
#define INTS_COMPARED(before, prefix, kind, bits, behind)                                                             \
    [VECTOR_LT] = before prefix "cmplt_" kind bits "_mask({a}, {b})" behind,                                          \
    [VECTOR_LE] = before prefix "cmple_" kind bits "_mask({a}, {b})" behind,                                          \
    [VECTOR_EQ] = before prefix "cmpeq_" kind bits "_mask({a}, {b})" behind,                                          \
    [VECTOR_NE] = before prefix "cmpneq_" kind bits "_mask({a}, {b})" behind
#define COMPARE_INTS(prefix, type, kind, bits)                                                                        \
    INTS_COMPARED("", prefix, kind, bits, ""), LOGIC(prefix, type, "epi" bits)
#define COMPARE_INTS_4(prefix, kind, bits)                                                                            \
    INTS_COMPARED("", prefix, kind, bits, ""), LOGIC_4(prefix, "epi" bits)

#define MASKED(prefix, suffix)                                                                                        \
    [VECTOR_LOAD_MASK] = prefix "maskz_loadu_" suffix "({m}, {p})",                                                   \
    [VECTOR_STORE_MASK] = prefix "mask_storeu_" suffix "({p}, {m}, {a})"

#define EXTREMES_512(cast, kind)                                                                                      \
    [VECTOR_LEAST] = cast "_mm512_reduce_min_" kind "({a})", [VECTOR_GREATEST] = cast "_mm512_reduce_max_" kind "({a})"
#define FLOAT_TOTALS_512(suffix)                                                                                      \
    [VECTOR_SUM] = "_mm512_reduce_add_" suffix "({a})", [VECTOR_PRODUCT] = "_mm512_reduce_mul_" suffix "({a})",       \
    EXTREMES_512("", suffix)
/* Compilers' _mm512_reduce_add_epi32 adds ints, which may overflow. */
#define INT_TOTALS_512(cast, kind, n)                                                                                 \
    [VECTOR_SUM] = cast "sum_" n "({a})", [VECTOR_PRODUCT] = cast "product_" n "({a})",                               \
    [VECTOR_ALL_XOR] = cast "all_xor_" n "({a})", EXTREMES_512(cast, kind)

#define BITS_512(cast, suffix)                                                                                        \
    [VECTOR_ALL_AND] = cast "_mm512_reduce_and_" suffix "({a})",                                                      \
    [VECTOR_ALL_OR] = cast "_mm512_reduce_or_" suffix "({a})"

#define FLOORS_512(suffix, n)                                                                                         \
    X86_FLOOR("_mm512_", suffix), [VECTOR_ROUND] = "round_" n "({a})", [VECTOR_REVERSE] = "reversed_" n "({a})"

/* Integers of one width, signed or not. */
#define WORDS_512(kind, right)                                                                                        \
    X86_INTS("_mm512_", "32", "32", "si512"), X86_MEMORY("_mm512_", "si512", "void"), X86_MULLO("_mm512_", "32"),     \
    SHUFFLE("512", "epi32", "32"),                                                                                    \
    X86_EXTREMES("_mm512_", kind "32"), MASKED("_mm512_", "epi32"), GATHER_512("512", "epi32", "4"),                  \
    COMPARE_INTS("_mm512_", "__mmask16", kind, "32"), X86_SHIFTS("_mm512_", "32", right)
#define LONGS_512(kind, right)                                                                                        \
    X86_INTS("_mm512_", "64", "64", "si512"), X86_MEMORY("_mm512_", "si512", "void"), X86_MULLO("_mm512_", "64"),     \
    SHUFFLE("512", "epi64", "64"),                                                                                    \
    X86_EXTREMES("_mm512_", kind "64"), MASKED("_mm512_", "epi64"), GATHER_512("512", "epi64", "8"),                  \
    GATHER_LONG("512", "epi64", "8"),                                                                                 \
    COMPARE_INTS("_mm512_", "__mmask8", kind, "64"), X86_SHIFTS("_mm512_", "64", right)
#define WORDS_256(kind, right)                                                                                        \
    X86_INTS("_mm256_", "32", "32", "si256"), X86_MEMORY("_mm256_", "si256", "__m256i"), X86_MULLO("_mm256_", "32"),  \
    SHUFFLE("256", "epi32", "32"),                                                                                    \
    X86_EXTREMES("_mm256_", kind "32"), MASKED("_mm256_", "epi32"), GATHER_256("256", "epi32", "(const int *)", "4"), \
    COMPARE_INTS("_mm256_", "__mmask8", kind, "32"), X86_SHIFTS("_mm256_", "32", right)
#define WORDS_128(kind, right)                                                                                        \
    X86_INTS("_mm_", "32", "32", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_MULLO("_mm_", "32"),           \
    X86_EXTREMES("_mm_", kind "32"), MASKED("_mm_", "epi32"), COMPARE_INTS_4("_mm_", kind, "32"),                     \
    X86_SHIFTS("_mm_", "32", right)
#define LONGS_256(kind, right)                                                                                        \
    X86_INTS("_mm256_", "64", "64x", "si256"), X86_MEMORY("_mm256_", "si256", "__m256i"), X86_MULLO("_mm256_", "64"), \
    SHUFFLE("256", "epi64", "64x"),                                                                                   \
    X86_EXTREMES("_mm256_", kind "64"), MASKED("_mm256_", "epi64"), GATHER_256X("256", "epi64"),                      \
    COMPARE_INTS_4("_mm256_", kind, "64"), X86_SHIFTS("_mm256_", "64", right)

/* Narrow types. A register of 16 bytes is used for fewer lanes, too. */
#define BYTES(prefix, whole, pointer, mask, kind, n)                                                                  \
    X86_INTS(prefix, "8", "8", whole), X86_MEMORY(prefix, whole, pointer), MASKED(prefix, "epi8"),                    \
    X86_BYTES(prefix, kind, n), COMPARE_INTS(prefix, mask, kind, "8")
#define BYTES_64(kind)                                                                                                \
    X86_PART("_mm512_", "8", "8", "si512"), X86_MEMORY("_mm512_", "si512", "void"), MASKED("_mm512_", "epi8"),        \
    X86_BYTES("_mm512_", kind, "64"), COMPARE_INTS("_mm512_", "__mmask64", kind, "8"), X86_HALVES_512
#define SHORTS(prefix, whole, pointer, mask, kind, right)                                                             \
    X86_INTS(prefix, "16", "16", whole), X86_MEMORY(prefix, whole, pointer), SHORT_ROWS(prefix, mask, kind, right)
#define SHORT_ROWS(prefix, mask, kind, right)                                                                         \
    MASKED(prefix, "epi16"), X86_SHORTS(prefix, kind), COMPARE_INTS(prefix, mask, kind, "16"),                        \
    X86_SHIFTS(prefix, "16", right)
#define SHORTS_32(kind, right)                                                                                        \
    X86_PART("_mm512_", "16", "16", "si512"), X86_MEMORY("_mm512_", "si512", "void"),                                 \
    SHORT_ROWS("_mm512_", "__mmask32", kind, right), X86_HALVES_512
/* 8 or 4 lanes of a register that has more. */
#define COMPARE_8_OF(kind, bits)                                                                                      \
    INTS_COMPARED("(__mmask8)", "_mm_", kind, bits, ""), LOGIC("_mm_", "__mmask8", "epi" bits)
#define COMPARE_4_OF(kind, bits)                                                                                      \
    INTS_COMPARED("(__mmask8)(", "_mm_", kind, bits, " & 0xf)"), LOGIC_4("_mm_", "epi" bits)
#define BYTE_PART(kind)                                                                                               \
    X86_PART("_mm_", "8", "8", "si128"), MASKED("_mm_", "epi8"), X86_BYTES("_mm_", kind, "16")

/* Eight and four bytes of a register. gcc 12 ends at a masked widening of what _mm_loadl_epi64 and _mm_loadu_si32 load
 * (doc/COMPILERS.md). */
#define HALF_MEMORY                                                                                                   \
    [VECTOR_LOAD] = "_mm_castps_si128(_mm_loadl_pi(_mm_setzero_ps(), (const __m64 *){p}))",                           \
    [VECTOR_STORE] = "_mm_storel_epi64((__m128i *){p}, {a})"
#define QUARTER_MEMORY                                                                                                \
    [VECTOR_LOAD] = "_mm_maskz_loadu_epi32(1, {p})", [VECTOR_STORE] = "_mm_storeu_si32({p}, {a})"

#define BYTES_8(kind)                                                                                                 \
    BYTE_PART(kind), COMPARE_8_OF(kind, "8"), HALF_MEMORY, X86_LIST_PART("8", X86_ZEROS_4 ", " X86_ZEROS_4),          \
    X86_BYTE_GROUPS
#define BYTES_4(kind)                                                                                                 \
    BYTE_PART(kind), COMPARE_4_OF(kind, "8"), QUARTER_MEMORY,                                                     \
    X86_LIST_PART("8", X86_ZEROS_4 ", " X86_ZEROS_4 ", " X86_ZEROS_4)
#define SHORTS_4(kind, right)                                                                                         \
    X86_PART("_mm_", "16", "16", "si128"), MASKED("_mm_", "epi16"), X86_SHORTS("_mm_", kind),                         \
    COMPARE_4_OF(kind, "16"), X86_SHIFTS("_mm_", "16", right), HALF_MEMORY, X86_LIST_PART("16", X86_ZEROS_4)
#define HALVES(prefix, whole, pointer, mask)                                                                          \
    {X86_NUMBERS_16(prefix, whole, pointer), MASKED(prefix, "epi16"), LOGIC(prefix, mask, "epi16")}
#define HALVES_16 HALVES("_mm256_", "si256", "__m256i", "__mmask16")
#define HALVES_8 HALVES("_mm_", "si128", "__m128i", "__mmask8")

#define MASK_16 "__mmask16", "lanes_16", NULL
#define MASK_8 "__mmask8", "lanes_8", NULL
#define MASK_4 "__mmask8", "lanes_4", NULL
#define NARROW_64 "__mmask64", "lanes_64", "-mavx512bw"
#define NARROW_32 "__mmask32", "lanes_32", "-mavx512bw"
#define NARROW_4 "__mmask8", "lanes_4", "-mavx512bw"
#define NARROW_16 "__mmask16", "lanes_16", "-mavx512bw"
#define NARROW_8 "__mmask8", "lanes_8", "-mavx512bw"

static const struct simd_type types[] = {
    {TYPE_F32, 16, "__m512", MASK_16,
     {X86_FLOATS("_mm512_", "ps"), X86_FMA("_mm512_", "ps"), MASKED("_mm512_", "ps"), GATHER_512("512", "ps", "4"),
      SHUFFLE("512", "ps", "32"),
      COMPARE_FLOATS("_mm512_", "__mmask16", "ps"), FLOAT_TOTALS_512("ps"), FLOORS_512("ps", "16f"),
      MATH_ROWS("16f"), POW_ROW("16f")}},
    {TYPE_F64, 8, "__m512d", MASK_8,
     {X86_FLOATS("_mm512_", "pd"), X86_FMA("_mm512_", "pd"), MASKED("_mm512_", "pd"), GATHER_512("512", "pd", "8"),
      SHUFFLE("512", "pd", "64"),
      GATHER_LONG("512", "pd", "8"),
      COMPARE_FLOATS("_mm512_", "__mmask8", "pd"), FLOAT_TOTALS_512("pd"), FLOORS_512("pd", "8d"),
      MATH_ROWS("8d")}},
    {TYPE_I32, 16, "__m512i", MASK_16,
     {WORDS_512("epi", "sra"), [VECTOR_ABS] = "_mm512_abs_epi32({a})", INT_TOTALS_512("", "epi32", "16i"),
      BITS_512("", "epi32"), [VECTOR_REVERSE] = "reversed_16i({a})"}},
    {TYPE_U32, 16, "__m512i", MASK_16,
     {WORDS_512("epu", "srl"), INT_TOTALS_512("(uint32_t)", "epu32", "16i"), BITS_512("(uint32_t)", "epi32"),
      [VECTOR_REVERSE] = "reversed_16i({a})"}},
    {TYPE_I64, 8, "__m512i", MASK_8,
     {LONGS_512("epi", "sra"), [VECTOR_ABS] = "_mm512_abs_epi64({a})", INT_TOTALS_512("", "epi64", "8l"),
      BITS_512("", "epi64"), [VECTOR_REVERSE] = "reversed_8l({a})"}},
    {TYPE_U64, 8, "__m512i", MASK_8,
     {LONGS_512("epu", "srl"), INT_TOTALS_512("(uint64_t)", "epu64", "8l"), BITS_512("(uint64_t)", "epi64"),
      [VECTOR_REVERSE] = "reversed_8l({a})"}},
    {TYPE_I8, 64, "__m512i", NARROW_64, {BYTES_64("epi"), X86_ABS("_mm512_", "8"), [VECTOR_FLAGS] = "-mavx512bw"}},
    {TYPE_U8, 64, "__m512i", NARROW_64, {BYTES_64("epu"), [VECTOR_FLAGS] = "-mavx512bw"}},
    {TYPE_I16, 32, "__m512i", NARROW_32,
     {SHORTS_32("epi", "sra"), X86_ABS("_mm512_", "16"), [VECTOR_FLAGS] = "-mavx512bw"}},
    {TYPE_U16, 32, "__m512i", NARROW_32, {SHORTS_32("epu", "srl"), [VECTOR_FLAGS] = "-mavx512bw"}},
    {TYPE_I8, 32, "__m256i", NARROW_32,
     {BYTES("_mm256_", "si256", "__m256i", "__mmask32", "epi", "32"), X86_ABS("_mm256_", "8"), X86_HALVES_256}},
    {TYPE_U8, 32, "__m256i", NARROW_32,
     {BYTES("_mm256_", "si256", "__m256i", "__mmask32", "epu", "32"), X86_HALVES_256}},
    {TYPE_I16, 16, "__m256i", NARROW_16,
     {SHORTS("_mm256_", "si256", "__m256i", "__mmask16", "epi", "sra"), X86_ABS("_mm256_", "16"), X86_HALVES_256}},
    {TYPE_U16, 16, "__m256i", NARROW_16,
     {SHORTS("_mm256_", "si256", "__m256i", "__mmask16", "epu", "srl"), X86_HALVES_256}},
    {TYPE_I8, 16, "__m128i", NARROW_16,
     {BYTES("_mm_", "si128", "__m128i", "__mmask16", "epi", "16"), X86_ABS("_mm_", "8"), X86_BYTE_GROUPS}},
    {TYPE_U8, 16, "__m128i", NARROW_16, {BYTES("_mm_", "si128", "__m128i", "__mmask16", "epu", "16"), X86_BYTE_GROUPS}},
    {TYPE_F16, 16, "__m256i", NARROW_16, HALVES_16},
    {TYPE_BF16, 16, "__m256i", NARROW_16, HALVES_16},
    {TYPE_F32, 8, "__m256", MASK_8,
     {X86_FLOATS("_mm256_", "ps"), X86_FMA("_mm256_", "ps"), MASKED("_mm256_", "ps"),
      GATHER_256("256", "ps", "", "4"), GATHER_LONG("256", "ps", "4"), SHUFFLE("256", "ps", "32"),
      COMPARE_FLOATS("_mm256_", "__mmask8", "ps"),
      X86_FLOOR("_mm256_", "ps"),
      MATH_ROWS("8f"), POW_ROW("8f"),
      [VECTOR_REVERSE] = "_mm256_permutevar8x32_ps({a}, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))"}},
    {TYPE_F64, 4, "__m256d", MASK_4,
     {X86_FLOATS("_mm256_", "pd"), X86_FMA("_mm256_", "pd"), MASKED("_mm256_", "pd"),
      GATHER_256("256", "pd", "", "8"), SHUFFLE("256", "pd", "64x"),
      COMPARE_FLOATS_4("_mm256_", "pd"), X86_FLOOR("_mm256_", "pd"),
      MATH_ROWS("4d"),
      [VECTOR_REVERSE] = "_mm256_permute4x64_pd({a}, 0x1b)"}},
    {TYPE_I32, 8, "__m256i", MASK_8, {WORDS_256("epi", "sra"), [VECTOR_ABS] = "_mm256_abs_epi32({a})"}},
    {TYPE_U32, 8, "__m256i", MASK_8, {WORDS_256("epu", "srl")}},
    {TYPE_I64, 4, "__m256i", MASK_4, {LONGS_256("epi", "sra"), [VECTOR_ABS] = "_mm256_abs_epi64({a})"}},
    {TYPE_U64, 4, "__m256i", MASK_4, {LONGS_256("epu", "srl")}},
    {TYPE_I16, 8, "__m128i", NARROW_8,
     {SHORTS("_mm_", "si128", "__m128i", "__mmask8", "epi", "sra"), X86_ABS("_mm_", "16"), X86_BYTE_GROUPS}},
    {TYPE_U16, 8, "__m128i", NARROW_8,
     {SHORTS("_mm_", "si128", "__m128i", "__mmask8", "epu", "srl"), X86_BYTE_GROUPS}},
    {TYPE_I8, 8, "__m128i", NARROW_8, {BYTES_8("epi"), X86_ABS("_mm_", "8")}},
    {TYPE_U8, 8, "__m128i", NARROW_8, {BYTES_8("epu")}},
    {TYPE_I16, 4, "__m128i", NARROW_4, {SHORTS_4("epi", "sra"), X86_ABS("_mm_", "16")}},
    {TYPE_U16, 4, "__m128i", NARROW_4, {SHORTS_4("epu", "srl")}},
    {TYPE_I8, 4, "__m128i", NARROW_4, {BYTES_4("epi"), X86_ABS("_mm_", "8")}},
    {TYPE_U8, 4, "__m128i", NARROW_4, {BYTES_4("epu")}},
    {TYPE_F16, 8, "__m128i", NARROW_8, HALVES_8},
    {TYPE_BF16, 8, "__m128i", NARROW_8, HALVES_8},
    {TYPE_F32, 4, "__m128", MASK_4,
     {X86_FLOATS("_mm_", "ps"), X86_FMA("_mm_", "ps"), MASKED("_mm_", "ps"),
      COMPARE_FLOATS_4("_mm_", "ps"), X86_FLOOR("_mm_", "ps"), MATH_ROWS("4f"), POW_ROW("4f")}},
    {TYPE_I32, 4, "__m128i", MASK_4, {WORDS_128("epi", "sra"), [VECTOR_ABS] = "_mm_abs_epi32({a})"}},
    {TYPE_U32, 4, "__m128i", MASK_4, {WORDS_128("epu", "srl")}},
};

#define FROM_NARROW(to, n, prefix)                                                                                    \
    {TYPE_I8, TYPE_I##to, n, prefix "cvtepi8_epi" #to "({a})", NULL},                                                 \
    {TYPE_U8, TYPE_I##to, n, prefix "cvtepu8_epi" #to "({a})", NULL},                                                 \
    {TYPE_I16, TYPE_I##to, n, prefix "cvtepi16_epi" #to "({a})", NULL},                                               \
    {TYPE_U16, TYPE_I##to, n, prefix "cvtepu16_epi" #to "({a})", NULL}

#define BYTES_AND_SHORTS(n, prefix)                                                                                   \
    {TYPE_I8, TYPE_I16, n, prefix "cvtepi8_epi16({a})", "-mavx512bw"},                                                \
    {TYPE_U8, TYPE_I16, n, prefix "cvtepu8_epi16({a})", "-mavx512bw"},                                                \
    {TYPE_I16, TYPE_I8, n, prefix "cvtepi16_epi8({a})", "-mavx512bw"},                                                \
    {TYPE_U16, TYPE_I8, n, prefix "cvtepi16_epi8({a})", "-mavx512bw"}
#define TO_NARROW(from, n, prefix)                                                                                    \
    {TYPE_I##from, TYPE_I8, n, prefix "cvtepi" #from "_epi8({a})", NULL},                                             \
    {TYPE_I##from, TYPE_I16, n, prefix "cvtepi" #from "_epi16({a})", NULL}

#define WITH_FLOATS(i, u, f, n, prefix, ints, unsigned_ints, suffix)                                                  \
    {i, f, n, prefix "cvt" ints "_" suffix "({a})", NULL},                                                            \
    {u, f, n, prefix "cvt" unsigned_ints "_" suffix "({a})", NULL},                                                   \
    {f, i, n, prefix "cvtt" suffix "_" ints "({a})", NULL},                                                           \
    {f, u, n, prefix "cvtt" suffix "_" unsigned_ints "({a})", NULL}

static const struct simd_conversion conversions[] = {
    FROM_NARROW(32, 16, "_mm512_"), FROM_NARROW(32, 8, "_mm256_"), FROM_NARROW(64, 8, "_mm512_"),
    BYTES_AND_SHORTS(32, "_mm512_"), BYTES_AND_SHORTS(16, "_mm256_"), BYTES_AND_SHORTS(8, "_mm_"),
    BYTES_AND_SHORTS(4, "_mm_"),
    TO_NARROW(32, 16, "_mm512_"), TO_NARROW(32, 8, "_mm256_"), TO_NARROW(64, 8, "_mm512_"),
    {TYPE_I32, TYPE_I64, 8, "_mm512_cvtepi32_epi64({a})", NULL},
    {TYPE_U32, TYPE_I64, 8, "_mm512_cvtepu32_epi64({a})", NULL},
    {TYPE_I64, TYPE_I32, 8, "_mm512_cvtepi64_epi32({a})", NULL},
    {TYPE_I32, TYPE_I64, 4, "_mm256_cvtepi32_epi64({a})", NULL},
    {TYPE_I64, TYPE_I32, 4, "_mm256_cvtepi64_epi32({a})", NULL},
    {TYPE_F32, TYPE_F64, 8, "_mm512_cvtps_pd({a})", NULL},
    {TYPE_F64, TYPE_F32, 8, "_mm512_cvtpd_ps({a})", NULL},
    {TYPE_F32, TYPE_F64, 4, "_mm256_cvtps_pd({a})", NULL},
    {TYPE_F64, TYPE_F32, 4, "_mm256_cvtpd_ps({a})", NULL},
    WITH_FLOATS(TYPE_I32, TYPE_U32, TYPE_F32, 16, "_mm512_", "epi32", "epu32", "ps"),
    WITH_FLOATS(TYPE_I32, TYPE_U32, TYPE_F32, 8, "_mm256_", "epi32", "epu32", "ps"),
    WITH_FLOATS(TYPE_I32, TYPE_U32, TYPE_F64, 8, "_mm512_", "epi32", "epu32", "pd"),
    WITH_FLOATS(TYPE_I64, TYPE_U64, TYPE_F64, 8, "_mm512_", "epi64", "epu64", "pd"),
    WITH_FLOATS(TYPE_I64, TYPE_U64, TYPE_F32, 8, "_mm512_", "epi64", "epu64", "ps"),
    {TYPE_I32, TYPE_F64, 4, "_mm256_cvtepi32_pd({a})", NULL},
    {TYPE_F64, TYPE_I32, 4, "_mm256_cvttpd_epi32({a})", NULL},
    {TYPE_F16, TYPE_F32, 16, "_mm512_cvtph_ps({a})", NULL},
    {TYPE_F16, TYPE_F32, 8, "_mm256_cvtph_ps({a})", "-mf16c"},
    {TYPE_F32, TYPE_F16, 16, "_mm512_cvtps_ph({a}, _MM_FROUND_TO_NEAREST_INT)", NULL},
    {TYPE_F32, TYPE_F16, 8, "_mm256_cvtps_ph({a}, _MM_FROUND_TO_NEAREST_INT)", "-mf16c"},
    {TYPE_BF16, TYPE_F32, 16, "from_bf16_16({a})", NULL},
    {TYPE_BF16, TYPE_F32, 8, "from_bf16_8({a})", NULL},
    {TYPE_F32, TYPE_BF16, 16, "to_bf16_16({a})", NULL},
    {TYPE_F32, TYPE_BF16, 8, "to_bf16_8({a})", NULL},
};

#define LANES(n, type) HELPER("lanes_" n, "x86/lanes_bits", {"MASK", type}, {"N", n})
#define LANES_ALL(n, type, all, one)                                                                                  \
    HELPER("lanes_" n, "x86/lanes_all_bits", {"MASK", type}, {"N", n}, {"ALL", all}, {"ONE", one})
#define ROUND(n, type, ps, mask)                                                                                      \
    HELPER("round_" n, "x86/round_512", {"VECTOR", type}, {"PS", ps}, {"MASK", mask})
#define FOLD(name, template, op, bits) HELPER(name, template, {"OP_256", op bits}, {"OP_128", op bits})
#define FOLD_WHOLE(name, template, op) HELPER(name, template, {"OP_256", op "si256"}, {"OP_128", op "si128"})
#define REVERSED(n, type, kind, numbers)                                                                              \
    HELPER("reversed_" n, "x86/reversed", {"VECTOR", type}, {"KIND", kind}, {"NUMBERS", numbers})
#define DOWN_FROM_15 "_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)"
#define DOWN_FROM_7 "_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0)"

static const struct simd_helper helpers[] = {
    LANES_ALL("64", "__mmask64", "UINT64_MAX", "UINT64_C(1)"), LANES_ALL("32", "__mmask32", "UINT32_MAX", "1u"),
    X86_MUL_BYTES("64", "__m512i", "_mm512_", "si512"), X86_MUL_BYTES("32", "__m256i", "_mm256_", "si256"),
    X86_MUL_BYTES("16", "__m128i", "_mm_", "si128"),
    LANES("16", "__mmask16"), LANES("8", "__mmask8"), LANES("4", "__mmask8"),
    FOLD("sum_16i", "x86/fold_16i", "add_", "epi32"), FOLD("product_16i", "x86/fold_16i", "mullo_", "epi32"),
    FOLD_WHOLE("all_xor_16i", "x86/fold_16i", "xor_"),
    FOLD("sum_8l", "x86/fold_8l", "add_", "epi64"), FOLD("product_8l", "x86/fold_8l", "mullo_", "epi64"),
    FOLD_WHOLE("all_xor_8l", "x86/fold_8l", "xor_"),
    REVERSED("16f", "__m512", "ps", DOWN_FROM_15), REVERSED("16i", "__m512i", "epi32", DOWN_FROM_15),
    REVERSED("8d", "__m512d", "pd", DOWN_FROM_7), REVERSED("8l", "__m512i", "epi64", DOWN_FROM_7),
    ROUND("16f", "__m512", "ps", "__mmask16"), ROUND("8d", "__m512d", "pd", "__mmask8"),
    X86_FROM_BF16("16", "__m512", "__m256i", "_mm512_", "512"),
    X86_FROM_BF16("8", "__m256", "__m128i", "_mm256_", "256"), X86_TO_BF16_8,
    HELPER_AS_IS("to_bf16_16", "x86/to_bf16_16"), HELPER_AS_IS("dot_16i", "x86/dot_16i"),
    HELPER_AS_IS("pairs_16i", "x86/pairs_16i"), HELPER_AS_IS("pairs_16f", "x86/pairs_16f"),
    AMX_HELPERS, HELPER_AS_IS("bytes_4", "x86/bytes_4"), MATH_AVX512, MATH_AVX2,
};

static const struct simd_dot dots[] = {
    {TYPE_U8, TYPE_I8, TYPE_I32, 16, 4, "dot_16i({c}, {a}, {b})", "-mavx512vnni", NULL, false},
    {TYPE_I16, TYPE_I16, TYPE_I32, 16, 2, "pairs_16i({c}, {a}, {b})", "-mavx512vnni", NULL, false},
    {TYPE_BF16, TYPE_BF16, TYPE_F32, 16, 2, "pairs_16f({c}, {a}, {b})", "-mavx512bf16",
     "the second product of a pair is added first, products are not rounded, and subnormal numbers are zeros",
     false},
};

static const struct simd_need needs[] = {
    AMX_NEEDS,
    {"_epi8_mask(", "-mavx512bw"}, {"_epu8_mask(", "-mavx512bw"}, {"_epi16_mask(", "-mavx512bw"},
    {"_epu16_mask(", "-mavx512bw"}, {"mask_blend_epi8", "-mavx512bw"}, {"mask_blend_epi16", "-mavx512bw"},
    {"llv_epi16", "-mavx512bw"}, {"rlv_epi16", "-mavx512bw"}, {"rav_epi16", "-mavx512bw"},
    {"_mm256_fmadd_", "-mfma"}, {"_mm_fmadd_", "-mfma"}};

#define MASKED_CALL(prefix, name) {prefix name, prefix "mask_" name "({b}, {m}, {a})", false, 0}
#define MASKED_EXTREMES(prefix, suffix) MASKED_CALL(prefix, "min_" suffix), MASKED_CALL(prefix, "max_" suffix)
#define MASKED_SUMS(prefix, suffix) MASKED_CALL(prefix, "add_" suffix), MASKED_CALL(prefix, "sub_" suffix)
#define MASKED_FLOATS(prefix, suffix)                                                                                 \
    MASKED_SUMS(prefix, suffix), MASKED_EXTREMES(prefix, suffix), MASKED_CALL(prefix, "mul_" suffix),                 \
    MASKED_CALL(prefix, "div_" suffix), {prefix "fmadd_" suffix, prefix "mask3_fmadd_" suffix "({a}, {m})", true, 0}
#define MASKED_INTS(prefix, bits)                                                                                     \
    MASKED_SUMS(prefix, "epi" bits), MASKED_EXTREMES(prefix, "epi" bits), MASKED_EXTREMES(prefix, "epu" bits)
#define MASKED_MULLO(prefix, bits) MASKED_INTS(prefix, bits), MASKED_CALL(prefix, "mullo_epi" bits)
#define MASKED_BITS(prefix, name, whole)                                                                              \
    {prefix name "_" whole, prefix "mask_" name "_epi32({b}, {m}, {a})", false, 32},                                  \
    {prefix name "_" whole, prefix "mask_" name "_epi64({b}, {m}, {a})", false, 64}
#define MASKED_CALLS(prefix, whole)                                                                                   \
    MASKED_FLOATS(prefix, "ps"), MASKED_FLOATS(prefix, "pd"), MASKED_INTS(prefix, "8"), MASKED_MULLO(prefix, "16"),   \
    MASKED_MULLO(prefix, "32"), MASKED_MULLO(prefix, "64"), MASKED_BITS(prefix, "and", whole),                        \
    MASKED_BITS(prefix, "or", whole), MASKED_BITS(prefix, "xor", whole)

static const struct simd_masked masked[] = {
    MASKED_CALLS("_mm512_", "si512"), MASKED_CALLS("_mm256_", "si256"), MASKED_CALLS("_mm_", "si128")};

#define AVX512_SET(name, tiles)                                                                                       \
    {name, "-mavx512f -mavx512dq -mavx512vl", "immintrin.h", true, false,                                             \
     types, SIMD_COUNT(types), conversions, SIMD_COUNT(conversions),                                                  \
     helpers, SIMD_COUNT(helpers), dots, SIMD_COUNT(dots), needs,                                                     \
     SIMD_COUNT(needs), masked, SIMD_COUNT(masked), "_mm_sfence();", tiles, NULL}

const struct simd simd_avx512 = AVX512_SET("avx512", NULL);
/* All of that, and tiles. */
const struct simd simd_amx = AVX512_SET("amx", &amx_tiles);
