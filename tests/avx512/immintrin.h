/* AVX-512 on processors with AVX2 only: takes the place of the compiler's <immintrin.h>, whose headers up to AVX2, FMA
 * and F16C it includes, and computes lane by lane what the emitted code uses of F, DQ, VL, BW, VNNI and BF16, as the
 * manual of the processor says (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2). */
#ifndef AVX512_EMULATED
#define AVX512_EMULATED
#pragma GCC system_header

#define _IMMINTRIN_H_INCLUDED
#define __IMMINTRIN_H
#include <mmintrin.h>
#include <xmmintrin.h>
#include <emmintrin.h>
#include <pmmintrin.h>
#include <tmmintrin.h>
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <f16cintrin.h>
#include <fmaintrin.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef float __m512 __attribute__((vector_size(64), may_alias));
typedef double __m512d __attribute__((vector_size(64), may_alias));
typedef long long __m512i __attribute__((vector_size(64), may_alias));
typedef __m512i __m512bh;
typedef uint8_t __mmask8;
typedef uint16_t __mmask16;
typedef uint32_t __mmask32;
typedef uint64_t __mmask64;

enum { _MM_MANT_NORM_1_2 = 0, _MM_MANT_SIGN_nan = 2 };

#define EMULATED static __attribute__((unused, noinline))
#define COUNT(list) (int)(sizeof(list) / sizeof((list)[0]))
/* The lanes of a vector x, of some type. */
#define LANES_OF(type, name, x)                                                                                       \
    type name[sizeof(x) / sizeof(type)];                                                                              \
    memcpy(name, &(x), sizeof(x))
#define VECTOR_OF(type, lanes)                                                                                        \
    type vector;                                                                                                      \
    memcpy(&vector, lanes, sizeof(vector));                                                                           \
    return vector

/* Functions of lanes: V is the type of the vectors, T that of their lanes; `value` is made of the lanes a, b, c. */
#define UNARY(name, V, T, value)                                                                                      \
    EMULATED V name(V x)                                                                                              \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        for (int k = 0; k < COUNT(r); k++) {                                                                          \
            const T a = r[k];                                                                                         \
            r[k] = (T)(value);                                                                                        \
        }                                                                                                             \
        VECTOR_OF(V, r);                                                                                              \
    }
#define BINARY(name, V, T, value)                                                                                     \
    EMULATED V name(V x, V y)                                                                                         \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, y);                                                                                            \
        for (int k = 0; k < COUNT(r); k++) {                                                                          \
            const T a = r[k], b = s[k];                                                                               \
            r[k] = (T)(value);                                                                                        \
        }                                                                                                             \
        VECTOR_OF(V, r);                                                                                              \
    }
#define TERNARY(name, V, T, value)                                                                                    \
    EMULATED V name(V x, V y, V z)                                                                                    \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, y);                                                                                            \
        LANES_OF(T, t, z);                                                                                            \
        for (int k = 0; k < COUNT(r); k++) {                                                                          \
            const T a = r[k], b = s[k], c = t[k];                                                                     \
            r[k] = (T)(value);                                                                                        \
        }                                                                                                             \
        VECTOR_OF(V, r);                                                                                              \
    }
/* Shifts by a number for all lanes. */
#define SHIFT(name, V, T, value)                                                                                      \
    EMULATED V name(V x, unsigned b)                                                                                  \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        for (int k = 0; k < COUNT(r); k++) {                                                                          \
            const T a = r[k];                                                                                         \
            r[k] = (T)(value);                                                                                        \
        }                                                                                                             \
        VECTOR_OF(V, r);                                                                                              \
    }
/* Where the mask has a zero the first operand stays. */
#define MASKED_BINARY(name, V, T, M, value)                                                                           \
    EMULATED V name(V w, M m, V x, V y)                                                                               \
    {                                                                                                                 \
        LANES_OF(T, r, w);                                                                                            \
        LANES_OF(T, s, x);                                                                                            \
        LANES_OF(T, t, y);                                                                                            \
        for (int k = 0; k < COUNT(r); k++) {                                                                          \
            const T a = s[k], b = t[k];                                                                               \
            r[k] = m >> k & 1 ? (T)(value) : r[k];                                                                    \
        }                                                                                                             \
        VECTOR_OF(V, r);                                                                                              \
    }
/* A fused multiply-add; where the mask has a zero the last vector stays. */
#define MASKED_FMADD(name, V, T, M, fma)                                                                              \
    EMULATED V name(V x, V y, V z, M m)                                                                               \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, y);                                                                                            \
        LANES_OF(T, t, z);                                                                                            \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            r[k] = m >> k & 1 ? fma(r[k], s[k], t[k]) : t[k];                                                         \
        VECTOR_OF(V, r);                                                                                              \
    }
/* The mask of the lanes for which `value` holds. */
#define COMPARE(name, V, T, M, value)                                                                                 \
    EMULATED M name(V x, V y)                                                                                         \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, y);                                                                                            \
        M m = 0;                                                                                                      \
        for (int k = 0; k < COUNT(r); k++) {                                                                          \
            const T a = r[k], b = s[k];                                                                               \
            m = (M)(m | (M)((M)(value) << k));                                                                        \
        }                                                                                                             \
        return m;                                                                                                     \
    }
/* The lanes of another type and, as far as there are, another number; further lanes of the result are zeros. */
#define CONVERT(name, R, TO, V, T, value)                                                                             \
    EMULATED R name(V x)                                                                                              \
    {                                                                                                                 \
        LANES_OF(T, s, x);                                                                                            \
        TO r[sizeof(R) / sizeof(TO)] = {0};                                                                           \
        for (int k = 0; k < COUNT(r) && k < COUNT(s); k++) {                                                          \
            const T a = s[k];                                                                                         \
            r[k] = (TO)(value);                                                                                       \
        }                                                                                                             \
        VECTOR_OF(R, r);                                                                                              \
    }

/* Loads touch the lanes of the mask only, and so do stores. */
#define MASKED_MEMORY(prefix, suffix, V, T, M)                                                                        \
    EMULATED V prefix##maskz_loadu_##suffix(M m, const void *p)                                                       \
    {                                                                                                                 \
        T r[sizeof(V) / sizeof(T)] = {0};                                                                             \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            if (m >> k & 1)                                                                                           \
                memcpy(&r[k], (const char *)((uintptr_t)p + (uintptr_t)k * sizeof(T)), sizeof(T));                    \
        VECTOR_OF(V, r);                                                                                              \
    }                                                                                                                 \
    EMULATED void prefix##mask_storeu_##suffix(void *p, M m, V x)                                                     \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            if (m >> k & 1)                                                                                           \
                memcpy((char *)((uintptr_t)p + (uintptr_t)k * sizeof(T)), &r[k], sizeof(T));                          \
    }                                                                                                                 \
    EMULATED V prefix##mask_blend_##suffix(M m, V x, V y)                                                             \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, y);                                                                                            \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            r[k] = m >> k & 1 ? s[k] : r[k];                                                                          \
        VECTOR_OF(V, r);                                                                                              \
    }

/* B is the vector of offsets, O their type; one after the other, as scatters of the processor do where lanes meet. */
#define GATHER(name, masked, V, T, M, B, O)                                                                           \
    EMULATED V masked(V w, M m, B offsets, const void *p, int scale)                                                  \
    {                                                                                                                 \
        LANES_OF(T, r, w);                                                                                            \
        LANES_OF(O, o, offsets);                                                                                      \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            if (m >> k & 1)                                                                                           \
                memcpy(&r[k], (const char *)((intptr_t)p + (intptr_t)o[k] * scale), sizeof(T));                       \
        VECTOR_OF(V, r);                                                                                              \
    }                                                                                                                 \
    EMULATED V name(B offsets, const void *p, int scale)                                                              \
    {                                                                                                                 \
        return masked((V){0}, (M)-1, offsets, p, scale);                                                              \
    }
#define SCATTER(name, masked, V, T, M, B, O)                                                                          \
    EMULATED void masked(void *p, M m, B offsets, V x, int scale)                                                     \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(O, o, offsets);                                                                                      \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            if (m >> k & 1)                                                                                           \
                memcpy((char *)((intptr_t)p + (intptr_t)o[k] * scale), &r[k], sizeof(T));                             \
    }                                                                                                                 \
    EMULATED void name(void *p, B offsets, V x, int scale)                                                            \
    {                                                                                                                 \
        masked(p, (M)-1, offsets, x, scale);                                                                          \
    }

/* The lanes that numbers say, of x and then y. */
#define SHUFFLE(name, V, T, I, O)                                                                                     \
    EMULATED V name(V x, I numbers, V y)                                                                              \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        LANES_OF(T, s, x);                                                                                            \
        LANES_OF(T, t, y);                                                                                            \
        LANES_OF(O, o, numbers);                                                                                      \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            r[k] = o[k] & COUNT(r) ? t[o[k] & (COUNT(r) - 1)] : s[o[k] & (COUNT(r) - 1)];                             \
        VECTOR_OF(V, r);                                                                                              \
    }

/* The upper half of the lanes into the lower one, and so on, as compilers do it. */
#define FOLD(name, V, T, value)                                                                                       \
    EMULATED T name(V x)                                                                                              \
    {                                                                                                                 \
        LANES_OF(T, r, x);                                                                                            \
        for (int n = COUNT(r) / 2; n > 0; n /= 2)                                                                     \
            for (int k = 0; k < n; k++) {                                                                             \
                const T a = r[k], b = r[k + n];                                                                       \
                r[k] = (T)(value);                                                                                    \
            }                                                                                                         \
        return r[0];                                                                                                  \
    }

#define MEMORY(suffix, V)                                                                                             \
    EMULATED V _mm512_loadu_##suffix(const void *p)                                                                   \
    {                                                                                                                 \
        V x;                                                                                                          \
        memcpy(&x, p, sizeof(x));                                                                                     \
        return x;                                                                                                     \
    }                                                                                                                 \
    EMULATED void _mm512_storeu_##suffix(void *p, V x)                                                                \
    {                                                                                                                 \
        memcpy(p, &x, sizeof(x));                                                                                     \
    }                                                                                                                 \
    EMULATED void _mm512_stream_##suffix(void *p, V x)                                                                \
    {                                                                                                                 \
        if ((uintptr_t)p % sizeof(x) != 0)                                                                            \
            __builtin_trap();                                                                                         \
        memcpy(p, &x, sizeof(x));                                                                                     \
    }                                                                                                                 \
    EMULATED V _mm512_setzero_##suffix(void)                                                                          \
    {                                                                                                                 \
        return (V){0};                                                                                                \
    }
#define SPLAT(suffix, V, T)                                                                                           \
    EMULATED V _mm512_set1_##suffix(T a)                                                                              \
    {                                                                                                                 \
        T r[sizeof(V) / sizeof(T)];                                                                                   \
        for (int k = 0; k < COUNT(r); k++)                                                                            \
            r[k] = a;                                                                                                 \
        VECTOR_OF(V, r);                                                                                              \
    }
#define LIST(V, T, ...)                                                                                               \
    ({                                                                                                                \
        const T list[sizeof(V) / sizeof(T)] = {__VA_ARGS__};                                                          \
        V vector;                                                                                                     \
        memcpy(&vector, list, sizeof(vector));                                                                        \
        vector;                                                                                                       \
    })

#include "floats.h"
#include "integers.h"

#include "conversions.h"

/* Emitted helpers keep vectors in registers by empty assembler texts; there is no register for these. */
#define __asm__(...)
#endif
