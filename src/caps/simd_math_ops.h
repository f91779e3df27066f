/* How sets write the operations of templates/math: MATH(set, op, type, operands..) is C text.
 *
 * The types are F32 and F64, of whole registers; those of the vector extensions are named with their lanes. MADD is
 * a b + c, NMADD c - a b: with one rounding where the set has FMA, else with two. ALL is a constant as an operand, FULL
 * one broadcast to a vector, CONSTANT the type of a variable that holds one. LEAST_OF and MOST_OF propagate NaN.
 * BITS and NUMBER go from numbers to unsigned integers of their bits and back, SHL .. IALL compute with
 * these. BIT_0 is a mask; TURN changes the sign of y where the last bit of i is set; SIGNED gives y, which is positive,
 * the sign of a. LOW and HIGH are halves of f32 in f64, JOIN puts these together. PART is an operand that is no name.
 */
#ifndef CAPS_SIMD_MATH_OPS_H
#define CAPS_SIMD_MATH_OPS_H

/* clang-format off */

#define MATH(set, op, ...) MATH_##set##_##op(__VA_ARGS__)

/* What the sets of x86 share. p: prefix of intrinsics, w: bits of a register. */
#define X86_PS_F32 "ps"
#define X86_PS_F64 "pd"
#define X86_EPI_F32 "epi32"
#define X86_EPI_F64 "epi64"
#define X86_TOP_F32 "31"
#define X86_TOP_F64 "63"
#define X86_2(p, op, t, a, b) p op "_" X86_PS_##t "(" a ", " b ")"
#define X86_3(p, op, t, a, b, c) p op "_" X86_PS_##t "(" a ", " b ", " c ")"
#define X86_INTS_2(p, op, t, a, b) p op "_" X86_EPI_##t "(" a ", " b ")"
#define X86_ALL(p, t, c) p "set1_" X86_PS_##t "(" c ")"
#define X86_SIZE(p, t, a) X86_2(p, "andnot", t, X86_ALL(p, t, "-0.0f"), a)
#define X86_SIGNED(p, t, y, a) X86_2(p, "or", t, y, X86_2(p, "and", t, a, X86_ALL(p, t, "-0.0f")))
#define X86_TO_BITS(p, w, t, a) p "cast" X86_PS_##t "_si" w "(" a ")"
#define X86_TO_NUMBER(p, w, t, i) p "castsi" w "_" X86_PS_##t "(" i ")"
#define X86_BIT_TO_TOP(p, t, i) X86_INTS_2(p, "slli", t, i, X86_TOP_##t)
#define X86_TURN(p, w, t, y, i) X86_2(p, "xor", t, y, X86_TO_NUMBER(p, w, t, X86_BIT_TO_TOP(p, t, i)))

#define MATH_AVX512_TYPE_F32 "__m512"
#define MATH_AVX512_TYPE_F64 "__m512d"
#define MATH_AVX512_MASK_F32 "__mmask16"
#define MATH_AVX512_MASK_F64 "__mmask8"
#define MATH_AVX512_EACH_F32 "0xffff"
#define MATH_AVX512_EACH_F64 "0xff"
#define MATH_AVX512_INLINE() "static inline"
#define MATH_AVX512_PART(text) text
#define MATH_AVX512_TYPE(t) MATH_AVX512_TYPE_##t
#define MATH_AVX512_CONSTANT(t) MATH_AVX512_TYPE_##t
#define MATH_AVX512_INTS(t) "__m512i"
#define MATH_AVX512_MASK(t) MATH_AVX512_MASK_##t
#define MATH_AVX512_ALL(t, c) X86_ALL("_mm512_", t, c)
#define MATH_AVX512_FULL(t, c) X86_ALL("_mm512_", t, c)
#define MATH_AVX512_ZERO(t) "_mm512_setzero_" X86_PS_##t "()"
#define MATH_AVX512_ADD(t, a, b) X86_2("_mm512_", "add", t, a, b)
#define MATH_AVX512_SUB(t, a, b) X86_2("_mm512_", "sub", t, a, b)
#define MATH_AVX512_MUL(t, a, b) X86_2("_mm512_", "mul", t, a, b)
#define MATH_AVX512_DIV(t, a, b) X86_2("_mm512_", "div", t, a, b)
#define MATH_AVX512_MADD(t, a, b, c) X86_3("_mm512_", "fmadd", t, a, b, c)
#define MATH_AVX512_NMADD(t, a, b, c) X86_3("_mm512_", "fnmadd", t, a, b, c)
#define MATH_AVX512_LEAST_OF(t, c, a) X86_2("_mm512_", "min", t, X86_ALL("_mm512_", t, c), a)
#define MATH_AVX512_MOST_OF(t, c, a) X86_2("_mm512_", "max", t, X86_ALL("_mm512_", t, c), a)
#define MATH_AVX512_ABS(t, a) X86_SIZE("_mm512_", t, a)
#define MATH_AVX512_SIGNED(t, y, a) X86_SIGNED("_mm512_", t, y, a)
#define MATH_AVX512_LT(t, a, b) "_mm512_cmp_" X86_PS_##t "_mask(" a ", " b ", _CMP_LT_OQ)"
#define MATH_AVX512_LE(t, a, b) "_mm512_cmp_" X86_PS_##t "_mask(" a ", " b ", _CMP_LE_OQ)"
#define MATH_AVX512_AND(t, a, b) a " & " b
#define MATH_AVX512_NOT_ALL(t, m) m " != " MATH_AVX512_EACH_##t
#define MATH_AVX512_SELECT(t, m, a, b) X86_3("_mm512_", "mask_blend", t, m, b, a)
#define MATH_AVX512_BITS(t, a) X86_TO_BITS("_mm512_", "512", t, a)
#define MATH_AVX512_SHR(t, i, k) X86_INTS_2("_mm512_", "srli", t, i, k)
#define MATH_AVX512_IADD(t, i, j) X86_INTS_2("_mm512_", "add", t, i, j)
#define MATH_AVX512_IALL(t, c) "_mm512_set1_" X86_EPI_##t "(" c ")"
#define MATH_AVX512_BIT_0(t, i) "_mm512_mov" X86_EPI_##t "_mask(" X86_BIT_TO_TOP("_mm512_", t, i) ")"
#define MATH_AVX512_TURN(t, y, i) X86_TURN("_mm512_", "512", t, y, i)
#define MATH_AVX512_LOW(t, a) "_mm512_cvtps_pd(_mm512_castps512_ps256(" a "))"
#define MATH_AVX512_HIGH(t, a) "_mm512_cvtps_pd(_mm512_extractf32x8_ps(" a ", 1))"
#define MATH_AVX512_JOIN(t, x, y)                                                                                     \
    "_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(" x ")), _mm512_cvtpd_ps(" y "), 1)"

#define MATH_AVX2_TYPE_F32 "__m256"
#define MATH_AVX2_TYPE_F64 "__m256d"
#define MATH_AVX2_EACH_F32 "0xff"
#define MATH_AVX2_EACH_F64 "0xf"
#define MATH_AVX2_IALL_F32 "_mm256_set1_epi32"
#define MATH_AVX2_IALL_F64 "_mm256_set1_epi64x"
#define MATH_AVX2_INLINE() "static inline"
#define MATH_AVX2_PART(text) text
#define MATH_AVX2_TYPE(t) MATH_AVX2_TYPE_##t
#define MATH_AVX2_CONSTANT(t) MATH_AVX2_TYPE_##t
#define MATH_AVX2_INTS(t) "__m256i"
#define MATH_AVX2_MASK(t) MATH_AVX2_TYPE_##t
#define MATH_AVX2_ALL(t, c) X86_ALL("_mm256_", t, c)
#define MATH_AVX2_FULL(t, c) X86_ALL("_mm256_", t, c)
#define MATH_AVX2_ZERO(t) "_mm256_setzero_" X86_PS_##t "()"
#define MATH_AVX2_ADD(t, a, b) X86_2("_mm256_", "add", t, a, b)
#define MATH_AVX2_SUB(t, a, b) X86_2("_mm256_", "sub", t, a, b)
#define MATH_AVX2_MUL(t, a, b) X86_2("_mm256_", "mul", t, a, b)
#define MATH_AVX2_DIV(t, a, b) X86_2("_mm256_", "div", t, a, b)
#define MATH_AVX2_MADD(t, a, b, c) X86_3("_mm256_", "fmadd", t, a, b, c)
#define MATH_AVX2_NMADD(t, a, b, c) X86_3("_mm256_", "fnmadd", t, a, b, c)
#define MATH_AVX2_LEAST_OF(t, c, a) X86_2("_mm256_", "min", t, X86_ALL("_mm256_", t, c), a)
#define MATH_AVX2_MOST_OF(t, c, a) X86_2("_mm256_", "max", t, X86_ALL("_mm256_", t, c), a)
#define MATH_AVX2_ABS(t, a) X86_SIZE("_mm256_", t, a)
#define MATH_AVX2_SIGNED(t, y, a) X86_SIGNED("_mm256_", t, y, a)
#define MATH_AVX2_LT(t, a, b) X86_3("_mm256_", "cmp", t, a, b, "_CMP_LT_OQ")
#define MATH_AVX2_LE(t, a, b) X86_3("_mm256_", "cmp", t, a, b, "_CMP_LE_OQ")
#define MATH_AVX2_EQ(t, a, b) X86_3("_mm256_", "cmp", t, a, b, "_CMP_EQ_OQ")
#define MATH_AVX2_AND(t, a, b) X86_2("_mm256_", "and", t, a, b)
#define MATH_AVX2_NOT_ALL(t, m) "_mm256_movemask_" X86_PS_##t "(" m ") != " MATH_AVX2_EACH_##t
#define MATH_AVX2_SELECT(t, m, a, b) X86_3("_mm256_", "blendv", t, b, a, m)
#define MATH_AVX2_BITS(t, a) X86_TO_BITS("_mm256_", "256", t, a)
#define MATH_AVX2_NUMBER(t, i) X86_TO_NUMBER("_mm256_", "256", t, i)
#define MATH_AVX2_SHL(t, i, k) X86_INTS_2("_mm256_", "slli", t, i, k)
#define MATH_AVX2_SHR(t, i, k) X86_INTS_2("_mm256_", "srli", t, i, k)
#define MATH_AVX2_IADD(t, i, j) X86_INTS_2("_mm256_", "add", t, i, j)
#define MATH_AVX2_ISUB(t, i, j) X86_INTS_2("_mm256_", "sub", t, i, j)
#define MATH_AVX2_IAND(t, i, j) "_mm256_and_si256(" i ", " j ")"
#define MATH_AVX2_IOR(t, i, j) "_mm256_or_si256(" i ", " j ")"
#define MATH_AVX2_IALL(t, c) MATH_AVX2_IALL_##t "(" c ")"
#define MATH_AVX2_BIT_0(t, i) MATH_AVX2_NUMBER(t, X86_BIT_TO_TOP("_mm256_", t, i))
#define MATH_AVX2_TURN(t, y, i) X86_TURN("_mm256_", "256", t, y, i)
#define MATH_AVX2_LOW(t, a) "_mm256_cvtps_pd(_mm256_castps256_ps128(" a "))"
#define MATH_AVX2_HIGH(t, a) "_mm256_cvtps_pd(_mm256_extractf128_ps(" a ", 1))"
#define MATH_AVX2_JOIN(t, x, y)                                                                                       \
    "_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(" x ")), _mm256_cvtpd_ps(" y "), 1)"

#define MATH_SSE_TYPE_F32 "__m128"
#define MATH_SSE_TYPE_F64 "__m128d"
#define MATH_SSE_EACH_F32 "0xf"
#define MATH_SSE_EACH_F64 "0x3"
#define MATH_SSE_IALL_F32 "_mm_set1_epi32"
#define MATH_SSE_IALL_F64 "_mm_set1_epi64x"
#define MATH_SSE_INLINE() "static inline"
#define MATH_SSE_PART(text) text
#define MATH_SSE_TYPE(t) MATH_SSE_TYPE_##t
#define MATH_SSE_CONSTANT(t) MATH_SSE_TYPE_##t
#define MATH_SSE_INTS(t) "__m128i"
#define MATH_SSE_MASK(t) MATH_SSE_TYPE_##t
#define MATH_SSE_ALL(t, c) X86_ALL("_mm_", t, c)
#define MATH_SSE_FULL(t, c) X86_ALL("_mm_", t, c)
#define MATH_SSE_ZERO(t) "_mm_setzero_" X86_PS_##t "()"
#define MATH_SSE_ADD(t, a, b) X86_2("_mm_", "add", t, a, b)
#define MATH_SSE_SUB(t, a, b) X86_2("_mm_", "sub", t, a, b)
#define MATH_SSE_MUL(t, a, b) X86_2("_mm_", "mul", t, a, b)
#define MATH_SSE_DIV(t, a, b) X86_2("_mm_", "div", t, a, b)
#define MATH_SSE_MADD(t, a, b, c) MATH_SSE_ADD(t, MATH_SSE_MUL(t, a, b), c)
#define MATH_SSE_NMADD(t, a, b, c) MATH_SSE_SUB(t, c, MATH_SSE_MUL(t, a, b))
#define MATH_SSE_LEAST_OF(t, c, a) X86_2("_mm_", "min", t, X86_ALL("_mm_", t, c), a)
#define MATH_SSE_MOST_OF(t, c, a) X86_2("_mm_", "max", t, X86_ALL("_mm_", t, c), a)
#define MATH_SSE_ABS(t, a) X86_SIZE("_mm_", t, a)
#define MATH_SSE_SIGNED(t, y, a) X86_SIGNED("_mm_", t, y, a)
#define MATH_SSE_LT(t, a, b) X86_2("_mm_", "cmplt", t, a, b)
#define MATH_SSE_LE(t, a, b) X86_2("_mm_", "cmple", t, a, b)
#define MATH_SSE_EQ(t, a, b) X86_2("_mm_", "cmpeq", t, a, b)
#define MATH_SSE_AND(t, a, b) X86_2("_mm_", "and", t, a, b)
#define MATH_SSE_NOT_ALL(t, m) "_mm_movemask_" X86_PS_##t "(" m ") != " MATH_SSE_EACH_##t
#define MATH_SSE_SELECT(t, m, a, b) X86_3("_mm_", "blendv", t, b, a, m)
#define MATH_SSE_BITS(t, a) X86_TO_BITS("_mm_", "128", t, a)
#define MATH_SSE_NUMBER(t, i) X86_TO_NUMBER("_mm_", "128", t, i)
#define MATH_SSE_SHL(t, i, k) X86_INTS_2("_mm_", "slli", t, i, k)
#define MATH_SSE_SHR(t, i, k) X86_INTS_2("_mm_", "srli", t, i, k)
#define MATH_SSE_IADD(t, i, j) X86_INTS_2("_mm_", "add", t, i, j)
#define MATH_SSE_ISUB(t, i, j) X86_INTS_2("_mm_", "sub", t, i, j)
#define MATH_SSE_IAND(t, i, j) "_mm_and_si128(" i ", " j ")"
#define MATH_SSE_IOR(t, i, j) "_mm_or_si128(" i ", " j ")"
#define MATH_SSE_IALL(t, c) MATH_SSE_IALL_##t "(" c ")"
#define MATH_SSE_BIT_0(t, i) MATH_SSE_NUMBER(t, X86_BIT_TO_TOP("_mm_", t, i))
#define MATH_SSE_TURN(t, y, i) X86_TURN("_mm_", "128", t, y, i)
#define MATH_SSE_LOW(t, a) "_mm_cvtps_pd(" a ")"
#define MATH_SSE_HIGH(t, a) "_mm_cvtps_pd(_mm_movehl_ps(" a ", " a "))"
#define MATH_SSE_JOIN(t, x, y) "_mm_movelh_ps(_mm_cvtpd_ps(" x "), _mm_cvtpd_ps(" y "))"

#define NEON_F_F32 "f32"
#define NEON_F_F64 "f64"
#define NEON_U_F32 "u32"
#define NEON_U_F64 "u64"
#define NEON_2(op, t, a, b) op "q_" NEON_F_##t "(" a ", " b ")"
#define NEON_3(op, t, a, b, c) op "q_" NEON_F_##t "(" a ", " b ", " c ")"
#define NEON_INTS_2(op, t, a, b) op "_" NEON_U_##t "(" a ", " b ")"
#define MATH_NEON_TYPE_F32 "float32x4_t"
#define MATH_NEON_TYPE_F64 "float64x2_t"
#define MATH_NEON_INTS_F32 "uint32x4_t"
#define MATH_NEON_INTS_F64 "uint64x2_t"
#define MATH_NEON_WORDS_F32(m) m
#define MATH_NEON_WORDS_F64(m) "vreinterpretq_u32_u64(" m ")"
#define MATH_NEON_TOP_F32 "31"
#define MATH_NEON_TOP_F64 "63"
#define MATH_NEON_INLINE() "static inline"
#define MATH_NEON_PART(text) text
#define MATH_NEON_TYPE(t) MATH_NEON_TYPE_##t
#define MATH_NEON_CONSTANT(t) MATH_NEON_TYPE_##t
#define MATH_NEON_INTS(t) MATH_NEON_INTS_##t
#define MATH_NEON_MASK(t) MATH_NEON_INTS_##t
#define MATH_NEON_ALL(t, c) "vdupq_n_" NEON_F_##t "(" c ")"
#define MATH_NEON_FULL(t, c) MATH_NEON_ALL(t, c)
#define MATH_NEON_ZERO(t) MATH_NEON_ALL(t, "0")
#define MATH_NEON_ADD(t, a, b) NEON_2("vadd", t, a, b)
#define MATH_NEON_SUB(t, a, b) NEON_2("vsub", t, a, b)
#define MATH_NEON_MUL(t, a, b) NEON_2("vmul", t, a, b)
#define MATH_NEON_DIV(t, a, b) NEON_2("vdiv", t, a, b)
#define MATH_NEON_MADD(t, a, b, c) NEON_3("vfma", t, c, a, b)
#define MATH_NEON_NMADD(t, a, b, c) NEON_3("vfms", t, c, a, b)
#define MATH_NEON_LEAST_OF(t, c, a) NEON_2("vmin", t, MATH_NEON_ALL(t, c), a)
#define MATH_NEON_MOST_OF(t, c, a) NEON_2("vmax", t, MATH_NEON_ALL(t, c), a)
#define MATH_NEON_ABS(t, a) "vabsq_" NEON_F_##t "(" a ")"
#define MATH_NEON_SIGNED(t, y, a) NEON_3("vbsl", t, MATH_NEON_SHL(t, MATH_NEON_IALL(t, "1"), MATH_NEON_TOP_##t), a, y)
#define MATH_NEON_LT(t, a, b) NEON_2("vclt", t, a, b)
#define MATH_NEON_LE(t, a, b) NEON_2("vcle", t, a, b)
#define MATH_NEON_EQ(t, a, b) NEON_2("vceq", t, a, b)
#define MATH_NEON_AND(t, a, b) NEON_INTS_2("vandq", t, a, b)
#define MATH_NEON_NOT_ALL(t, m) "vminvq_u32(" MATH_NEON_WORDS_##t(m) ") == 0"
#define MATH_NEON_SELECT(t, m, a, b) NEON_3("vbsl", t, m, a, b)
#define MATH_NEON_BITS(t, a) "vreinterpretq_" NEON_U_##t "_" NEON_F_##t "(" a ")"
#define MATH_NEON_NUMBER(t, i) "vreinterpretq_" NEON_F_##t "_" NEON_U_##t "(" i ")"
#define MATH_NEON_SHL(t, i, k) NEON_INTS_2("vshlq_n", t, i, k)
#define MATH_NEON_SHR(t, i, k) NEON_INTS_2("vshrq_n", t, i, k)
#define MATH_NEON_IADD(t, i, j) NEON_INTS_2("vaddq", t, i, j)
#define MATH_NEON_ISUB(t, i, j) NEON_INTS_2("vsubq", t, i, j)
#define MATH_NEON_IAND(t, i, j) NEON_INTS_2("vandq", t, i, j)
#define MATH_NEON_IOR(t, i, j) NEON_INTS_2("vorrq", t, i, j)
#define MATH_NEON_IALL(t, c) "vdupq_n_" NEON_U_##t "(" c ")"
#define MATH_NEON_BIT_0(t, i) NEON_INTS_2("vtstq", t, i, MATH_NEON_IALL(t, "1"))
#define MATH_NEON_TURN(t, y, i)                                                                                       \
    MATH_NEON_NUMBER(t, NEON_INTS_2("veorq", t, MATH_NEON_BITS(t, y), MATH_NEON_SHL(t, i, MATH_NEON_TOP_##t)))
#define MATH_NEON_LOW(t, a) "vcvt_f64_f32(vget_low_f32(" a "))"
#define MATH_NEON_HIGH(t, a) "vcvt_high_f64_f32(" a ")"
#define MATH_NEON_JOIN(t, x, y) "vcvt_high_f32_f64(vcvt_f32_f64(" x "), " y ")"

/* The vector extensions: types are those of caps/simd_vector.c. */
#define VECTOR_NAME_8F32 "8f32"
#define VECTOR_NAME_4F32 "4f32"
#define VECTOR_NAME_4F64 "4f64"
#define VECTOR_NAME_2F64 "2f64"
#define VECTOR_SIGNED_8F32 "v8i32"
#define VECTOR_SIGNED_4F32 "v4i32"
#define VECTOR_SIGNED_4F64 "v4i64"
#define VECTOR_SIGNED_2F64 "v2i64"
#define VECTOR_BITS_8F32 "v8u32"
#define VECTOR_BITS_4F32 "v4u32"
#define VECTOR_BITS_4F64 "v4u64"
#define VECTOR_BITS_2F64 "v2u64"
#define VECTOR_WIDTH_8F32 "32"
#define VECTOR_WIDTH_4F32 "32"
#define VECTOR_WIDTH_4F64 "64"
#define VECTOR_WIDTH_2F64 "64"
#define VECTOR_ELEMENT_8F32 "float"
#define VECTOR_ELEMENT_4F32 "float"
#define VECTOR_ELEMENT_4F64 "double"
#define VECTOR_ELEMENT_2F64 "double"
#define VECTOR_TOP_8F32 "31"
#define VECTOR_TOP_4F32 "31"
#define VECTOR_TOP_4F64 "63"
#define VECTOR_TOP_2F64 "63"
#define VECTOR_ALL_AND_8F32 "all_and_4i64((v4i64)"
#define VECTOR_ALL_AND_4F32 "all_and_2i64((v2i64)"
#define VECTOR_ALL_AND_4F64 "all_and_4i64("
#define VECTOR_ALL_AND_2F64 "all_and_2i64("
#define VECTOR_HALF_8F32 "4"
#define VECTOR_HALF_4F32 "2"
#define VECTOR_LOW_8F32 "0, 1, 2, 3"
#define VECTOR_LOW_4F32 "0, 1"
#define VECTOR_HIGH_8F32 "4, 5, 6, 7"
#define VECTOR_HIGH_4F32 "2, 3"
#define VECTOR_TO_DOUBLES(t, a, list)                                                                                 \
    "__builtin_convertvector(__builtin_shufflevector(" a ", " a ", " list "), v" VECTOR_HALF_##t "f64)"
#define VECTOR_TO_FLOATS(t, a) "__builtin_convertvector(" a ", v" VECTOR_HALF_##t "f32)"
#define MATH_VECTOR_PART(text) "(" text ")"
#define MATH_VECTOR_INLINE() "INLINE_VECTORS"
#define MATH_VECTOR_TYPE(t) "v" VECTOR_NAME_##t
#define MATH_VECTOR_CONSTANT(t) VECTOR_ELEMENT_##t
#define MATH_VECTOR_INTS(t) VECTOR_BITS_##t
#define MATH_VECTOR_MASK(t) VECTOR_SIGNED_##t
#define MATH_VECTOR_ALL(t, c) c
#define MATH_VECTOR_FULL(t, c) c " - " MATH_VECTOR_ZERO(t)
#define MATH_VECTOR_ZERO(t) "(" MATH_VECTOR_TYPE(t) "){0}"
#define MATH_VECTOR_ADD(t, a, b) a " + " b
#define MATH_VECTOR_SUB(t, a, b) a " - " b
#define MATH_VECTOR_MUL(t, a, b) a " * " b
#define MATH_VECTOR_DIV(t, a, b) a " / " b
#define MATH_VECTOR_MADD(t, a, b, c) a " * " b " + " c
#define MATH_VECTOR_NMADD(t, a, b, c) c " - " a " * " b
#define MATH_VECTOR_LEAST_OF(t, c, a) "min_" VECTOR_NAME_##t "(" MATH_VECTOR_FULL(t, c) ", " a ")"
#define MATH_VECTOR_MOST_OF(t, c, a) "max_" VECTOR_NAME_##t "(" MATH_VECTOR_FULL(t, c) ", " a ")"
#define MATH_VECTOR_ABS(t, a) "(" MATH_VECTOR_TYPE(t) ")((" VECTOR_SIGNED_##t ")" a " & INT" VECTOR_WIDTH_##t "_MAX)"
#define MATH_VECTOR_SIGNED(t, y, a)                                                                                   \
    "(" MATH_VECTOR_TYPE(t) ")((" VECTOR_SIGNED_##t ")" y " | ((" VECTOR_SIGNED_##t ")" a " & INT" VECTOR_WIDTH_##t   \
    "_MIN))"
#define MATH_VECTOR_LT(t, a, b) a " < " b
#define MATH_VECTOR_LE(t, a, b) a " <= " b
#define MATH_VECTOR_EQ(t, a, b) a " == " b
#define MATH_VECTOR_AND(t, a, b) a " & " b
#define MATH_VECTOR_NOT_ALL(t, m) VECTOR_ALL_AND_##t m ") != -1"
#define MATH_VECTOR_SELECT(t, m, a, b) "select_" VECTOR_NAME_##t "(" m ", " a ", " b ")"
#define MATH_VECTOR_BITS(t, a) "(" VECTOR_BITS_##t ")" a
#define MATH_VECTOR_NUMBER(t, i) "(" MATH_VECTOR_TYPE(t) ")(" i ")"
#define MATH_VECTOR_SHL(t, i, k) i " << " k
#define MATH_VECTOR_SHR(t, i, k) i " >> " k
#define MATH_VECTOR_IADD(t, i, j) i " + " j
#define MATH_VECTOR_ISUB(t, i, j) i " - " j
#define MATH_VECTOR_IAND(t, i, j) i " & " j
#define MATH_VECTOR_IOR(t, i, j) i " | " j
#define MATH_VECTOR_IALL(t, c) c
#define MATH_VECTOR_BIT_0(t, i) "(" VECTOR_SIGNED_##t ")-(" i " & 1)"
#define MATH_VECTOR_TURN(t, y, i)                                                                                     \
    "(" MATH_VECTOR_TYPE(t) ")((" VECTOR_BITS_##t ")" y " ^ (" i " << " VECTOR_TOP_##t "))"
#define MATH_VECTOR_LOW(t, a) VECTOR_TO_DOUBLES(t, a, VECTOR_LOW_##t)
#define MATH_VECTOR_HIGH(t, a) VECTOR_TO_DOUBLES(t, a, VECTOR_HIGH_##t)
#define MATH_VECTOR_JOIN(t, x, y)                                                                                     \
    "__builtin_shufflevector(" VECTOR_TO_FLOATS(t, x) ", " VECTOR_TO_FLOATS(t, y) ", " VECTOR_LOW_##t ", "            \
    VECTOR_HIGH_##t ")"

#endif
