/* NEON of 64-bit Arm: no masks for memory, so that rests run one by one. */
#include "caps/simd_math.h"
#include "caps/simd_sets.h"

/* clang-format off */

/* In clang many instructions are macros, which take lists in braces for several arguments: these are in parentheses. */
#define GROUPS(q, kind)                                                                                               \
    [VECTOR_LOAD_PART] = "vld{c}" q "_" kind "({p}).val[{a}]",                                                        \
    [VECTOR_STORE_PARTS] = "vst{c}" q "_" kind "({p}, (({b}){{{a}}}))"
#define MEMORY(kind)                                                                                                  \
    [VECTOR_LOAD] = "vld1q_" kind "({p})", [VECTOR_STORE] = "vst1q_" kind "({p}, {a})",                               \
    [VECTOR_SPLAT] = "vdupq_n_" kind "({a})", [VECTOR_ZERO] = "vdupq_n_" kind "(0)", GROUPS("q", kind)
#define LIST(n, kind) [VECTOR_LIST] = "list_" n kind "({a})"

#define SUMS(kind)                                                                                                    \
    [VECTOR_ADD] = "vaddq_" kind "({a}, {b})", [VECTOR_SUB] = "vsubq_" kind "({a}, {b})"
#define EXTREMES(kind)                                                                                                \
    [VECTOR_MIN] = "vminq_" kind "({a}, {b})", [VECTOR_MAX] = "vmaxq_" kind "({a}, {b})"
#define BITS(kind)                                                                                                    \
    [VECTOR_AND] = "vandq_" kind "({a}, {b})", [VECTOR_OR] = "vorrq_" kind "({a}, {b})",                              \
    [VECTOR_XOR] = "veorq_" kind "({a}, {b})"
#define COMPARE(kind, mask, not)                                                                                     \
    [VECTOR_LT] = "vcltq_" kind "({a}, {b})", [VECTOR_LE] = "vcleq_" kind "({a}, {b})",                               \
    [VECTOR_EQ] = "vceqq_" kind "({a}, {b})", [VECTOR_NE] = not("vceqq_" kind "({a}, {b})"),                          \
    [VECTOR_MASK_AND] = "vandq_" mask "({a}, {b})", [VECTOR_MASK_OR] = "vorrq_" mask "({a}, {b})",                    \
    [VECTOR_MASK_NOT] = not("{a}"), [VECTOR_MASK_ANY] = not##_ANY,                                            \
    [VECTOR_SELECT] = "vbslq_" kind "({m}, {a}, {b})"
#define NOT_32(a) "vmvnq_u32(" a ")"
#define NOT_32_ANY "vmaxvq_u32({a}) != 0"
#define NOT_64_ANY "vmaxvq_u32(vreinterpretq_u32_u64({a})) != 0"
#define NOT_64(a) "veorq_u64(" a ", vdupq_n_u64(UINT64_MAX))"

/* The minimum of C's `a < b ? a : b`, which vminq is not where one is no number or both are zeros. */
#define FLOATS(kind, n)                                                                                            \
    SUMS(kind), [VECTOR_MUL] = "vmulq_" kind "({a}, {b})", [VECTOR_DIV] = "vdivq_" kind "({a}, {b})",                 \
    [VECTOR_FMA] = "vfmaq_" kind "({c}, {a}, {b})", [VECTOR_SQRT] = "vsqrtq_" kind "({a})",                           \
    [VECTOR_ABS] = "vabsq_" kind "({a})", [VECTOR_NEG] = "vnegq_" kind "({a})",                                       \
    [VECTOR_FLOOR] = "vrndmq_" kind "({a})", [VECTOR_CEIL] = "vrndpq_" kind "({a})",                                  \
    [VECTOR_ROUND] = "vrndaq_" kind "({a})", [VECTOR_MIN] = "min_" n "({a}, {b})",                                 \
    [VECTOR_MAX] = "max_" n "({a}, {b})", [VECTOR_SUM] = "vaddvq_" kind "({a})",                                      \
    [VECTOR_LEAST] = "vminvq_" kind "({a})", [VECTOR_GREATEST] = "vmaxvq_" kind "({a})"

/* Masks of n lanes, by their bits. */
#define LANES_32x4 "uint32x4_t", "lanes_4", NULL
#define LANES_64x2 "uint64x2_t", "lanes_2", NULL
#define LANES_8x16 "uint8x16_t", "lanes_16_bytes", NULL
#define LANES_16x8 "uint16x8_t", "lanes_8_shorts", NULL
#define LANES_8x8 "uint8x8_t", "lanes_8_bytes", NULL
#define LANES_16x4 "uint16x4_t", "lanes_4_shorts", NULL
#define LANES_32x2 "uint32x2_t", "lanes_2_words", NULL

/* Narrow lanes in whole registers (q) or halves of them; m: the unsigned type, other: that of the other sign. */
#define NARROW(q, kind, m)                                                                                            \
    [VECTOR_SPLAT] = "vdup" q "_n_" kind "({a})", [VECTOR_ZERO] = "vdup" q "_n_" kind "(0)",                          \
    [VECTOR_ADD] = "vadd" q "_" kind "({a}, {b})", [VECTOR_SUB] = "vsub" q "_" kind "({a}, {b})",                     \
    [VECTOR_MUL] = "vmul" q "_" kind "({a}, {b})", [VECTOR_MIN] = "vmin" q "_" kind "({a}, {b})",                     \
    [VECTOR_MAX] = "vmax" q "_" kind "({a}, {b})", [VECTOR_AND] = "vand" q "_" kind "({a}, {b})",                     \
    [VECTOR_OR] = "vorr" q "_" kind "({a}, {b})", [VECTOR_XOR] = "veor" q "_" kind "({a}, {b})",                      \
    [VECTOR_NOT] = "vmvn" q "_" kind "({a})", [VECTOR_LT] = "vclt" q "_" kind "({a}, {b})",                           \
    [VECTOR_LE] = "vcle" q "_" kind "({a}, {b})", [VECTOR_EQ] = "vceq" q "_" kind "({a}, {b})",                       \
    [VECTOR_NE] = "vmvn" q "_" m "(vceq" q "_" kind "({a}, {b}))",                                                    \
    [VECTOR_SELECT] = "vbsl" q "_" kind "({m}, {a}, {b})",                                                            \
    [VECTOR_MASK_AND] = "vand" q "_" m "({a}, {b})", [VECTOR_MASK_OR] = "vorr" q "_" m "({a}, {b})",                  \
    [VECTOR_MASK_NOT] = "vmvn" q "_" m "({a})", [VECTOR_MASK_ANY] = "vmaxv" q "_" m "({a}) != 0"
#define SHIFTS_ALL(q, kind)                                                                                           \
    [VECTOR_SHL_ALL] = "vshl" q "_n_" kind "({a}, {c})", [VECTOR_SHR_ALL] = "vshr" q "_n_" kind "({a}, {c})"
#define SIGNED(q, kind, other)                                                                                        \
    NARROW(q, kind, other), SHIFTS_ALL(q, kind), [VECTOR_NEG] = "vneg" q "_" kind "({a})",                             \
    [VECTOR_ABS] = "vabs" q "_" kind "({a})",                                                                         \
    [VECTOR_SHL] = "vshl" q "_" kind "({a}, {b})",                                                                    \
    [VECTOR_SHR] = "vshl" q "_" kind "({a}, vneg" q "_" kind "({b}))"
#define UNSIGNED(q, kind, other)                                                                                      \
    NARROW(q, kind, kind), SHIFTS_ALL(q, kind),                                                                       \
    [VECTOR_NEG] = "vsub" q "_" kind "(vdup" q "_n_" kind "(0), {a})",                                                \
    [VECTOR_SHL] = "vshl" q "_" kind "({a}, vreinterpret" q "_" other "_" kind "({b}))",                              \
    [VECTOR_SHR] = "vshl" q "_" kind "({a}, vneg" q "_" other "(vreinterpret" q "_" other "_" kind "({b})))"
/* All lanes of these registers. */
#define ALL_LANES(q, kind, n)                                                                                         \
    [VECTOR_LOAD] = "vld1" q "_" kind "({p})", [VECTOR_STORE] = "vst1" q "_" kind "({p}, {a})", LIST(n, kind),        \
    GROUPS(q, kind), [VECTOR_SUM] = "vaddv" q "_" kind "({a})",                                                       \
    [VECTOR_LEAST] = "vminv" q "_" kind "({a})", [VECTOR_GREATEST] = "vmaxv" q "_" kind "({a})"
/* The first n lanes of a half register; what is in the others does not matter. */
#define FIRST(n, kind, element)                                                                                       \
    [VECTOR_LIST] = "load_" n kind "((const " element "[" n "]){{a}})", [VECTOR_LOAD] = "load_" n kind "({p})",       \
    [VECTOR_STORE] = "store_" n kind "({p}, {a})"

/* Numbers of 16 bits, which are computed with as f32. */
#define HALVES(q, kind, from, to, select)                                                                              \
    [VECTOR_LOAD] = "vld1" q "_" kind "(" from "{p})", [VECTOR_STORE] = "vst1" q "_" kind "(" to "{p}, {a})",         \
    [VECTOR_LOAD_PART] = "vld{c}" q "_" kind "(" from "{p}).val[{a}]",                                                \
    [VECTOR_STORE_PARTS] = "vst{c}" q "_" kind "(" to "{p}, (({b}){{{a}}}))",                                         \
    [VECTOR_ZERO] = "vdup" q "_n_" kind "(0)", [VECTOR_SELECT] = select "({m}, {a}, {b})",                            \
    [VECTOR_MASK_AND] = "vand" q "_u16({a}, {b})", [VECTOR_MASK_OR] = "vorr" q "_u16({a}, {b})",                      \
    [VECTOR_MASK_NOT] = "vmvn" q "_u16({a})"
#define F16(q, n) HALVES(q, "f16", "(const float16_t *)", "(float16_t *)", "select_" n "f16")
#define BF16(q) HALVES(q, "u16", "", "", "vbsl" q "_u16")

static const struct simd_type types[] = {
    {TYPE_F32, 4, "float32x4_t", LANES_32x4,
     {MEMORY("f32"), LIST("4", "f32"), FLOATS("f32", "4f"), COMPARE("f32", "u32", NOT_32),
      MATH_ROWS("4f"), POW_ROW("4f")}},
    {TYPE_F64, 2, "float64x2_t", LANES_64x2,
     {MEMORY("f64"), LIST("2", "f64"), FLOATS("f64", "2d"), COMPARE("f64", "u64", NOT_64),
      MATH_ROWS("2d")}},
    {TYPE_I32, 4, "int32x4_t", LANES_32x4,
     {MEMORY("s32"), LIST("4", "s32"), SUMS("s32"), [VECTOR_MUL] = "vmulq_s32({a}, {b})", EXTREMES("s32"),
      BITS("s32"), SHIFTS_ALL("q", "s32"), COMPARE("s32", "u32", NOT_32), [VECTOR_NOT] = "vmvnq_s32({a})",
      [VECTOR_NEG] = "vnegq_s32({a})",
      [VECTOR_ABS] = "vabsq_s32({a})", [VECTOR_SHL] = "vshlq_s32({a}, {b})",
      [VECTOR_SHR] = "vshlq_s32({a}, vnegq_s32({b}))", [VECTOR_SUM] = "vaddvq_s32({a})",
      [VECTOR_LEAST] = "vminvq_s32({a})", [VECTOR_GREATEST] = "vmaxvq_s32({a})"}},
    {TYPE_U32, 4, "uint32x4_t", LANES_32x4,
     {MEMORY("u32"), LIST("4", "u32"), SUMS("u32"), [VECTOR_MUL] = "vmulq_u32({a}, {b})", EXTREMES("u32"),
      BITS("u32"), SHIFTS_ALL("q", "u32"), COMPARE("u32", "u32", NOT_32), [VECTOR_NOT] = "vmvnq_u32({a})",
      [VECTOR_NEG] = "vsubq_u32(vdupq_n_u32(0), {a})", [VECTOR_SHL] = "vshlq_u32({a}, vreinterpretq_s32_u32({b}))",
      [VECTOR_SHR] = "vshlq_u32({a}, vnegq_s32(vreinterpretq_s32_u32({b})))",
      [VECTOR_SUM] = "vaddvq_u32({a})", [VECTOR_LEAST] = "vminvq_u32({a})", [VECTOR_GREATEST] = "vmaxvq_u32({a})"}},
    {TYPE_I64, 2, "int64x2_t", LANES_64x2,
     {MEMORY("s64"), LIST("2", "s64"), SUMS("s64"), BITS("s64"), SHIFTS_ALL("q", "s64"), COMPARE("s64", "u64", NOT_64),
      [VECTOR_NOT] = "veorq_s64({a}, vdupq_n_s64(-1))", [VECTOR_ABS] = "vabsq_s64({a})",
      [VECTOR_MIN] = "min_2l({a}, {b})", [VECTOR_MAX] = "max_2l({a}, {b})", [VECTOR_SHL] = "vshlq_s64({a}, {b})",
      [VECTOR_SHR] = "vshlq_s64({a}, vnegq_s64({b}))", [VECTOR_NEG] = "vnegq_s64({a})",
      [VECTOR_SUM] = "vaddvq_s64({a})"}},
    {TYPE_U64, 2, "uint64x2_t", LANES_64x2,
     {MEMORY("u64"), LIST("2", "u64"), SUMS("u64"), BITS("u64"), SHIFTS_ALL("q", "u64"), COMPARE("u64", "u64", NOT_64),
      [VECTOR_NOT] = NOT_64("{a}"), [VECTOR_NEG] = "vsubq_u64(vdupq_n_u64(0), {a})",
      [VECTOR_MIN] = "min_2ul({a}, {b})", [VECTOR_MAX] = "max_2ul({a}, {b})",
      [VECTOR_SHL] = "vshlq_u64({a}, vreinterpretq_s64_u64({b}))",
      [VECTOR_SHR] = "vshlq_u64({a}, vnegq_s64(vreinterpretq_s64_u64({b})))", [VECTOR_SUM] = "vaddvq_u64({a})"}},
    {TYPE_I8, 16, "int8x16_t", LANES_8x16, {ALL_LANES("q", "s8", "16"), SIGNED("q", "s8", "u8")}},
    {TYPE_U8, 16, "uint8x16_t", LANES_8x16, {ALL_LANES("q", "u8", "16"), UNSIGNED("q", "u8", "s8")}},
    {TYPE_I16, 8, "int16x8_t", LANES_16x8, {ALL_LANES("q", "s16", "8"), SIGNED("q", "s16", "u16")}},
    {TYPE_U16, 8, "uint16x8_t", LANES_16x8, {ALL_LANES("q", "u16", "8"), UNSIGNED("q", "u16", "s16")}},
    {TYPE_I8, 8, "int8x8_t", LANES_8x8, {ALL_LANES("", "s8", "8"), SIGNED("", "s8", "u8")}},
    {TYPE_U8, 8, "uint8x8_t", LANES_8x8, {ALL_LANES("", "u8", "8"), UNSIGNED("", "u8", "s8")}},
    {TYPE_I16, 4, "int16x4_t", LANES_16x4, {ALL_LANES("", "s16", "4"), SIGNED("", "s16", "u16")}},
    {TYPE_U16, 4, "uint16x4_t", LANES_16x4, {ALL_LANES("", "u16", "4"), UNSIGNED("", "u16", "s16")}},
    {TYPE_I32, 2, "int32x2_t", LANES_32x2, {ALL_LANES("", "s32", "2"), SIGNED("", "s32", "u32")}},
    {TYPE_U32, 2, "uint32x2_t", LANES_32x2, {ALL_LANES("", "u32", "2"), UNSIGNED("", "u32", "s32")}},
    {TYPE_F32, 2, "float32x2_t", LANES_32x2,
     {[VECTOR_LOAD] = "vld1_f32({p})", [VECTOR_STORE] = "vst1_f32({p}, {a})", [VECTOR_SPLAT] = "vdup_n_f32({a})",
      [VECTOR_ZERO] = "vdup_n_f32(0)", LIST("2", "f32"),
      [VECTOR_ADD] = "vadd_f32({a}, {b})", [VECTOR_SUB] = "vsub_f32({a}, {b})", [VECTOR_MUL] = "vmul_f32({a}, {b})",
      [VECTOR_DIV] = "vdiv_f32({a}, {b})", [VECTOR_FMA] = "vfma_f32({c}, {a}, {b})", [VECTOR_NEG] = "vneg_f32({a})",
      [VECTOR_ABS] = "vabs_f32({a})", [VECTOR_SQRT] = "vsqrt_f32({a})", [VECTOR_LT] = "vclt_f32({a}, {b})",
      [VECTOR_LE] = "vcle_f32({a}, {b})", [VECTOR_EQ] = "vceq_f32({a}, {b})",
      [VECTOR_NE] = "vmvn_u32(vceq_f32({a}, {b}))", [VECTOR_MASK_AND] = "vand_u32({a}, {b})",
      [VECTOR_MASK_OR] = "vorr_u32({a}, {b})", [VECTOR_MASK_NOT] = "vmvn_u32({a})",
      [VECTOR_SELECT] = "vbsl_f32({m}, {a}, {b})", MATH_ROWS("2f"), POW_ROW("2f")}},
    {TYPE_F16, 8, "float16x8_t", LANES_16x8, {F16("q", "8")}},
    {TYPE_BF16, 8, "uint16x8_t", LANES_16x8, {BF16("q")}},
    {TYPE_F16, 4, "float16x4_t", LANES_16x4, {F16("", "4")}},
    {TYPE_BF16, 4, "uint16x4_t", LANES_16x4, {BF16("")}},
    {TYPE_I8, 4, "int8x8_t", LANES_8x8, {FIRST("4", "s8", "int8_t"), SIGNED("", "s8", "u8")}},
    {TYPE_U8, 4, "uint8x8_t", LANES_8x8, {FIRST("4", "u8", "uint8_t"), UNSIGNED("", "u8", "s8")}},
    {TYPE_I8, 2, "int8x8_t", LANES_8x8, {FIRST("2", "s8", "int8_t"), SIGNED("", "s8", "u8")}},
    {TYPE_U8, 2, "uint8x8_t", LANES_8x8, {FIRST("2", "u8", "uint8_t"), UNSIGNED("", "u8", "s8")}},
    {TYPE_I16, 2, "int16x4_t", LANES_16x4, {FIRST("2", "s16", "int16_t"), SIGNED("", "s16", "u16")}},
    {TYPE_U16, 2, "uint16x4_t", LANES_16x4, {FIRST("2", "u16", "uint16_t"), UNSIGNED("", "u16", "s16")}},
};

/* Lanes of half a register with the other sign. */
#define BYTE_SIGNS(n)                                                                                                 \
    {TYPE_I8, TYPE_U8, n, "vreinterpret_u8_s8({a})", NULL}, {TYPE_U8, TYPE_I8, n, "vreinterpret_s8_u8({a})", NULL}
#define SHORT_SIGNS(n)                                                                                                \
    {TYPE_I16, TYPE_U16, n, "vreinterpret_u16_s16({a})", NULL},                                                       \
    {TYPE_U16, TYPE_I16, n, "vreinterpret_s16_u16({a})", NULL}

static const struct simd_conversion conversions[] = {
    {TYPE_I32, TYPE_I64, 2, "vmovl_s32({a})", NULL},
    {TYPE_U32, TYPE_I64, 2, "vreinterpretq_s64_u64(vmovl_u32({a}))", NULL},
    {TYPE_I64, TYPE_I32, 2, "vmovn_s64({a})", NULL},
    {TYPE_U64, TYPE_U32, 2, "vmovn_u64({a})", NULL},
    {TYPE_I32, TYPE_U32, 2, "vreinterpret_u32_s32({a})", NULL},
    {TYPE_U32, TYPE_I32, 2, "vreinterpret_s32_u32({a})", NULL},
    {TYPE_F32, TYPE_F64, 2, "vcvt_f64_f32({a})", NULL},
    {TYPE_F64, TYPE_F32, 2, "vcvt_f32_f64({a})", NULL},
    {TYPE_I32, TYPE_F64, 2, "vcvtq_f64_s64(vmovl_s32({a}))", NULL},
    {TYPE_I8, TYPE_I16, 8, "vmovl_s8({a})", NULL},
    {TYPE_U8, TYPE_I16, 8, "vreinterpretq_s16_u16(vmovl_u8({a}))", NULL},
    {TYPE_U8, TYPE_U16, 8, "vmovl_u8({a})", NULL},
    {TYPE_I16, TYPE_I8, 8, "vmovn_s16({a})", NULL},
    {TYPE_U16, TYPE_U8, 8, "vmovn_u16({a})", NULL},
    {TYPE_U16, TYPE_I8, 8, "vreinterpret_s8_u8(vmovn_u16({a}))", NULL},
    {TYPE_I8, TYPE_U8, 16, "vreinterpretq_u8_s8({a})", NULL},
    {TYPE_U8, TYPE_I8, 16, "vreinterpretq_s8_u8({a})", NULL},
    BYTE_SIGNS(8),
    {TYPE_I16, TYPE_U16, 8, "vreinterpretq_u16_s16({a})", NULL},
    {TYPE_U16, TYPE_I16, 8, "vreinterpretq_s16_u16({a})", NULL},
    BYTE_SIGNS(4),
    BYTE_SIGNS(2),
    SHORT_SIGNS(2),
    {TYPE_I8, TYPE_I32, 2, "vget_low_s32(vmovl_s16(vget_low_s16(vmovl_s8({a}))))", NULL},
    {TYPE_U8, TYPE_I32, 2, "vreinterpret_s32_u32(vget_low_u32(vmovl_u16(vget_low_u16(vmovl_u8({a})))))", NULL},
    {TYPE_I16, TYPE_I32, 2, "vget_low_s32(vmovl_s16({a}))", NULL},
    {TYPE_U16, TYPE_I32, 2, "vreinterpret_s32_u32(vget_low_u32(vmovl_u16({a})))", NULL},
    {TYPE_I32, TYPE_I8, 2, "low_bytes_2({a})", NULL},
    {TYPE_I32, TYPE_I16, 2, "low_shorts_2({a})", NULL},
    {TYPE_I8, TYPE_I32, 4, "vmovl_s16(vget_low_s16(vmovl_s8({a})))", NULL},
    {TYPE_U8, TYPE_I32, 4, "vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(vmovl_u8({a}))))", NULL},
    {TYPE_I32, TYPE_I8, 4, "low_bytes_4({a})", NULL},
    {TYPE_I32, TYPE_U8, 4, "vreinterpret_u8_s8(low_bytes_4({a}))", NULL},
    {TYPE_U8, TYPE_U32, 4, "vmovl_u16(vget_low_u16(vmovl_u8({a})))", NULL},
    {TYPE_U32, TYPE_U8, 4, "low_bytes_4u({a})", NULL},
    {TYPE_U16, TYPE_U32, 4, "vmovl_u16({a})", NULL},
    {TYPE_I16, TYPE_I32, 4, "vmovl_s16({a})", NULL},
    {TYPE_U16, TYPE_I32, 4, "vreinterpretq_s32_u32(vmovl_u16({a}))", NULL},
    {TYPE_I32, TYPE_I16, 4, "vmovn_s32({a})", NULL},
    {TYPE_U32, TYPE_U16, 4, "vmovn_u32({a})", NULL},
    SHORT_SIGNS(4),
    {TYPE_I32, TYPE_U16, 4, "vmovn_u32(vreinterpretq_u32_s32({a}))", NULL},
    {TYPE_I32, TYPE_U32, 4, "vreinterpretq_u32_s32({a})", NULL},
    {TYPE_U32, TYPE_I32, 4, "vreinterpretq_s32_u32({a})", NULL},
    {TYPE_I32, TYPE_F32, 4, "vcvtq_f32_s32({a})", NULL},
    {TYPE_U32, TYPE_F32, 4, "vcvtq_f32_u32({a})", NULL},
    {TYPE_F32, TYPE_I32, 4, "vcvtq_s32_f32({a})", NULL},
    {TYPE_F32, TYPE_U32, 4, "vcvtq_u32_f32({a})", NULL},
    {TYPE_I64, TYPE_F64, 2, "vcvtq_f64_s64({a})", NULL},
    {TYPE_U64, TYPE_F64, 2, "vcvtq_f64_u64({a})", NULL},
    {TYPE_I64, TYPE_U64, 2, "vreinterpretq_u64_s64({a})", NULL},
    {TYPE_U64, TYPE_I64, 2, "vreinterpretq_s64_u64({a})", NULL},
    {TYPE_U32, TYPE_F64, 2, "vcvtq_f64_u64(vmovl_u32({a}))", NULL},
    {TYPE_F64, TYPE_I64, 2, "vcvtq_s64_f64({a})", NULL},
    {TYPE_F64, TYPE_U64, 2, "vcvtq_u64_f64({a})", NULL},
    {TYPE_F64, TYPE_I32, 2, "vmovn_s64(vcvtq_s64_f64({a}))", NULL},
    {TYPE_F64, TYPE_U32, 2, "vmovn_u64(vcvtq_u64_f64({a}))", NULL},
    {TYPE_F16, TYPE_F32, 4, "vcvt_f32_f16({a})", NULL},
    {TYPE_F32, TYPE_F16, 4, "vcvt_f16_f32({a})", NULL},
    {TYPE_BF16, TYPE_F32, 4, "vreinterpretq_f32_u32(vshll_n_u16({a}, 16))", NULL},
    {TYPE_F32, TYPE_BF16, 4, "to_bf16_4({a})", NULL},
};

#define EXTREME(name, n, kind, type, compare)                                                                         \
    HELPER(name "_" n, "neon/extreme", {"KIND", kind}, {"VECTOR", type}, {"COMPARE", compare})

/* e: the type of an element, kind: the same in the names of instructions. */
#define LISTS(n, q, kind, vector, e, parameters, names)                                                               \
    HELPER("list_" #n kind, "neon/list", {"Q", q}, {"KIND", kind}, {"VECTOR", vector}, {"ELEMENT", e},                \
           {"PARAMETERS", parameters(e)}, {"VALUES", names})
#define TWO(e) e " a, " e " b"
#define FOUR(e) TWO(e) ", " e " c, " e " d"
#define EIGHT(e) FOUR(e) ", " e " e, " e " f, " e " g, " e " h"
#define SIXTEEN(e) EIGHT(e) ", " e " i, " e " j, " e " k, " e " l, " e " m, " e " n, " e " o, " e " p"
#define LIST_2(q, kind, vector, e) LISTS(2, q, kind, vector, e, TWO, "a, b")
#define LIST_4(q, kind, vector, e) LISTS(4, q, kind, vector, e, FOUR, "a, b, c, d")
#define LIST_8(q, kind, vector, e) LISTS(8, q, kind, vector, e, EIGHT, "a, b, c, d, e, f, g, h")
#define LIST_16(kind, vector, e)                                                                                      \
    LISTS(16, "q", kind, vector, e, SIXTEEN, "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p")

/* The first n lanes of half a register, together a number of so many bits. */
#define FIRST_VALUES(kind, vector, type, bits)                                                                        \
    {"KIND", kind}, {"VECTOR", vector}, {"ELEMENT", type}, {"BITS", bits}
#define FIRST_MEMORY(n, kind, vector, type, bits)                                                                     \
    HELPER("load_" n kind, "neon/load_first", FIRST_VALUES(kind, vector, type, bits)),                                \
    HELPER("store_" n kind, "neon/store_first", FIRST_VALUES(kind, vector, type, bits))
#define SELECT_F16(n, q) HELPER("select_" n "f16", "neon/select_f16", {"N", n}, {"Q", q})
#define FIRST_LANES(name, q, bits, vector, n, list)                                                                   \
    HELPER(name, "neon/lanes", {"Q", q}, {"BITS", bits}, {"VECTOR", vector}, {"N", n}, {"NUMBERS", list})

static const struct simd_helper helpers[] = {
    FIRST_LANES("lanes_4", "q", "32", "uint32x4_t", "4", TO_3),
    FIRST_LANES("lanes_2", "q", "64", "uint64x2_t", "2", "0, 1"),
    FIRST_LANES("lanes_16_bytes", "q", "8", "uint8x16_t", "16", TO_7 ", 8, 9, 10, 11, 12, 13, 14, 15"),
    FIRST_LANES("lanes_8_shorts", "q", "16", "uint16x8_t", "8", TO_7),
    FIRST_LANES("lanes_8_bytes", "", "8", "uint8x8_t", "8", TO_7),
    FIRST_LANES("lanes_4_shorts", "", "16", "uint16x4_t", "4", TO_3),
    FIRST_LANES("lanes_2_words", "", "32", "uint32x2_t", "2", "0, 1"),
    LIST_4("q", "f32", "float32x4_t", "float"), LIST_2("q", "f64", "float64x2_t", "double"),
    LIST_4("q", "s32", "int32x4_t", "int32_t"), LIST_4("q", "u32", "uint32x4_t", "uint32_t"),
    LIST_2("q", "s64", "int64x2_t", "int64_t"), LIST_2("q", "u64", "uint64x2_t", "uint64_t"),
    LIST_16("s8", "int8x16_t", "int8_t"), LIST_16("u8", "uint8x16_t", "uint8_t"),
    LIST_8("q", "s16", "int16x8_t", "int16_t"), LIST_8("q", "u16", "uint16x8_t", "uint16_t"),
    LIST_8("", "s8", "int8x8_t", "int8_t"), LIST_8("", "u8", "uint8x8_t", "uint8_t"),
    LIST_4("", "s16", "int16x4_t", "int16_t"), LIST_4("", "u16", "uint16x4_t", "uint16_t"),
    LIST_2("", "s32", "int32x2_t", "int32_t"), LIST_2("", "u32", "uint32x2_t", "uint32_t"),
    LIST_2("", "f32", "float32x2_t", "float"),
    FIRST_MEMORY("4", "s8", "int8x8_t", "int8_t", "32"), FIRST_MEMORY("4", "u8", "uint8x8_t", "uint8_t", "32"),
    FIRST_MEMORY("2", "s8", "int8x8_t", "int8_t", "16"), FIRST_MEMORY("2", "u8", "uint8x8_t", "uint8_t", "16"),
    FIRST_MEMORY("2", "s16", "int16x4_t", "int16_t", "32"), FIRST_MEMORY("2", "u16", "uint16x4_t", "uint16_t", "32"),
    SELECT_F16("4", ""), SELECT_F16("8", "q"),
    HELPER("low_bytes_4u", "neon/low_bytes_4", {"S", "u"}, {"INT", "uint"}),
    HELPER("low_bytes_4", "neon/low_bytes_4", {"S", "s"}, {"INT", "int"}),
    HELPER_AS_IS("low_bytes_2", "neon/low_bytes_2"), HELPER_AS_IS("low_shorts_2", "neon/low_shorts_2"),
    HELPER_AS_IS("to_bf16_4", "neon/to_bf16_4"),
    EXTREME("min", "4f", "f32", "float32x4_t", "vcltq"), EXTREME("max", "4f", "f32", "float32x4_t", "vcgtq"),
    EXTREME("min", "2d", "f64", "float64x2_t", "vcltq"), EXTREME("max", "2d", "f64", "float64x2_t", "vcgtq"),
    EXTREME("min", "2l", "s64", "int64x2_t", "vcltq"), EXTREME("max", "2l", "s64", "int64x2_t", "vcgtq"),
    EXTREME("min", "2ul", "u64", "uint64x2_t", "vcltq"), EXTREME("max", "2ul", "u64", "uint64x2_t", "vcgtq"),
    HELPER_AS_IS("bytes_4", "neon/bytes_4"), HELPER_AS_IS("groups_4i", "neon/groups_4i"),
    HELPER_AS_IS("dot_4i", "neon/dot_4i"), HELPER_AS_IS("dot_unsigned_4i", "neon/dot_unsigned_4i"),
    HELPER_AS_IS("dot_mixed_4i", "neon/dot_mixed_4i"), HELPER_AS_IS("pairs_4f", "neon/pairs_4f"),
    MATH_NEON,
};

static const struct simd_dot dots[] = {
    {TYPE_I8, TYPE_I8, TYPE_I32, 4, 4, "dot_4i({c}, {a}, {b})", "-march=armv8.2-a+dotprod", NULL, false},
    {TYPE_U8, TYPE_U8, TYPE_I32, 4, 4, "dot_unsigned_4i({c}, {a}, {b})", "-march=armv8.2-a+dotprod", NULL, false},
    {TYPE_U8, TYPE_I8, TYPE_I32, 4, 4, "dot_mixed_4i({c}, {a}, {b})", "-march=armv8.6-a", NULL, false},
    {TYPE_BF16, TYPE_BF16, TYPE_F32, 4, 2, "pairs_4f({c}, {a}, {b})", "-march=armv8.6-a",
     "both products of a pair are added up first, rounded to odd, and subnormal numbers are zeros", false},
};

const struct simd simd_neon = {"neon", NULL, "arm_neon.h", false, false, types, SIMD_COUNT(types), conversions,
                               SIMD_COUNT(conversions), helpers, SIMD_COUNT(helpers), dots, SIMD_COUNT(dots),
                               NULL, 0, NULL, 0, NULL, NULL, "groups_4i({p})"};
