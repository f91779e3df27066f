/* Lanes of floats, see immintrin.h. */

#define BITS(suffix, V, U)                                                                                            \
    BINARY(_mm512_and_##suffix, V, U, a & b)                                                                          \
    BINARY(_mm512_or_##suffix, V, U, a | b)                                                                           \
    BINARY(_mm512_xor_##suffix, V, U, a ^ b)                                                                          \
    BINARY(_mm512_andnot_##suffix, V, U, ~a & b)

/* f: the ending of functions of <math.h>. NaN: the second operand, as the processor does for min and max. */
#define FLOATS(suffix, V, T, M, f)                                                                                    \
    MEMORY(suffix, V)                                                                                                 \
    SPLAT(suffix, V, T)                                                                                               \
    BINARY(_mm512_add_##suffix, V, T, a + b)                                                                          \
    BINARY(_mm512_sub_##suffix, V, T, a - b)                                                                          \
    BINARY(_mm512_mul_##suffix, V, T, a * b)                                                                          \
    BINARY(_mm512_div_##suffix, V, T, quotient##f(a, b))                                                              \
    BINARY(_mm512_min_##suffix, V, T, a < b ? a : b)                                                                  \
    BINARY(_mm512_max_##suffix, V, T, a > b ? a : b)                                                                  \
    UNARY(_mm512_sqrt_##suffix, V, T, sqrt##f(a))                                                                     \
    UNARY(_mm512_abs_##suffix, V, T, fabs##f(a))                                                                      \
    UNARY(_mm512_floor_##suffix, V, T, floor##f(a))                                                                   \
    UNARY(_mm512_ceil_##suffix, V, T, ceil##f(a))                                                                     \
    TERNARY(_mm512_fmadd_##suffix, V, T, fma##f(a, b, c))                                                             \
    TERNARY(_mm512_fnmadd_##suffix, V, T, fma##f(-a, b, c))                                                           \
    FOLD(_mm512_reduce_add_##suffix, V, T, a + b)                                                                     \
    FOLD(_mm512_reduce_mul_##suffix, V, T, a * b)                                                                     \
    FOLD(_mm512_reduce_min_##suffix, V, T, a < b ? a : b)                                                             \
    FOLD(_mm512_reduce_max_##suffix, V, T, a > b ? a : b)                                                             \
    UNARY(_mm512_getexp_##suffix, V, T, a == 0 ? -INFINITY : isinf(a) ? INFINITY : logb##f(a))                        \
    BINARY(_mm512_scalef_##suffix, V, T, lane_scaled##f(a, b))                                                        \
    EMULATED V _mm512_mask_mov_##suffix(V w, M m, V x)                                                                \
    {                                                                                                                 \
        return _mm512_mask_blend_##suffix(m, w, x);                                                                   \
    }                                                                                                                 \
    EMULATED V _mm512_roundscale_##suffix(V x, int how)                                                               \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            r[k] = (how & 3) == _MM_FROUND_TO_ZERO ? trunc##f(r[k]) : nearbyint##f(r[k]);                             \
        VECTOR_OF(V, r);                                                                                              \
    }                                                                                                                 \
    /* From 1 to 2; of numbers below 0 there is none. */                                                              \
    EMULATED V _mm512_getmant_##suffix(V x, int interval, int sign)                                                   \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        (void)interval, (void)sign;                                                                                   \
        for (int k = 0; k < COUNT(r); k++) {                                                                          \
            int power;                                                                                                \
            r[k] = r[k] < 0             ? (T)NAN                                                                      \
                   : r[k] == 0          ? copysign##f(1, r[k])                                                        \
                   : isinf(r[k])        ? 1                                                                           \
                   : r[k] != r[k]       ? r[k]                                                                        \
                                        : 2 * frexp##f(r[k], &power);                                                 \
        }                                                                                                             \
        VECTOR_OF(V, r);                                                                                              \
    }                                                                                                                 \
    /* The one of smaller size, with the sign of the first. */                                                        \
    EMULATED V _mm512_range_##suffix(V x, V y, int how)                                                               \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, y);                                                                                            \
        (void)how;                                                                                                    \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            r[k] = copysign##f(fabs##f(r[k]) <= fabs##f(s[k]) || s[k] != s[k] ? r[k] : s[k], r[k]);                   \
        VECTOR_OF(V, r);                                                                                              \
    }

/* -fsanitize=undefined may know division by zero for floats, too. */
EMULATED __attribute__((no_sanitize("float-divide-by-zero"))) float quotientf(float a, float b)
{
    return a / b;
}

EMULATED __attribute__((no_sanitize("float-divide-by-zero"))) double quotient(double a, double b)
{
    return a / b;
}

/* a * 2^floor(b), rounded once. */
EMULATED double lane_scaled(double a, double b)
{
    return b != b ? b : ldexp(a, b > 4200 ? 4200 : b < -4200 ? -4200 : (int)floor(b));
}

EMULATED float lane_scaledf(float a, float b)
{
    return b != b ? b : ldexpf(a, b > 4200 ? 4200 : b < -4200 ? -4200 : (int)floorf(b));
}

/* The predicates of _mm512_cmp_ps_mask: ordered ones are false of NaN. */
EMULATED int lane_compared(double a, double b, int how)
{
    const int unordered = a != a || b != b;

    switch (how & 7) {
    case _CMP_EQ_OQ: return how & 8 ? unordered || a == b : a == b;
    case _CMP_LT_OS & 7: return how & 8 ? unordered || a < b : a < b;
    case _CMP_LE_OS & 7: return how & 8 ? unordered || a <= b : a <= b;
    case _CMP_UNORD_Q: return how & 8 ? 0 : unordered;
    case _CMP_NEQ_UQ: return how & 8 ? !unordered && a != b : a != b;
    case _CMP_NLT_US & 7: return how & 8 ? a >= b : !(a < b);
    case _CMP_NLE_US & 7: return how & 8 ? a > b : !(a <= b);
    default: return how & 8 ? 1 : !unordered;
    }
}

#define COMPARE_FLOATS(prefix, suffix, V, T, M)                                                                       \
    EMULATED M prefix##cmp_##suffix##_mask(V x, V y, int how)                                                         \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, y);                                                                                            \
        M m = 0;                                                                                                      \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            m = (M)(m | (M)((M)lane_compared((double)r[k], (double)s[k], how) << k));                                 \
        return m;                                                                                                     \
    }

#define MASKED_FLOATS(prefix, suffix, V, T, M, f)                                                                     \
    MASKED_BINARY(prefix##mask_add_##suffix, V, T, M, a + b)                                                          \
    MASKED_BINARY(prefix##mask_sub_##suffix, V, T, M, a - b)                                                          \
    MASKED_BINARY(prefix##mask_mul_##suffix, V, T, M, a * b)                                                          \
    MASKED_BINARY(prefix##mask_div_##suffix, V, T, M, quotient##f(a, b))                                              \
    MASKED_BINARY(prefix##mask_min_##suffix, V, T, M, a < b ? a : b)                                                  \
    MASKED_BINARY(prefix##mask_max_##suffix, V, T, M, a > b ? a : b)                                                  \
    MASKED_FMADD(prefix##mask3_fmadd_##suffix, V, T, M, fma##f)                                                       \
    MASKED_MEMORY(prefix, suffix, V, T, M)

MASKED_FLOATS(_mm512_, ps, __m512, float, __mmask16, f)
MASKED_FLOATS(_mm512_, pd, __m512d, double, __mmask8, )
MASKED_FLOATS(_mm256_, ps, __m256, float, __mmask8, f)
MASKED_FLOATS(_mm256_, pd, __m256d, double, __mmask8, )
MASKED_FLOATS(_mm_, ps, __m128, float, __mmask8, f)
FLOATS(ps, __m512, float, __mmask16, f)
FLOATS(pd, __m512d, double, __mmask8, )
BITS(ps, __m512, uint32_t)
BITS(pd, __m512d, uint64_t)

COMPARE_FLOATS(_mm512_, ps, __m512, float, __mmask16)
COMPARE_FLOATS(_mm512_, pd, __m512d, double, __mmask8)
COMPARE_FLOATS(_mm256_, ps, __m256, float, __mmask8)
COMPARE_FLOATS(_mm256_, pd, __m256d, double, __mmask8)
COMPARE_FLOATS(_mm_, ps, __m128, float, __mmask8)

GATHER(_mm512_i32gather_ps, _mm512_mask_i32gather_ps, __m512, float, __mmask16, __m512i, int32_t)
GATHER(_mm512_i32gather_pd, _mm512_mask_i32gather_pd, __m512d, double, __mmask8, __m256i, int32_t)
GATHER(_mm512_i64gather_ps, _mm512_mask_i64gather_ps, __m256, float, __mmask8, __m512i, int64_t)
GATHER(_mm512_i64gather_pd, _mm512_mask_i64gather_pd, __m512d, double, __mmask8, __m512i, int64_t)
GATHER(emulated_gather_8f, _mm256_mmask_i32gather_ps, __m256, float, __mmask8, __m256i, int32_t)
GATHER(emulated_gather_4d, _mm256_mmask_i32gather_pd, __m256d, double, __mmask8, __m128i, int32_t)
SCATTER(_mm512_i32scatter_ps, _mm512_mask_i32scatter_ps, __m512, float, __mmask16, __m512i, int32_t)
SCATTER(_mm512_i32scatter_pd, _mm512_mask_i32scatter_pd, __m512d, double, __mmask8, __m256i, int32_t)
SCATTER(_mm512_i64scatter_ps, _mm512_mask_i64scatter_ps, __m256, float, __mmask8, __m512i, int64_t)
SCATTER(_mm512_i64scatter_pd, _mm512_mask_i64scatter_pd, __m512d, double, __mmask8, __m512i, int64_t)
SCATTER(_mm256_i32scatter_ps, _mm256_mask_i32scatter_ps, __m256, float, __mmask8, __m256i, int32_t)
SCATTER(_mm256_i32scatter_pd, _mm256_mask_i32scatter_pd, __m256d, double, __mmask8, __m128i, int32_t)

EMULATED __m512 _mm512_permutexvar_ps(__m512i places, __m512 x)
{
    LANES_OF(int32_t, o, places);
    LANES_OF(float, s, x);
    float r[16];
    for (int k = 0; k < 16; k++)
        r[k] = s[o[k] & 15];
    VECTOR_OF(__m512, r);
}

EMULATED __m512d _mm512_permutexvar_pd(__m512i places, __m512d x)
{
    LANES_OF(int64_t, o, places);
    LANES_OF(double, s, x);
    double r[8];
    for (int k = 0; k < 8; k++)
        r[k] = s[o[k] & 7];
    VECTOR_OF(__m512d, r);
}

SHUFFLE(_mm512_permutex2var_ps, __m512, float, __m512i, int32_t)
SHUFFLE(_mm512_permutex2var_pd, __m512d, double, __m512i, int64_t)
SHUFFLE(_mm256_permutex2var_ps, __m256, float, __m256i, int32_t)
SHUFFLE(_mm256_permutex2var_pd, __m256d, double, __m256i, int64_t)
#define _mm512_setr_ps(...) LIST(__m512, float, __VA_ARGS__)
#define _mm512_setr_pd(...) LIST(__m512d, double, __VA_ARGS__)

/* Each lane plus two products: the second one first, nothing rounded before the sums, subnormal numbers as zeros. */
EMULATED float from_bf16(uint16_t a)
{
    const uint32_t bits = (a & 0x7f80) == 0 ? (uint32_t)(a & 0x8000) << 16 : (uint32_t)a << 16;
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

EMULATED float lane_flushed(float a)
{
    return fpclassify(a) == FP_SUBNORMAL ? copysignf(0, a) : a;
}

EMULATED __m512 _mm512_dpbf16_ps(__m512 z, __m512bh x, __m512bh y)
{
    LANES_OF(float, r, z);
    LANES_OF(uint16_t, s, x);
    LANES_OF(uint16_t, t, y);
    for (int k = 0; k < 16; k++)
        for (int half = 1; half >= 0; half--)
            r[k] = lane_flushed(fmaf(from_bf16(s[2 * k + half]), from_bf16(t[2 * k + half]), lane_flushed(r[k])));
    VECTOR_OF(__m512, r);
}
