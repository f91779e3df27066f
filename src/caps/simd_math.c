/* How sets write the operations of mathematical functions, as values of templates. */
#include "caps/simd_math.h"

#include "caps/simd_math_ops.h"

/* clang-format off */

#define OPERATION_1(s, op, t) {#op, MATH(s, op, t, "{a}")}
#define OPERATION_2(s, op, t) {#op, MATH(s, op, t, "{a}", "{b}")}
#define OPERATION_3(s, op, t) {#op, MATH(s, op, t, "{a}", "{b}", "{c}")}
#define OPERATIONS(s, t)                                                                                              \
    {"INLINE", MATH(s, INLINE)}, {"PART", MATH(s, PART, "{a}")}, {"TYPE", MATH(s, TYPE, t)},                          \
    {"CONSTANT", MATH(s, CONSTANT, t)}, {"INTS", MATH(s, INTS, t)}, {"MASK", MATH(s, MASK, t)},                       \
    {"ZERO", MATH(s, ZERO, t)}, OPERATION_1(s, ALL, t), OPERATION_1(s, FULL, t), OPERATION_2(s, ADD, t),              \
    OPERATION_2(s, SUB, t), OPERATION_2(s, MUL, t), OPERATION_2(s, DIV, t), OPERATION_3(s, MADD, t),                  \
    OPERATION_3(s, NMADD, t), OPERATION_2(s, LEAST_OF, t), OPERATION_2(s, MOST_OF, t), OPERATION_1(s, ABS, t),        \
    OPERATION_2(s, SIGNED, t), OPERATION_2(s, LT, t), OPERATION_2(s, LE, t), OPERATION_2(s, AND, t),                  \
    OPERATION_1(s, NOT_ALL, t), OPERATION_3(s, SELECT, t), OPERATION_1(s, BITS, t), OPERATION_2(s, SHR, t),           \
    OPERATION_2(s, IADD, t), OPERATION_1(s, IALL, t), OPERATION_1(s, BIT_0, t), OPERATION_2(s, TURN, t),              \
    {"SIN_QUARTER", MATH(s, BITS, t, "sum")},                                                                         \
    {"COS_QUARTER", MATH(s, IADD, t, MATH(s, BITS, t, "sum"), MATH(s, IALL, t, "1"))}
/* Of sets without instructions for exponents. */
#define BIT_OPERATIONS(s, t)                                                                                          \
    OPERATION_2(s, EQ, t), OPERATION_1(s, NUMBER, t), OPERATION_2(s, SHL, t), OPERATION_2(s, ISUB, t),                \
    OPERATION_2(s, IAND, t), OPERATION_2(s, IOR, t)
/* Of f32 by halves in f64, whose type is d. */
#define HALVES(s, t, d)                                                                                               \
    OPERATION_1(s, LOW, t), OPERATION_1(s, HIGH, t), OPERATION_2(s, JOIN, t), {"WIDE", MATH(s, TYPE, d)},             \
    {"WIDE_MUL", MATH(s, MUL, d, "{a}", "{b}")}, {"WIDE_NMADD", MATH(s, NMADD, d, "{a}", "{b}", "{c}")},              \
    {"WIDE_ALL", MATH(s, ALL, d, "{a}")}
#define END {NULL, NULL}

const struct template_value math_avx512_f32[] = {OPERATIONS(AVX512, F32), HALVES(AVX512, F32, F64), END};
const struct template_value math_avx512_f64[] = {OPERATIONS(AVX512, F64), END};
#define TYPE_32(s, t, d) {OPERATIONS(s, t), BIT_OPERATIONS(s, t), HALVES(s, t, d), END}
#define TYPE_64(s, t) {OPERATIONS(s, t), BIT_OPERATIONS(s, t), END}
const struct template_value math_avx2_f32[] = TYPE_32(AVX2, F32, F64);
const struct template_value math_avx2_f64[] = TYPE_64(AVX2, F64);
const struct template_value math_sse_f32[] = TYPE_32(SSE, F32, F64);
const struct template_value math_sse_f64[] = TYPE_64(SSE, F64);
const struct template_value math_neon_f32[] = TYPE_32(NEON, F32, F64);
const struct template_value math_neon_f64[] = TYPE_64(NEON, F64);
const struct template_value math_vector_8f32[] = TYPE_32(VECTOR, 8F32, 4F64);
const struct template_value math_vector_4f64[] = TYPE_64(VECTOR, 4F64);
const struct template_value math_vector_4f32[] = TYPE_32(VECTOR, 4F32, 2F64);
const struct template_value math_vector_2f64[] = TYPE_64(VECTOR, 2F64);
