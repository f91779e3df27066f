#include "caps/simd.h"

#include <stddef.h>
#include <string.h>

/* Offsets are 32-bit; w is the width of their vector. */
#define GATHER_512(w, suffix, bytes)                                                                                  \
    [VECTOR_GATHER] = "_mm" w "_i32gather_" suffix "({b}, {p}, " bytes ")",                                           \
    [VECTOR_GATHER_MASK] = "_mm" w "_mask_i32gather_" suffix "(_mm" w "_set1_" suffix "(0), {m}, {b}, {p}, " bytes ")", \
    [VECTOR_SCATTER] = "_mm" w "_i32scatter_" suffix "({p}, {b}, {a}, " bytes ")",                                    \
    [VECTOR_SCATTER_MASK] = "_mm" w "_mask_i32scatter_" suffix "({p}, {m}, {b}, {a}, " bytes ")"

#define GATHER_256(suffix, bytes) [VECTOR_GATHER] = "_mm256_i32gather_" suffix "({p}, {b}, " bytes ")"

/* Comparisons into mask registers, and what is done with these. */
#define OPMASK_LOGIC(prefix, type, suffix)                                                                            \
    [VECTOR_MASK_AND] = "(" type ")({a} & {b})", [VECTOR_MASK_OR] = "(" type ")({a} | {b})",                          \
    [VECTOR_MASK_NOT] = "(" type ")~{a}", [VECTOR_SELECT] = prefix "mask_blend_" suffix "({m}, {b}, {a})"

#define OPMASK_FLOATS(prefix, type, suffix)                                                                           \
    [VECTOR_LT] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_LT_OQ)",                                                 \
    [VECTOR_LE] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_LE_OQ)",                                                 \
    [VECTOR_EQ] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_EQ_OQ)",                                                 \
    [VECTOR_NE] = prefix "cmp_" suffix "_mask({a}, {b}, _CMP_NEQ_UQ)", OPMASK_LOGIC(prefix, type, suffix)

#define OPMASK_INTS(prefix, type, kind, bits)                                                                         \
    [VECTOR_LT] = prefix "cmplt_" kind bits "_mask({a}, {b})", [VECTOR_LE] = prefix "cmple_" kind bits "_mask({a}, {b})", \
    [VECTOR_EQ] = prefix "cmpeq_" kind bits "_mask({a}, {b})",                                                        \
    [VECTOR_NE] = prefix "cmpneq_" kind bits "_mask({a}, {b})", OPMASK_LOGIC(prefix, type, "epi" bits)

/* Masks that are vectors of integers. */
#define VECMASK_LOGIC                                                                                                 \
    [VECTOR_MASK_AND] = "_mm256_and_si256({a}, {b})", [VECTOR_MASK_OR] = "_mm256_or_si256({a}, {b})",                 \
    [VECTOR_MASK_NOT] = "_mm256_xor_si256({a}, _mm256_set1_epi32(-1))"

#define VECMASK_FLOATS(suffix)                                                                                        \
    [VECTOR_LT] = "_mm256_cast" suffix "_si256(_mm256_cmp_" suffix "({a}, {b}, _CMP_LT_OQ))",                         \
    [VECTOR_LE] = "_mm256_cast" suffix "_si256(_mm256_cmp_" suffix "({a}, {b}, _CMP_LE_OQ))",                         \
    [VECTOR_EQ] = "_mm256_cast" suffix "_si256(_mm256_cmp_" suffix "({a}, {b}, _CMP_EQ_OQ))",                         \
    [VECTOR_NE] = "_mm256_cast" suffix "_si256(_mm256_cmp_" suffix "({a}, {b}, _CMP_NEQ_UQ))",                        \
    [VECTOR_SELECT] = "_mm256_blendv_" suffix "({b}, {a}, _mm256_castsi256_" suffix "({m}))", VECMASK_LOGIC

#define FLOAT_ROWS(prefix, suffix)                                                                                    \
    [VECTOR_LOAD] = prefix "loadu_" suffix "({p})", [VECTOR_STORE] = prefix "storeu_" suffix "({p}, {a})",            \
    [VECTOR_SPLAT] = prefix "set1_" suffix "({a})", [VECTOR_ZERO] = prefix "setzero_" suffix "()",                    \
    [VECTOR_ADD] = prefix "add_" suffix "({a}, {b})", [VECTOR_SUB] = prefix "sub_" suffix "({a}, {b})",               \
    [VECTOR_MUL] = prefix "mul_" suffix "({a}, {b})", [VECTOR_DIV] = prefix "div_" suffix "({a}, {b})",               \
    [VECTOR_MIN] = prefix "min_" suffix "({a}, {b})", [VECTOR_MAX] = prefix "max_" suffix "({a}, {b})",               \
    [VECTOR_SQRT] = prefix "sqrt_" suffix "({a})",                                                                    \
    [VECTOR_NEG] = prefix "xor_" suffix "({a}, " prefix "set1_" suffix "(-0.0f))",                                    \
    [VECTOR_ABS] = prefix "andnot_" suffix "(" prefix "set1_" suffix "(-0.0f), {a})"

#define FMA_ROWS(prefix, suffix) [VECTOR_FMA] = prefix "fmadd_" suffix "({a}, {b}, {c})"

#define OPMASK_ROWS(prefix, suffix)                                                                                   \
    [VECTOR_LOAD_MASK] = prefix "maskz_loadu_" suffix "({m}, {p})",                                                   \
    [VECTOR_STORE_MASK] = prefix "mask_storeu_" suffix "({p}, {m}, {a})"

#define VECMASK_ROWS(prefix, suffix)                                                                                  \
    [VECTOR_LOAD_MASK] = prefix "maskload_" suffix "({p}, {m})",                                                      \
    [VECTOR_STORE_MASK] = prefix "maskstore_" suffix "({p}, {m}, {a})"

#define INT_ROWS(prefix, bits, whole)                                                                                 \
    [VECTOR_SPLAT] = prefix "set1_epi" bits "({a})", [VECTOR_ZERO] = prefix "setzero_" whole "()",                    \
    [VECTOR_ADD] = prefix "add_epi" bits "({a}, {b})", [VECTOR_SUB] = prefix "sub_epi" bits "({a}, {b})",             \
    [VECTOR_AND] = prefix "and_" whole "({a}, {b})", [VECTOR_OR] = prefix "or_" whole "({a}, {b})",                   \
    [VECTOR_XOR] = prefix "xor_" whole "({a}, {b})",                                                                  \
    [VECTOR_NEG] = prefix "sub_epi" bits "(" prefix "setzero_" whole "(), {a})"

#define INT_MEMORY(prefix, whole, pointer)                                                                            \
    [VECTOR_LOAD] = prefix "loadu_" whole "((const " pointer " *){p})",                                               \
    [VECTOR_STORE] = prefix "storeu_" whole "((" pointer " *){p}, {a})"

#define INT_EXTREMES(prefix, kind) \
    [VECTOR_MIN] = prefix "min_" kind "({a}, {b})", [VECTOR_MAX] = prefix "max_" kind "({a}, {b})"

#define MULLO(prefix, bits) [VECTOR_MUL] = prefix "mullo_epi" bits "({a}, {b})"

#define LANES_OPMASK(n, type)                                                                                         \
    type, "lanes_" #n,                                                                                                \
    "/* lanes 0 .. n - 1 of " #n " */\n"                                                                              \
    "static inline " type " lanes_" #n "(int64_t n)\n{\n"                                                             \
    "    return (" type ")(n >= " #n " ? (1u << " #n ") - 1 : n <= 0 ? 0 : (1u << n) - 1);\n}\n"

#define NO_MASK NULL, NULL, NULL

static const struct simd_type avx512_types[] = {
    {TYPE_F32, 16, "__m512", LANES_OPMASK(16, "__mmask16"),
     {FLOAT_ROWS("_mm512_", "ps"), FMA_ROWS("_mm512_", "ps"), OPMASK_ROWS("_mm512_", "ps"),
      GATHER_512("512", "ps", "4"), OPMASK_FLOATS("_mm512_", "__mmask16", "ps")}},
    {TYPE_F64, 8, "__m512d", LANES_OPMASK(8, "__mmask8"),
     {FLOAT_ROWS("_mm512_", "pd"), FMA_ROWS("_mm512_", "pd"), OPMASK_ROWS("_mm512_", "pd"),
      GATHER_512("512", "pd", "8"), OPMASK_FLOATS("_mm512_", "__mmask8", "pd")}},
    {TYPE_I32, 16, "__m512i", LANES_OPMASK(16, "__mmask16"),
     {INT_ROWS("_mm512_", "32", "si512"), INT_MEMORY("_mm512_", "si512", "void"), MULLO("_mm512_", "32"),
      INT_EXTREMES("_mm512_", "epi32"), OPMASK_ROWS("_mm512_", "epi32"), [VECTOR_ABS] = "_mm512_abs_epi32({a})",
      GATHER_512("512", "epi32", "4"), OPMASK_INTS("_mm512_", "__mmask16", "epi", "32")}},
    {TYPE_U32, 16, "__m512i", LANES_OPMASK(16, "__mmask16"),
     {INT_ROWS("_mm512_", "32", "si512"), INT_MEMORY("_mm512_", "si512", "void"), MULLO("_mm512_", "32"),
      INT_EXTREMES("_mm512_", "epu32"), OPMASK_ROWS("_mm512_", "epi32"),
      GATHER_512("512", "epi32", "4"), OPMASK_INTS("_mm512_", "__mmask16", "epu", "32")}},
    {TYPE_I64, 8, "__m512i", LANES_OPMASK(8, "__mmask8"),
     {INT_ROWS("_mm512_", "64", "si512"), INT_MEMORY("_mm512_", "si512", "void"), MULLO("_mm512_", "64"),
      INT_EXTREMES("_mm512_", "epi64"), OPMASK_ROWS("_mm512_", "epi64"), [VECTOR_ABS] = "_mm512_abs_epi64({a})",
      GATHER_512("512", "epi64", "8"), OPMASK_INTS("_mm512_", "__mmask8", "epi", "64")}},
    {TYPE_U64, 8, "__m512i", LANES_OPMASK(8, "__mmask8"),
     {INT_ROWS("_mm512_", "64", "si512"), INT_MEMORY("_mm512_", "si512", "void"), MULLO("_mm512_", "64"),
      INT_EXTREMES("_mm512_", "epu64"), OPMASK_ROWS("_mm512_", "epi64"),
      GATHER_512("512", "epi64", "8"), OPMASK_INTS("_mm512_", "__mmask8", "epu", "64")}},
    {TYPE_F32, 8, "__m256", LANES_OPMASK(8, "__mmask8"),
     {FLOAT_ROWS("_mm256_", "ps"), FMA_ROWS("_mm256_", "ps"), OPMASK_ROWS("_mm256_", "ps"),
      GATHER_256("ps", "4"), OPMASK_FLOATS("_mm256_", "__mmask8", "ps")}},
    {TYPE_F64, 4, "__m256d", LANES_OPMASK(4, "__mmask8"),
     {FLOAT_ROWS("_mm256_", "pd"), FMA_ROWS("_mm256_", "pd"), OPMASK_ROWS("_mm256_", "pd"),
      GATHER_256("pd", "8"), OPMASK_FLOATS("_mm256_", "__mmask8", "pd")}},
    {TYPE_F32, 4, "__m128", LANES_OPMASK(4, "__mmask8"),
     {FLOAT_ROWS("_mm_", "ps"), FMA_ROWS("_mm_", "ps"), OPMASK_ROWS("_mm_", "ps")}},
};

#define LANES_VECMASK(n, body)                                                                                        \
    "__m256i", "lanes_" #n,                                                                                           \
    "/* lanes 0 .. n - 1 of " #n " */\nstatic inline __m256i lanes_" #n "(int64_t n)\n{\n" body "}\n"

#define LANES_8                                                                                                       \
    LANES_VECMASK(8,                                                                                              \
                  "    const int m = n > 8 ? 8 : n < 0 ? 0 : (int)n;\n\n"                                             \
                  "    return _mm256_cmpgt_epi32(_mm256_set1_epi32(m), "                                              \
                  "_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));\n")
#define LANES_4                                                                                                       \
    LANES_VECMASK(4,                                                                                              \
                  "    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));\n")

static const struct simd_type avx2_types[] = {
    {TYPE_F32, 8, "__m256", LANES_8,
     {FLOAT_ROWS("_mm256_", "ps"), FMA_ROWS("_mm256_", "ps"), VECMASK_ROWS("_mm256_", "ps"),
      GATHER_256("ps", "4"), VECMASK_FLOATS("ps")}},
    {TYPE_F64, 4, "__m256d", LANES_4,
     {FLOAT_ROWS("_mm256_", "pd"), FMA_ROWS("_mm256_", "pd"), VECMASK_ROWS("_mm256_", "pd"),
      GATHER_256("pd", "8"), VECMASK_FLOATS("pd")}},
    {TYPE_I32, 8, "__m256i", LANES_8,
     {INT_ROWS("_mm256_", "32", "si256"), INT_MEMORY("_mm256_", "si256", "__m256i"), MULLO("_mm256_", "32"),
      INT_EXTREMES("_mm256_", "epi32"), VECMASK_ROWS("_mm256_", "epi32"), [VECTOR_ABS] = "_mm256_abs_epi32({a})"}},
    {TYPE_U32, 8, "__m256i", LANES_8,
     {INT_ROWS("_mm256_", "32", "si256"), INT_MEMORY("_mm256_", "si256", "__m256i"), MULLO("_mm256_", "32"),
      INT_EXTREMES("_mm256_", "epu32")}},
    {TYPE_F32, 4, "__m128", NO_MASK, {FLOAT_ROWS("_mm_", "ps"), FMA_ROWS("_mm_", "ps")}},
};

static const struct simd_type sse_types[] = {
    {TYPE_F32, 4, "__m128", NO_MASK, {FLOAT_ROWS("_mm_", "ps")}},
    {TYPE_F64, 2, "__m128d", NO_MASK, {FLOAT_ROWS("_mm_", "pd")}},
    {TYPE_I32, 4, "__m128i", NO_MASK,
     {INT_ROWS("_mm_", "32", "si128"), INT_MEMORY("_mm_", "si128", "__m128i"), MULLO("_mm_", "32"),
      INT_EXTREMES("_mm_", "epi32"), [VECTOR_ABS] = "_mm_abs_epi32({a})"}},
};

#define COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))

static const struct simd sets[] = {
    {"avx512", "-mavx512f -mavx512dq -mavx512vl", "immintrin.h", avx512_types, COUNT(avx512_types)},
    {"avx2", "-mavx2 -mfma", "immintrin.h", avx2_types, COUNT(avx2_types)},
    {"sse4.2", "-msse4.2", "immintrin.h", sse_types, COUNT(sse_types)},
};

const struct simd *simd_by_name(const char *name)
{
    for (int k = 0; name && k < COUNT(sets); k++)
        if (strcmp(sets[k].name, name) == 0)
            return &sets[k];
    return NULL;
}

const struct simd_type *simd_type_of(const struct simd *simd, enum type type, int lanes)
{
    for (int k = 0; simd && k < simd->n_type; k++)
        if (simd->type[k].type == type && simd->type[k].lanes == lanes)
            return &simd->type[k];
    return NULL;
}

int simd_widest(const struct simd *simd, enum type type)
{
    int widest = 0;

    for (int k = 0; simd && k < simd->n_type; k++)
        if (simd->type[k].type == type && simd->type[k].lanes > widest)
            widest = simd->type[k].lanes;
    return widest;
}
