#include "program/expr/half.h"

#include <math.h>

struct format {
    int fraction; /* bits */
    int bias;
};

static struct format format_of(enum type type)
{
    return type == TYPE_F16 ? (struct format){10, 15} : (struct format){7, 127};
}

static uint16_t infinity(struct format format)
{
    return (uint16_t)((2 * format.bias + 1) << format.fraction);
}

/* Subnormal numbers have the spacing of the smallest normal ones, so that one formula counts both. */
uint16_t half_bits(enum type type, double x)
{
    const struct format format = format_of(type);
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;

    if (isnan(x))
        return (uint16_t)(sign | infinity(format) | 1 << (format.fraction - 1));
    if (isinf(x))
        return sign | infinity(format);
    frexp(x, &exponent);
    if (x == 0 || exponent < 2 - format.bias)
        exponent = 2 - format.bias;
    if (exponent > format.bias + 1)
        return sign | infinity(format);
    const int count = (int)nearbyint(ldexp(fabs(x), format.fraction + 1 - exponent));
    return (uint16_t)(sign | (((exponent + format.bias - 2) << format.fraction) + count));
}

double half_value(enum type type, uint16_t bits)
{
    const struct format format = format_of(type);
    const double sign = bits & 0x8000 ? -1 : 1;
    const int fraction = bits & ((1 << format.fraction) - 1), exponent = (bits & 0x7fff) >> format.fraction;

    if (exponent == 2 * format.bias + 1)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - format.bias - format.fraction);
    return sign * ldexp(fraction + (1 << format.fraction), exponent - format.bias - format.fraction);
}
