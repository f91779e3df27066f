/* The instruction sets there are, and what their tables share. */
#ifndef CAPS_SIMD_SETS_H
#define CAPS_SIMD_SETS_H

#include "caps/simd.h"

#include <stddef.h>

/* clang-format off */

/* Each of them is a `simd_NAME` in a file of its own, but for those that differ in little. */
#define SIMD_SETS(X) X(sse) X(avx2) X(avx512) X(amx) X(vector) X(neon)
#define SIMD_DECLARE(set) extern const struct simd simd_##set;
SIMD_SETS(SIMD_DECLARE)

#define SIMD_COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))

/* A helper by a template and its values, NAME apart. */
#define HELPER(name, template, ...) {name, template, (const struct template_value[]){__VA_ARGS__, {NULL, NULL}}, NULL}
#define HELPER_AS_IS(name, template) {name, template, NULL, NULL}

/* Rows of x86, whose intrinsics have a prefix for the register's size and a suffix for the type. */
#define X86_FLOATS(prefix, suffix)                                                                                    \
    [VECTOR_LOAD] = prefix "loadu_" suffix "({p})", [VECTOR_STORE] = prefix "storeu_" suffix "({p}, {a})",            \
    [VECTOR_STREAM] = prefix "stream_" suffix "({p}, {a})",                                                           \
    [VECTOR_LIST] = prefix "setr_" suffix "({a})", X86_FLOAT_ROWS(prefix, suffix)

#define X86_FLOAT_ROWS(prefix, suffix)                                                                                \
    [VECTOR_SPLAT] = prefix "set1_" suffix "({a})", [VECTOR_ZERO] = prefix "setzero_" suffix "()",                    \
    [VECTOR_ADD] = prefix "add_" suffix "({a}, {b})", [VECTOR_SUB] = prefix "sub_" suffix "({a}, {b})",               \
    [VECTOR_MUL] = prefix "mul_" suffix "({a}, {b})", [VECTOR_DIV] = prefix "div_" suffix "({a}, {b})",               \
    [VECTOR_MIN] = prefix "min_" suffix "({a}, {b})", [VECTOR_MAX] = prefix "max_" suffix "({a}, {b})",               \
    [VECTOR_SQRT] = prefix "sqrt_" suffix "({a})",                                                                    \
    [VECTOR_NEG] = prefix "xor_" suffix "({a}, " prefix "set1_" suffix "(-0.0f))",                                    \
    [VECTOR_ABS] = prefix "andnot_" suffix "(" prefix "set1_" suffix "(-0.0f), {a})"

#define X86_FLOOR(prefix, suffix)                                                                                     \
    [VECTOR_FLOOR] = prefix "floor_" suffix "({a})", [VECTOR_CEIL] = prefix "ceil_" suffix "({a})"

#define X86_FMA(prefix, suffix) [VECTOR_FMA] = prefix "fmadd_" suffix "({a}, {b}, {c})"

#define X86_INTS(prefix, bits, list, whole)                                                                           \
    [VECTOR_LIST] = prefix "setr_epi" list "({a})", X86_PART(prefix, bits, list, whole)

/* The same where the lanes do not fill the register. */
#define X86_PART(prefix, bits, list, whole)                                                                           \
    [VECTOR_SPLAT] = prefix "set1_epi" list "({a})", [VECTOR_ZERO] = prefix "setzero_" whole "()",                    \
    [VECTOR_ADD] = prefix "add_epi" bits "({a}, {b})", [VECTOR_SUB] = prefix "sub_epi" bits "({a}, {b})",             \
    [VECTOR_AND] = prefix "and_" whole "({a}, {b})", [VECTOR_OR] = prefix "or_" whole "({a}, {b})",                   \
    [VECTOR_XOR] = prefix "xor_" whole "({a}, {b})",                                                                  \
    [VECTOR_NOT] = prefix "xor_" whole "({a}, " prefix "set1_epi32(-1))",                                             \
    [VECTOR_NEG] = prefix "sub_epi" bits "(" prefix "setzero_" whole "(), {a})"

#define X86_MEMORY(prefix, whole, pointer)                                                                            \
    [VECTOR_LOAD] = prefix "loadu_" whole "((const " pointer " *){p})",                                               \
    [VECTOR_STORE] = prefix "storeu_" whole "((" pointer " *){p}, {a})",                                              \
    [VECTOR_STREAM] = prefix "stream_" whole "((" pointer " *){p}, {a})"

/* Numbers of 16 bits, which are computed with as f32. */
#define X86_NUMBERS_16(prefix, whole, pointer)                                                                        \
    X86_MEMORY(prefix, whole, pointer), [VECTOR_ZERO] = prefix "setzero_" whole "()"
#define X86_TO_BF16_8                                                                                                 \
    HELPER("to_bf16_8", "x86/to_bf16", {"FLOATS", "__m256"}, {"INTS", "__m256i"}, {"P", "_mm256_"}, {"W", "256"},     \
           {"UNORDERED", "_mm256_cmp_ps(a, a, _CMP_UNORD_Q)"},                                                        \
           {"PACKED", "_mm_packus_epi32(_mm256_castsi256_si128(top), _mm256_extracti128_si256(top, 1))"})
#define X86_FROM_BF16(n, floats, half, prefix, w)                                                                     \
    HELPER("from_bf16_" n, "x86/from_bf16", {"FLOATS", floats}, {"HALF", half}, {"P", prefix}, {"W", w})

/* Eight bytes of a register. */
#define X86_HALF_MEMORY                                                                                               \
    [VECTOR_LOAD] = "_mm_loadl_epi64((const __m128i *){p})", [VECTOR_STORE] = "_mm_storel_epi64((__m128i *){p}, {a})"

/* Four bytes of one. */
#define X86_QUARTER_MEMORY                                                                                            \
    [VECTOR_LOAD] = "_mm_loadu_si32({p})", [VECTOR_STORE] = "_mm_storeu_si32({p}, {a})"

/* Two bytes of one. */
#define X86_PAIR_MEMORY                                                                                               \
    [VECTOR_LOAD] = "_mm_loadu_si16({p})", [VECTOR_STORE] = "_mm_storeu_si16({p}, {a})"

/* Narrow integers as wider ones, and back by their low bits. */
#define X86_FROM_NARROW(to, n, prefix)                                                                                \
    {TYPE_I8, TYPE_I##to, n, prefix "cvtepi8_epi" #to "({a})", NULL},                                                 \
    {TYPE_U8, TYPE_I##to, n, prefix "cvtepu8_epi" #to "({a})", NULL},                                                 \
    {TYPE_I16, TYPE_I##to, n, prefix "cvtepi16_epi" #to "({a})", NULL},                                               \
    {TYPE_U16, TYPE_I##to, n, prefix "cvtepu16_epi" #to "({a})", NULL}
#define X86_TO_NARROW_4(n)                                                                                            \
    {TYPE_I32, TYPE_I16, n, "low_shorts_4({a})", NULL}, {TYPE_I32, TYPE_I8, n, "low_bytes_4({a})", NULL}
#define X86_LOW_4                                                                                                     \
    HELPER_AS_IS("low_shorts_4", "x86/low_shorts_4"), HELPER_AS_IS("low_bytes_4", "x86/low_bytes_4")

/* Bytes as shorts, and back. */
#define X86_FROM_BYTES(n, prefix)                                                                                     \
    {TYPE_I8, TYPE_I16, n, prefix "cvtepi8_epi16({a})", NULL}, {TYPE_U8, TYPE_I16, n, prefix "cvtepu8_epi16({a})", NULL}
#define X86_TO_BYTES(n)                                                                                               \
    {TYPE_I16, TYPE_I8, n, "low_bytes_8_shorts({a})", NULL}, {TYPE_U16, TYPE_I8, n, "low_bytes_8_shorts({a})", NULL}
#define X86_LOW_8_SHORTS HELPER_AS_IS("low_bytes_8_shorts", "x86/low_bytes_8_shorts")

/* Zeros behind the values of a list that does not fill the register. */
#define X86_LIST_PART(bits, zeros) [VECTOR_LIST] = "_mm_setr_epi" bits "({a}, " zeros ")"
#define X86_ZEROS_4 "0, 0, 0, 0"

#define X86_EXTREMES(prefix, kind)                                                                                    \
    [VECTOR_MIN] = prefix "min_" kind "({a}, {b})", [VECTOR_MAX] = prefix "max_" kind "({a}, {b})"

/* Groups of neighbours in 16 bytes, or 8. */
#define X86_BYTE_GROUPS [VECTOR_SHUFFLE_BYTES] = "_mm_shuffle_epi8({a}, _mm_setr_epi8({c}))"

/* Registers of two halves of 16 bytes, or of 32. */
#define X86_HALVES_256                                                                                                \
    [VECTOR_JOIN] = "_mm256_set_m128i({b}, {a})", [VECTOR_FIRST_HALF] = "_mm256_castsi256_si128({a})",                \
    [VECTOR_LAST_HALF] = "_mm256_extracti128_si256({a}, 1)"
#define X86_HALVES_512                                                                                                \
    [VECTOR_JOIN] = "_mm512_inserti64x4(_mm512_castsi256_si512({a}), {b}, 1)",                                        \
    [VECTOR_FIRST_HALF] = "_mm512_castsi512_si256({a})", [VECTOR_LAST_HALF] = "_mm512_extracti64x4_epi64({a}, 1)"

#define X86_MULLO(prefix, bits) [VECTOR_MUL] = prefix "mullo_epi" bits "({a}, {b})"

/* Masks. */
#define TO_3 "0, 1, 2, 3"
#define TO_7 TO_3 ", 4, 5, 6, 7"
#define TO_15 TO_7 ", 8, 9, 10, 11, 12, 13, 14, 15"
#define TO_31 TO_15 ", 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31"
#define X86_LANES(name, n, type, prefix, bits, element, list)                                                         \
    HELPER(name, "x86/lanes", {"VECTOR", type}, {"P", prefix}, {"BITS", bits}, {"ELEMENT", element}, {"N", #n},       \
           {"NUMBERS", list})
#define X86_LANES_NARROW                                                                                              \
    X86_LANES("lanes_16_bytes", 16, "__m128i", "_mm_", "8", "char", TO_15),                                           \
    X86_LANES("lanes_8_shorts", 8, "__m128i", "_mm_", "16", "short", TO_7)

/* Narrow integers: the low 8 bits of products are those of two products of 16 bits. */
#define X86_BYTES(prefix, kind, n) X86_EXTREMES(prefix, kind "8"), [VECTOR_MUL] = "mul_" n "b({a}, {b})"
#define X86_SHORTS(prefix, kind) X86_EXTREMES(prefix, kind "16"), X86_MULLO(prefix, "16")
#define X86_ABS(prefix, bits) [VECTOR_ABS] = prefix "abs_epi" bits "({a})"
#define X86_MUL_BYTES(n, type, prefix, whole)                                                                         \
    HELPER("mul_" n "b", "x86/mul_bytes", {"VECTOR", type}, {"P", prefix}, {"WHOLE", whole})

/* Integers of 64 bits. */
#define X86_VECTOR(type, prefix) {"VECTOR", type}, {"P", prefix}
#define X86_MUL_LONGS(n, type, prefix) HELPER("mul_" n, "x86/mul_longs", X86_VECTOR(type, prefix))
#define X86_EXTREME_LONGS(name, type, prefix, greater)                                                                \
    HELPER(name, "x86/extreme_longs", X86_VECTOR(type, prefix), {"GREATER", greater})
#define X86_BELOW_LONGS(n, type, prefix, w) HELPER("below_" n, "x86/below_longs", X86_VECTOR(type, prefix), {"W", w})

/* Unsigned integers of 32 bits as f64, and by these as f32. */
#define X86_FROM_U32(n, floats, ints, prefix, w)                                                                      \
    HELPER("from_u32_" n, "x86/from_u32", {"FLOATS", floats}, {"INTS", ints}, {"P", prefix}, {"W", w})
#define X86_FROM_U32_BY_HALVES(n, half, floats, ints, prefix, first, last, joined)                                    \
    HELPER("from_u32_" n, "x86/from_u32_by_halves", {"FLOATS", floats}, {"INTS", ints}, {"P", prefix},                \
           {"FROM_U32", "from_u32_" half}, {"FIRST", first}, {"LAST", last}, {"JOINED", joined})

/* All lanes joined by an operation. */
#define X86_FOLD(name, template, op) HELPER(name, template, {"OP", op})
#define X86_FLOAT_FOLDS(n, template)                                                                                  \
    X86_FOLD("sum_" n, template, "add"), X86_FOLD("product_" n, template, "mul"),                                     \
    X86_FOLD("least_" n, template, "min"), X86_FOLD("greatest_" n, template, "max")

/* right: sra or srl. */
#define X86_SHIFTS(prefix, bits, right)                                                                               \
    [VECTOR_SHL] = prefix "sllv_epi" bits "({a}, {b})", [VECTOR_SHR] = prefix right "v_epi" bits "({a}, {b})",        \
    X86_SHIFTS_ALL(prefix, bits, right)
#define X86_LEFT_ALL(prefix, bits) [VECTOR_SHL_ALL] = prefix "slli_epi" bits "({a}, {c})"
#define X86_SHIFTS_ALL(prefix, bits, right)                                                                           \
    X86_LEFT_ALL(prefix, bits), [VECTOR_SHR_ALL] = prefix right "i_epi" bits "({a}, {c})"

/* Small integers in registers of 16 bytes, and in a part of one; kind: X86_BYTES and X86_SHORTS. */
#define X86_BYTES_16(kind)                                                                                            \
    X86_INTS("_mm_", "8", "8", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_BYTES("_mm_", kind, "16"),       \
    X86_BYTE_GROUPS
#define X86_SHORTS_8(kind)                                                                                            \
    X86_INTS("_mm_", "16", "16", "si128"), X86_MEMORY("_mm_", "si128", "__m128i"), X86_SHORTS("_mm_", kind),          \
    X86_BYTE_GROUPS
#define X86_BYTE_PART(kind) X86_PART("_mm_", "8", "8", "si128"), X86_BYTES("_mm_", kind, "16")
#define X86_BYTES_8(kind)                                                                                             \
    X86_BYTE_PART(kind), X86_HALF_MEMORY, X86_LIST_PART("8", X86_ZEROS_4 ", " X86_ZEROS_4), X86_BYTE_GROUPS
#define X86_BYTES_4(kind)                                                                                             \
    X86_BYTE_PART(kind), X86_QUARTER_MEMORY, X86_LIST_PART("8", X86_ZEROS_4 ", " X86_ZEROS_4 ", " X86_ZEROS_4),        \
    X86_BYTE_GROUPS
#define X86_SHORTS_4(kind)                                                                                            \
    X86_PART("_mm_", "16", "16", "si128"), X86_SHORTS("_mm_", kind), X86_HALF_MEMORY,                           \
    X86_LIST_PART("16", X86_ZEROS_4),                                                                                 \
    X86_BYTE_GROUPS
#define X86_BYTES_2(kind)                                                                                             \
    X86_BYTE_PART(kind), X86_PAIR_MEMORY,                                                                             \
    X86_LIST_PART("8", X86_ZEROS_4 ", " X86_ZEROS_4 ", " X86_ZEROS_4 ", 0, 0")
#define X86_SHORTS_2(kind)                                                                                            \
    X86_PART("_mm_", "16", "16", "si128"), X86_SHORTS("_mm_", kind), X86_QUARTER_MEMORY,                              \
    X86_LIST_PART("16", X86_ZEROS_4 ", 0, 0")

#endif
