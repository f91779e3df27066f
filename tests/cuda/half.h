/* The 16-bit types of CUDA for the shim: their bits, and conversions that round to the nearest. C sees the types. */
#ifndef POLYNEST_SHIM_HALF_H
#define POLYNEST_SHIM_HALF_H

#include <stdint.h>

#ifdef __cplusplus
struct __half_raw {
    uint16_t x;
};
struct __nv_bfloat16_raw {
    uint16_t x;
};
struct __half {
    uint16_t bits;
    __half() = default;
    constexpr __half(__half_raw raw) : bits(raw.x) {}
};
struct __nv_bfloat16 {
    uint16_t bits;
    __nv_bfloat16() = default;
    constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
};
#else
typedef struct {
    uint16_t bits;
} __half;
typedef struct {
    uint16_t bits;
} __nv_bfloat16;
#endif

#ifdef __cplusplus
#include <cmath>
#include <cstring>

namespace shim {

/* value rounded to the nearest of a format with so many bits after the first one, ties to even */
inline uint16_t half_bits(double value, int fraction, int smallest, int largest)
{
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0, infinity = uint16_t((0x7fff >> fraction) << fraction);
    int exponent;
    double unit;

    if (std::isnan(value))
        return uint16_t(sign | infinity | 1 << (fraction - 1));
    value = std::fabs(value);
    if (std::isinf(value))
        return uint16_t(sign | infinity);
    std::frexp(value, &exponent);
    exponent = value == 0 || exponent - 1 < smallest ? smallest : exponent - 1;
    unit = std::ldexp(1.0, exponent - fraction);
    value = std::nearbyint(value / unit);
    if (value >= std::ldexp(2.0, fraction)) {
        value /= 2;
        exponent++;
    }
    if (exponent > largest)
        return uint16_t(sign | infinity);
    if (value < std::ldexp(1.0, fraction))
        return uint16_t(sign | uint16_t(value));
    return uint16_t(sign + ((exponent - smallest) << fraction) + int(value));
}

inline double half_value(uint16_t bits, int fraction, int smallest)
{
    const int exponent = (bits & 0x7fff) >> fraction, most = 0x7fff >> fraction, rest = bits & ((1 << fraction) - 1);
    double value;

    if (exponent == most)
        value = rest ? NAN : INFINITY;
    else if (exponent == 0)
        value = std::ldexp(rest, smallest - fraction);
    else
        value = std::ldexp((1 << fraction) + rest, exponent - 1 + smallest - fraction);
    return bits & 0x8000 ? -value : value;
}

} // namespace shim

inline uint16_t __half_as_ushort(__half a) { return a.bits; }
inline __half __ushort_as_half(uint16_t bits) { return __half_raw{bits}; }
inline uint16_t __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
inline __nv_bfloat16 __ushort_as_bfloat16(uint16_t bits) { return __nv_bfloat16_raw{bits}; }
inline float __half2float(__half a) { return float(shim::half_value(a.bits, 10, -14)); }
inline __half __float2half_rn(float a) { return __half_raw{shim::half_bits(a, 10, -14, 15)}; }
inline __half __double2half(double a) { return __half_raw{shim::half_bits(a, 10, -14, 15)}; }
inline float __bfloat162float(__nv_bfloat16 a) { return float(shim::half_value(a.bits, 7, -126)); }
inline __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16_raw{shim::half_bits(a, 7, -126, 127)}; }

/* Each operation is one of floats, rounded. */
#define SHIM_HALF(T, widen, narrow) \
    inline T operator+(T a) { return a; } \
    inline T operator-(T a) { return narrow(-widen(a)); } \
    inline T operator+(T a, T b) { return narrow(widen(a) + widen(b)); } \
    inline T operator*(T a, T b) { return narrow(widen(a) * widen(b)); } \
    inline T &operator+=(T &a, T b) { return a = a + b; } \
    inline T &operator*=(T &a, T b) { return a = a * b; } \
    inline bool operator<(T a, T b) { return widen(a) < widen(b); } \
    inline bool operator>(T a, T b) { return widen(a) > widen(b); }
SHIM_HALF(__half, __half2float, __float2half_rn)
SHIM_HALF(__nv_bfloat16, __bfloat162float, __float2bfloat16_rn)
#endif

#endif
