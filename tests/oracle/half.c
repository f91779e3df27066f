/* f16 and bf16 by arithmetic on doubles, without help from the compiler's own types. */
#include "half.h"

#include <math.h>
#include <string.h>

#define F16_NAN 0x7e00
#define F16_INFINITY 0x7c00
#define F16_MAX 65504.0

/* 2 to the power of n, -1022 <= n <= 1023. */
static double power(int n)
{
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* x as a multiple of the spacing of numbers that have `digits` binary digits and at least exponent lowest. */
static double round_to(double x, int digits, int lowest)
{
    int exponent;

    if (x == 0 || !isfinite(x))
        return x;
    frexp(x, &exponent);
    if (exponent - 1 < lowest)
        exponent = lowest + 1;
    return nearbyint(x * power(digits - exponent)) * power(exponent - digits);
}

double f16_round(double x)
{
    const double rounded = round_to(x, 11, -14);

    return fabs(rounded) > F16_MAX ? copysign(INFINITY, rounded) : rounded;
}

double bf16_round(double x)
{
    return (float)round_to((float)x, 8, -126);
}

uint16_t f16_bits(double x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;

    if (isnan(x))
        return sign | F16_NAN;
    if (isinf(x))
        return sign | F16_INFINITY;
    if (fabs(x) < power(-14))
        return (uint16_t)(sign | (uint16_t)(fabs(x) * power(24)));
    const double fraction = frexp(fabs(x), &exponent);
    return (uint16_t)(sign | (exponent + 14) << 10 | ((int)(fraction * 2048) & 0x3ff));
}

double f16_value(uint16_t bits)
{
    const double sign = bits & 0x8000 ? -1 : 1;
    const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;

    if (exponent == 0x1f)
        return fraction ? copysign(NAN, sign) : sign * INFINITY;
    if (!exponent)
        return sign * fraction * power(-24);
    return sign * (fraction + 0x400) * power(exponent - 25);
}

uint16_t bf16_bits(double x)
{
    const float value = (float)x;
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return (uint16_t)(bits >> 16 | (isnan(x) ? 0x40 : 0));
}

double bf16_value(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof(value));
    return value;
}
