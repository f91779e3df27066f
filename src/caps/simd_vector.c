/* The vector extensions of gcc and clang, for any processor: the compiler makes of them what there is. */
#include "caps/simd_sets.h"

#define COMPARE                                                                                                       \
    [VECTOR_LT] = "({a} < {b})", [VECTOR_LE] = "({a} <= {b})", [VECTOR_EQ] = "({a} == {b})",                          \
    [VECTOR_NE] = "({a} != {b})", [VECTOR_MASK_AND] = "({a} & {b})", [VECTOR_MASK_OR] = "({a} | {b})",                \
    [VECTOR_MASK_NOT] = "(~{a})"

/* t is the vector's type, i that of masks; x - 0 is x, -0.0 included. */
#define ARITHMETIC(t, i)                                                                                              \
    [VECTOR_LOAD] = "*(const " t "_u *){p}", [VECTOR_STORE] = "*(" t "_u *){p} = {a}",                                \
    [VECTOR_SPLAT] = "({s} - (" t "){0})", [VECTOR_ZERO] = "(" t "){0}", [VECTOR_LIST] = "(" t "){{a}}",              \
    [VECTOR_ADD] = "({a} + {b})", [VECTOR_SUB] = "({a} - {b})", [VECTOR_MUL] = "({a} * {b})", [VECTOR_NEG] = "(-{a})", \
    [VECTOR_SELECT] = "(" t ")(({m} & (" i "){a}) | (~{m} & (" i "){b}))", COMPARE

#define TOTALS(n)                                                                                                     \
    [VECTOR_SUM] = "sum_" n "(&{a})", [VECTOR_PRODUCT] = "product_" n "(&{a})",                                       \
    [VECTOR_LEAST] = "least_" n "(&{a})", [VECTOR_GREATEST] = "greatest_" n "(&{a})"

#define FLOATS(t, i) ARITHMETIC(t, i), [VECTOR_DIV] = "({a} / {b})"
#define INTS(t, i)                                                                                                    \
    ARITHMETIC(t, i), [VECTOR_AND] = "({a} & {b})", [VECTOR_OR] = "({a} | {b})", [VECTOR_XOR] = "({a} ^ {b})",        \
    [VECTOR_NOT] = "(~{a})", [VECTOR_SHL] = "({a} << {b})", [VECTOR_SHR] = "({a} >> {b})"

/* Types of n lanes of 32 bits, and narrower ones that are converted to them. */
#define WORDS(n)                                                                                                      \
    {TYPE_F32, n, "v" #n "f32", "v" #n "i32", NULL, NULL, {FLOATS("v" #n "f32", "v" #n "i32"), TOTALS(#n "f32")}},    \
    {TYPE_I32, n, "v" #n "i32", "v" #n "i32", NULL, NULL, {INTS("v" #n "i32", "v" #n "i32")}},                        \
    {TYPE_U32, n, "v" #n "u32", "v" #n "i32", NULL, NULL, {INTS("v" #n "u32", "v" #n "i32"), TOTALS(#n "u32")}},      \
    {TYPE_I16, n, "v" #n "i16", NULL, NULL, NULL, {INTS("v" #n "i16", "v" #n "i16")}},                                \
    {TYPE_U16, n, "v" #n "u16", NULL, NULL, NULL, {INTS("v" #n "u16", "v" #n "i16")}},                                \
    {TYPE_I8, n, "v" #n "i8", NULL, NULL, NULL, {INTS("v" #n "i8", "v" #n "i8")}},                                    \
    {TYPE_U8, n, "v" #n "u8", NULL, NULL, NULL, {INTS("v" #n "u8", "v" #n "i8")}}

#define LONGS(n)                                                                                                      \
    {TYPE_F64, n, "v" #n "f64", "v" #n "i64", NULL, NULL, {FLOATS("v" #n "f64", "v" #n "i64"), TOTALS(#n "f64")}},    \
    {TYPE_I64, n, "v" #n "i64", "v" #n "i64", NULL, NULL, {INTS("v" #n "i64", "v" #n "i64")}},                        \
    {TYPE_U64, n, "v" #n "u64", "v" #n "i64", NULL, NULL, {INTS("v" #n "u64", "v" #n "i64"), TOTALS(#n "u64")}}

static const struct simd_type types[] = {WORDS(8), WORDS(4), LONGS(4), LONGS(2)};

static const struct simd_conversion conversions[] = {
    {TYPE_NONE, TYPE_NONE, 0, "__builtin_convertvector({a}, {t})", NULL},
};

#define TYPE(name, element, bytes, align)                                                                             \
    {name, "typedef " element " " name " __attribute__((vector_size(" #bytes ")));\n"},                               \
    {name "_u", "typedef " element " " name "_u __attribute__((vector_size(" #bytes "), aligned(" #align              \
                "), may_alias));\n"}

#define WORD_TYPES(n, bytes, half, quarter)                                                                           \
    TYPE("v" #n "f32", "float", bytes, 4), TYPE("v" #n "i32", "int32_t", bytes, 4),                                   \
    TYPE("v" #n "u32", "uint32_t", bytes, 4), TYPE("v" #n "i16", "int16_t", half, 2),                                 \
    TYPE("v" #n "u16", "uint16_t", half, 2), TYPE("v" #n "i8", "int8_t", quarter, 1),                                 \
    TYPE("v" #n "u8", "uint8_t", quarter, 1)
#define LONG_TYPES(n, bytes)                                                                                          \
    TYPE("v" #n "f64", "double", bytes, 8), TYPE("v" #n "i64", "int64_t", bytes, 8),                                  \
    TYPE("v" #n "u64", "uint64_t", bytes, 8)

#define FOLD(name, n, short_type, type, update)                                                                       \
    {name "_" #n short_type, "static inline " type " " name "_" #n short_type "(const v" #n short_type " *a)\n{\n"    \
                             "    " type " all = (*a)[0];\n\n"                                                        \
                             "    for (int k = 1; k < " #n "; k++)\n"                                                 \
                             "        all = " update ";\n"                                                            \
                             "    return all;\n}\n"}
#define FOLDS(n, short_type, type)                                                                                    \
    FOLD("sum", n, short_type, type, "all + (*a)[k]"), FOLD("product", n, short_type, type, "all * (*a)[k]"),         \
    FOLD("least", n, short_type, type, "all < (*a)[k] ? all : (*a)[k]"),                                              \
    FOLD("greatest", n, short_type, type, "all > (*a)[k] ? all : (*a)[k]")

static const struct simd_helper helpers[] = {
    {"INLINE_VECTORS",
     "/* vectors wider than registers go to functions that are inlined only */\n"
     "#pragma GCC diagnostic ignored \"-Wpsabi\"\n"
     "#define INLINE_VECTORS static inline __attribute__((always_inline))\n"},
    WORD_TYPES(8, 32, 16, 8), WORD_TYPES(4, 16, 8, 4), LONG_TYPES(4, 32), LONG_TYPES(2, 16),
    FOLDS(8, "f32", "float"), FOLDS(8, "u32", "uint32_t"), FOLDS(4, "f32", "float"), FOLDS(4, "u32", "uint32_t"),
    FOLDS(4, "f64", "double"), FOLDS(4, "u64", "uint64_t"), FOLDS(2, "f64", "double"), FOLDS(2, "u64", "uint64_t"),
};

const struct simd simd_vector = {"vector", NULL, NULL, false, true, types, SIMD_COUNT(types),
                                 conversions, SIMD_COUNT(conversions), helpers, SIMD_COUNT(helpers), NULL, 0, NULL, 0};
