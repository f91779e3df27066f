/* Mathematical functions in vectors, as approximations: rows, and the helpers that they call, by templates
 * (templates/math).
 *
 * How a set writes the operations is a list of values for each of its types (caps/simd_math.c). Infinities, zeros and
 * NaN are treated as C's functions treat them. tests/self/functions compares with exact values: no error exceeds the
 * bound in the emitted comment, in units in the last place (ulp).
 */
#ifndef CAPS_SIMD_MATH_H
#define CAPS_SIMD_MATH_H

#include "caps/simd_sets.h"

/* clang-format off */

extern const struct template_value math_avx512_f32[], math_avx512_f64[], math_avx2_f32[], math_avx2_f64[],
    math_sse_f32[], math_sse_f64[], math_neon_f32[], math_neon_f64[], math_vector_8f32[], math_vector_4f64[],
    math_vector_4f32[], math_vector_2f64[];

/* n: lanes and type in names */
#define MATH_ROWS(n)                                                                                                  \
    [VECTOR_EXP] = "exp_" n "({a})", [VECTOR_LOG] = "log_" n "({a})", [VECTOR_TANH] = "tanh_" n "({a})",              \
    [VECTOR_SIN] = "sin_" n "({a})", [VECTOR_COS] = "cos_" n "({a})"
#define POW_ROW(n) [VECTOR_POW] = "pow_" n "({a}, {b})"

/* A helper with values beside those of its type's operations. */
#define MATH_HELPER(name, template, operations, ...)                                                                  \
    {name, template, (const struct template_value[]){__VA_ARGS__, {NULL, NULL}}, operations}

#define EXP_VALUES_32                                                                                                 \
    {"ROUND", "@math/exp_round@"}, {"NEAR", "near"}, {"LAST", "x"}, {"RANGE", ""}, {"SCALE", "@math/exp_scale@"},     \
    {"ROUNDER", "12582912.0f + 2 * 127"}, {"LOWEST", "-104.0f"}, {"HIGHEST", "89.0f"}, {"LOG2_E", "1.44269504f"},     \
    {"DIGITS", "23"}
#define EXP_VALUES_64                                                                                                 \
    {"ROUND", "@math/exp_round@"}, {"SCALE", "@math/exp_scale@"}, {"ROUNDER", "0x1.8p52 + 2 * 1023"},                 \
    {"LOWEST", "-746.0"}, {"HIGHEST", "710.0"}, {"LOG2_E", "1.4426950408889634"}, {"DIGITS", "52"}
#define LOG_VALUES_32                                                                                                 \
    {"SPLIT", "@math/log_bits@"}, {"SPECIAL", "@math/log_special@"}, {"TINY", "1.17549435e-38f"},                     \
    {"UP", "8388608.0f"}, {"BETWEEN", "0x004afb0d"}, {"LOW_BITS", "0x007fffff"}, {"ROOT", "0x3f3504f3"},              \
    {"DIGITS", "23"}, {"POWER", "0x4b000000"}, {"BIAS_UP", "8388608.0f + 127 + 23"}, {"BIAS", "8388608.0f + 127"}
#define LOG_VALUES_64                                                                                                 \
    {"SPLIT", "@math/log_bits@"}, {"SPECIAL", "@math/log_special@"}, {"TINY", "0x1p-1022"}, {"UP", "0x1p52"},         \
    {"BETWEEN", "0x00095f619980c433"}, {"LOW_BITS", "0x000fffffffffffff"}, {"ROOT", "0x3fe6a09e667f3bcd"},            \
    {"DIGITS", "52"}, {"POWER", "0x4330000000000000"}, {"BIAS_UP", "0x1p52 + 1023 + 52"}, {"BIAS", "0x1p52 + 1023"}

/* exp, log and tanh; most: the error of exp. */
#define MATH_32(operations, n, most)                                                                                  \
    MATH_HELPER("exp_" n, "math/exp_f32", operations, {"MOST", most}, EXP_VALUES_32),                                 \
    MATH_HELPER("log_" n, "math/log_f32", operations, {"MOST", "0.9"}, LOG_VALUES_32), TANH_32(operations, n)
#define MATH_64(operations, n)                                                                                        \
    MATH_HELPER("exp_" n, "math/exp_f64", operations, {"MOST", "1.1"}, EXP_VALUES_64),                                \
    MATH_HELPER("log_" n, "math/log_f64", operations, {"MOST", "0.9"}, LOG_VALUES_64), TANH_64(operations, n)
#define TANH_32(operations, n)                                                                                        \
    MATH_HELPER("tanh_" n, "math/tanh_f32", operations, {"MOST", "1.4"}, {"EXP", "exp_" n})
#define TANH_64(operations, n)                                                                                        \
    MATH_HELPER("tanh_" n, "math/tanh_f64", operations, {"MOST", "1.7"}, {"EXP", "exp_" n})

/* sin and cos; each: lanes and type in the names of functions that call the library (NAME_each_LANES,
 * target/clike/vector/each.c), left: what computes what is left after n times pi / 2. */
#define TRIG_VALUES(function, each, quarter, left)                                                                    \
    {"MOST", "1.6"}, {"EACH", function "_each_" each}, {"QUARTER", "@" quarter "@"}, {"LEFT", left}
#define TRIG_32(operations, n, each, left)                                                                            \
    MATH_HELPER("sin_" n, "math/trig_f32", operations, TRIG_VALUES("sin", each, "SIN_QUARTER", left)),                \
    MATH_HELPER("cos_" n, "math/trig_f32", operations, TRIG_VALUES("cos", each, "COS_QUARTER", left))
#define TRIG_64(operations, n, each, near, left)                                                                      \
    MATH_HELPER("sin_" n, "math/trig_f64", operations, TRIG_VALUES("sin", each, "SIN_QUARTER", left),      \
                {"NEAR", near}),                                                                                      \
    MATH_HELPER("cos_" n, "math/trig_f64", operations, TRIG_VALUES("cos", each, "COS_QUARTER", left),      \
                {"NEAR", near})
#define POW_32(operations, n, each, wide)                                                                             \
    MATH_HELPER("pow_" n, "math/pow_f32", operations, {"EACH", "pow_each_" each}, {"EXP", "exp_" wide},               \
                {"LOG", "log_" wide})

/* With fused operations, and without; n, m: of f32 and f64 in names. */
#define TRIG_FUSED(ops_32, ops_64, n, m)                                                                              \
    TRIG_32(ops_32, n, n, "@math/trig_left_f32@"), TRIG_64(ops_64, m, m, "0x1p30", "@math/trig_left_f64@"),           \
    POW_32(ops_32, n, n, m)
#define TRIG_CALL_LEFT(n) "    const @TYPE@ x = left_" n "(a, n);\n"
#define TRIG_SPLIT(ops_32, ops_64, n, m, each, each_m)                                                                \
    {"left_" n, "math/left_f32", NULL, ops_32}, {"left_" m, "math/left_f64", NULL, ops_64},                           \
    TRIG_32(ops_32, n, each, TRIG_CALL_LEFT(n)), TRIG_64(ops_64, m, each_m, "0x1p20", TRIG_CALL_LEFT(m)),             \
    POW_32(ops_32, n, each, m)

/* Of f32 in as many lanes as f64 has, by the functions of whole registers, `whole`; up makes a register of the lanes,
 * twice, down is its first half. */
#define HALF_CALL(f, template, n, whole, type, up, down)                                                              \
    HELPER(f "_" n, template, {"TYPE", type}, {"FUNCTION", f "_" whole}, {"DOUBLED", up "({a}, {a})"},                \
           {"FIRST_HALF", down})
#define MATH_HALF(n, whole, type, up, down)                                                                           \
    HALF_CALL("exp", "math/half", n, whole, type, up, down), HALF_CALL("log", "math/half", n, whole, type, up, down), \
    HALF_CALL("tanh", "math/half", n, whole, type, up, down), HALF_CALL("sin", "math/half", n, whole, type, up, down), \
    HALF_CALL("cos", "math/half", n, whole, type, up, down),                                                          \
    HALF_CALL("pow", "math/half_of_two", n, whole, type, up, down)

#define LOG_VALUES_512(ps, root, f)                                                                                   \
    {"MOST", "0.9"}, {"SPLIT", "@x86/log_split_512@"}, {"SPECIAL", "@x86/log_special_512@"}, {"PS", ps},              \
    {"ROOT", root}, {"F", f}
#define MATH_AVX512                                                                                                   \
    MATH_HELPER("exp_16f", "math/exp_f32", math_avx512_f32, {"MOST", "1.0"}, {"ROUND", "@x86/exp_round_512_f32@"},    \
                {"NEAR", "a"}, {"LAST", "rest"}, {"RANGE", "@x86/exp_range_512@"},                                    \
                {"SCALE", "    return _mm512_scalef_ps(y, n);\n"}),                                                   \
    MATH_HELPER("log_16f", "math/log_f32", math_avx512_f32, LOG_VALUES_512("ps", "1.41421354f", "f")),                \
    TANH_32(math_avx512_f32, "16f"),                                                                                  \
    MATH_HELPER("exp_8d", "math/exp_f64", math_avx512_f64, {"MOST", "1.1"}, {"ROUND", "@x86/exp_round_512_f64@"},     \
                {"SCALE", "    return _mm512_scalef_pd(y, n);\n"}),                                                   \
    MATH_HELPER("log_8d", "math/log_f64", math_avx512_f64, LOG_VALUES_512("pd", "1.4142135623730951", "")),           \
    TANH_64(math_avx512_f64, "8d"), TRIG_FUSED(math_avx512_f32, math_avx512_f64, "16f", "8d")
#define MATH_AVX2                                                                                                     \
    MATH_32(math_avx2_f32, "8f", "1.0"), MATH_64(math_avx2_f64, "4d"),                                                \
    TRIG_FUSED(math_avx2_f32, math_avx2_f64, "8f", "4d"),                                                             \
    MATH_HALF("4f", "8f", "__m128", "_mm256_set_m128", "_mm256_castps256_ps128")
#define MATH_SSE                                                                                                      \
    MATH_32(math_sse_f32, "4f", "1.2"), MATH_64(math_sse_f64, "2d"),                                                  \
    TRIG_SPLIT(math_sse_f32, math_sse_f64, "4f", "2d", "4f", "2d")
#define MATH_NEON                                                                                                     \
    MATH_32(math_neon_f32, "4f", "1.0"), MATH_64(math_neon_f64, "2d"),                                                \
    TRIG_FUSED(math_neon_f32, math_neon_f64, "4f", "2d"),                                                             \
    MATH_HALF("2f", "4f", "float32x2_t", "vcombine_f32", "vget_low_f32")
#define MATH_VECTOR                                                                                                   \
    MATH_32(math_vector_8f32, "8f32", "1.2"), MATH_64(math_vector_4f64, "4f64"),                                      \
    TRIG_SPLIT(math_vector_8f32, math_vector_4f64, "8f32", "4f64", "8f", "4d"),                                       \
    MATH_32(math_vector_4f32, "4f32", "1.2"), MATH_64(math_vector_2f64, "2f64"),                                      \
    TRIG_SPLIT(math_vector_4f32, math_vector_2f64, "4f32", "2f64", "4f", "2d")

#endif
