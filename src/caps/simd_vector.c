/* The vector extensions of gcc and clang, for any processor: the compiler makes of them what there is. */
#include "caps/simd_math.h"
#include "caps/simd_sets.h"

/* clang-format off */

#define COMPARE                                                                                                       \
    [VECTOR_LT] = "({a} < {b})", [VECTOR_LE] = "({a} <= {b})", [VECTOR_EQ] = "({a} == {b})",                          \
    [VECTOR_NE] = "({a} != {b})", [VECTOR_MASK_AND] = "({a} & {b})", [VECTOR_MASK_OR] = "({a} | {b})",                \
    [VECTOR_MASK_NOT] = "(~{a})"

/* t is the vector's type, i that of masks; x - 0 is x, -0.0 included. */
#define ARITHMETIC(t, i)                                                                                              \
    [VECTOR_LOAD] = "*(const " t "_u *){p}", [VECTOR_STORE] = "*(" t "_u *){p} = {a}",                                \
    [VECTOR_SPLAT] = "({s} - (" t "){0})", [VECTOR_ZERO] = "(" t "){0}", [VECTOR_LIST] = "(" t "){{a}}",              \
    [VECTOR_SHUFFLE] = "__builtin_shufflevector({a}, {b}, {c})",                                                      \
    [VECTOR_ADD] = "({a} + {b})", [VECTOR_SUB] = "({a} - {b})", [VECTOR_MUL] = "({a} * {b})", [VECTOR_NEG] = "(-{a})",\
    [VECTOR_SELECT] = "(" t ")(({m} & (" i "){a}) | (~{m} & (" i "){b}))",                               \
    [VECTOR_MASK_ANY] = "any_" i "({a})", COMPARE

#define TOTALS(n)                                                                                                     \
    [VECTOR_SUM] = "sum_" n "(&{a})", [VECTOR_PRODUCT] = "product_" n "(&{a})",                                       \
    [VECTOR_LEAST] = "least_" n "(&{a})", [VECTOR_GREATEST] = "greatest_" n "(&{a})"

/* n: lanes and element type, in names of helpers; most: all bits but the sign. */
#define EXTREMES(n) [VECTOR_MIN] = "min_" n "({a}, {b})", [VECTOR_MAX] = "max_" n "({a}, {b})"
#define FLOATS(t, i, most)                                                                                            \
    ARITHMETIC(t, i), [VECTOR_DIV] = "({a} / {b})", [VECTOR_ABS] = "(" t ")((" i "){a} & " most ")"
#define INTS(t, i)                                                                                                    \
    ARITHMETIC(t, i), [VECTOR_AND] = "({a} & {b})", [VECTOR_OR] = "({a} | {b})", [VECTOR_XOR] = "({a} ^ {b})",        \
    [VECTOR_NOT] = "(~{a})", [VECTOR_SHL] = "({a} << {b})", [VECTOR_SHR] = "({a} >> {b})"

/* Types of n lanes of 32 bits, and narrower ones that are converted to them. */
#define INT_TYPE(type, n, t, i)                                                                                       \
    {type, n, "v" #n t, "v" #n i, "lanes_" #n i, NULL, {INTS("v" #n t, "v" #n i), EXTREMES(#n t)}}
#define WORDS(n)                                                                                                      \
    {TYPE_F32, n, "v" #n "f32", "v" #n "i32", "lanes_" #n "i32", NULL,                                                \
     {FLOATS("v" #n "f32", "v" #n "i32", "INT32_MAX"), EXTREMES(#n "f32"), TOTALS(#n "f32"),                          \
      MATH_ROWS(#n "f32"), POW_ROW(#n "f32")}},                                                                       \
    INT_TYPE(TYPE_I32, n, "i32", "i32"),                                                                              \
    {TYPE_U32, n, "v" #n "u32", "v" #n "i32", "lanes_" #n "i32", NULL,                                                \
     {INTS("v" #n "u32", "v" #n "i32"), EXTREMES(#n "u32"), TOTALS(#n "u32")}},                                       \
    SHORTS(n), BYTES(n)
#define SHORTS(n) INT_TYPE(TYPE_I16, n, "i16", "i16"), INT_TYPE(TYPE_U16, n, "u16", "i16")
#define BYTES(n) INT_TYPE(TYPE_I8, n, "i8", "i8"), INT_TYPE(TYPE_U8, n, "u8", "i8")

#define LONGS(n)                                                                                                      \
    {TYPE_F64, n, "v" #n "f64", "v" #n "i64", "lanes_" #n "i64", NULL,                                                \
     {FLOATS("v" #n "f64", "v" #n "i64", "INT64_MAX"), EXTREMES(#n "f64"), TOTALS(#n "f64"),                          \
      MATH_ROWS(#n "f64")}},                                                                                          \
    INT_TYPE(TYPE_I64, n, "i64", "i64"),                                                                              \
    {TYPE_U64, n, "v" #n "u64", "v" #n "i64", "lanes_" #n "i64", NULL,                                                \
     {INTS("v" #n "u64", "v" #n "i64"), EXTREMES(#n "u64"), TOTALS(#n "u64")}}

/* Lanes of 64 bits have partners of all types; narrow ones alone fill a register. */
static const struct simd_type types[] = {WORDS(8), WORDS(4), LONGS(4), LONGS(2), SHORTS(16), BYTES(16), BYTES(32)};

static const struct simd_conversion conversions[] = {
    {TYPE_NONE, TYPE_NONE, 0, "__builtin_convertvector({a}, {t})", NULL},
};

#define TYPE(name, element, bytes, align)                                                                             \
    HELPER(name, "vector/type", {"ELEMENT", element}, {"BYTES", #bytes}),                                             \
    HELPER(name "_u", "vector/type_in_memory", {"ELEMENT", element}, {"BYTES", #bytes}, {"ALIGN", #align})

#define WORD_TYPES(n, bytes, half, quarter)                                                                           \
    TYPE("v" #n "f32", "float", bytes, 4), TYPE("v" #n "i32", "int32_t", bytes, 4),                                   \
    TYPE("v" #n "u32", "uint32_t", bytes, 4), SHORT_TYPES(n, half), BYTE_TYPES(n, quarter)
#define SHORT_TYPES(n, bytes)                                                                                         \
    TYPE("v" #n "i16", "int16_t", bytes, 2), TYPE("v" #n "u16", "uint16_t", bytes, 2)
#define BYTE_TYPES(n, bytes) TYPE("v" #n "i8", "int8_t", bytes, 1), TYPE("v" #n "u8", "uint8_t", bytes, 1)
#define LONG_TYPES(n, bytes)                                                                                          \
    TYPE("v" #n "f64", "double", bytes, 8), TYPE("v" #n "i64", "int64_t", bytes, 8),                                  \
    TYPE("v" #n "u64", "uint64_t", bytes, 8)

#define FOLD(name, n, short_type, type, joined)                                                                       \
    HELPER(name "_" #n short_type, "vector/fold", {"VECTOR", "v" #n short_type}, {"ELEMENT", type}, {"N", #n},        \
           {"JOINED", joined})
#define FOLDS(n, short_type, type)                                                                                    \
    FOLD("sum", n, short_type, type, "all + (*a)[k]"), FOLD("product", n, short_type, type, "all * (*a)[k]"),         \
    FOLD("least", n, short_type, type, "all < (*a)[k] ? all : (*a)[k]"),                                              \
    FOLD("greatest", n, short_type, type, "all > (*a)[k] ? all : (*a)[k]")

/* t: the vector's type, i: that of masks */
#define EXTREME(name, op, n, t, i)                                                                                    \
    HELPER(name "_" n, "vector/extreme", {"VECTOR", t}, {"MASK", i}, {"OP", op})
#define BOTH(n, e, i) EXTREME("min", "<", #n e, "v" #n e, "v" #n i), EXTREME("max", ">", #n e, "v" #n e, "v" #n i)
#define WORD_EXTREMES(n)                                                                                              \
    BOTH(n, "f32", "i32"), BOTH(n, "i32", "i32"), BOTH(n, "u32", "i32"), SHORT_EXTREMES(n), BYTE_EXTREMES(n)
#define SHORT_EXTREMES(n) BOTH(n, "i16", "i16"), BOTH(n, "u16", "i16")
#define BYTE_EXTREMES(n) BOTH(n, "i8", "i8"), BOTH(n, "u8", "i8")
#define LONG_EXTREMES(n) BOTH(n, "f64", "i64"), BOTH(n, "i64", "i64"), BOTH(n, "u64", "i64")

#define SELECT(n, t, i) HELPER("select_" n, "vector/select", {"VECTOR", t}, {"MASK", i})

#define ANY(n, e, element)                                                                                            \
    HELPER("any_v" #n e, "vector/any", {"VECTOR", "v" #n e}, {"ELEMENT", element}, {"N", #n})
#define LANES(n, e, element, list)                                                                                    \
    HELPER("lanes_" #n e, "vector/lanes", {"VECTOR", "v" #n e}, {"ELEMENT", element}, {"N", #n}, {"NUMBERS", list})
#define ALL_LANES(n, list)                                                                                            \
    LANES(n, "i32", "int32_t", list), LANES(n, "i16", "int16_t", list), LANES(n, "i8", "int8_t", list)

static const struct simd_helper helpers[] = {
    HELPER_AS_IS("INLINE_VECTORS", "vector/inline_vectors"),
    WORD_TYPES(8, 32, 16, 8), WORD_TYPES(4, 16, 8, 4), LONG_TYPES(4, 32), LONG_TYPES(2, 16), SHORT_TYPES(16, 32),
    BYTE_TYPES(16, 16), BYTE_TYPES(32, 32),
    ALL_LANES(8, TO_7), ALL_LANES(4, TO_3), LANES(4, "i64", "int64_t", TO_3), LANES(2, "i64", "int64_t", "0, 1"),
    LANES(16, "i16", "int16_t", TO_15), LANES(16, "i8", "int8_t", TO_15), LANES(32, "i8", "int8_t", TO_31),
    WORD_EXTREMES(8), WORD_EXTREMES(4), LONG_EXTREMES(4), LONG_EXTREMES(2), SHORT_EXTREMES(16), BYTE_EXTREMES(16),
    BYTE_EXTREMES(32),
    FOLDS(8, "f32", "float"), FOLDS(8, "u32", "uint32_t"), FOLDS(4, "f32", "float"), FOLDS(4, "u32", "uint32_t"),
    FOLDS(4, "f64", "double"), FOLDS(4, "u64", "uint64_t"), FOLDS(2, "f64", "double"), FOLDS(2, "u64", "uint64_t"),
    ANY(8, "i32", "int32_t"), ANY(4, "i32", "int32_t"), ANY(4, "i64", "int64_t"), ANY(2, "i64", "int64_t"),
    ANY(16, "i16", "int16_t"), ANY(8, "i16", "int16_t"), ANY(4, "i16", "int16_t"), ANY(32, "i8", "int8_t"),
    ANY(16, "i8", "int8_t"), ANY(8, "i8", "int8_t"), ANY(4, "i8", "int8_t"),
    SELECT("8f32", "v8f32", "v8i32"), SELECT("4f32", "v4f32", "v4i32"), SELECT("4f64", "v4f64", "v4i64"),
    SELECT("2f64", "v2f64", "v2i64"), TYPE("v2f32", "float", 8, 4),
    HELPER_AS_IS("all_and_4i64", "vector/all_and_4i64"), HELPER_AS_IS("all_and_2i64", "vector/all_and_2i64"),
    MATH_VECTOR,
};

const struct simd simd_vector = {"vector", NULL, NULL, false, true, types, SIMD_COUNT(types),
                                 conversions, SIMD_COUNT(conversions), helpers, SIMD_COUNT(helpers), NULL, 0, NULL, 0,
                                 NULL, 0, NULL, NULL, NULL};
