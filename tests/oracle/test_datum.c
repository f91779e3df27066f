/* The oracle's arithmetic against the compiler's own, on values that are hard. */
#include "datum.h"
#include "half.h"
#include "prng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(bool good, const char *what, double a, double b)
{
    if (good)
        return;
    fprintf(stderr, "%s is wrong for %.17g, %.17g\n", what, a, b);
    failures++;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof(a));
}

#ifdef __FLT16_MANT_DIG__
static void check_f16(double x)
{
    const _Float16 native = (_Float16)x;
    uint16_t bits;

    memcpy(&bits, &native, sizeof(bits));
    expect(same(f16_round(x), (double)native), "f16_round", x, 0);
    expect(isnan(x) || f16_bits(f16_round(x)) == bits, "f16_bits", x, 0);
    expect(same(f16_value(bits), (double)native), "f16_value", x, 0);
}
#else
static void check_f16(double x)
{
    expect(same(f16_value(f16_bits(f16_round(x))), f16_round(x)), "f16_round", x, 0);
}
#endif

static void check_bf16(float x)
{
    uint32_t bits, rounded;
    float native;

    memcpy(&bits, &x, sizeof(bits));
    rounded = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&native, &rounded, sizeof(native));
    expect(isnan(x) || same(bf16_round(x), native), "bf16_round", x, 0);
    expect(isnan(x) || bf16_bits(bf16_round(x)) == rounded >> 16, "bf16_bits", x, 0);
    expect(isnan(x) || same(bf16_value((uint16_t)(rounded >> 16)), native), "bf16_value", x, 0);
}

static void check_floats(struct prng *prng)
{
    const uint64_t bits = prng_next(prng);
    const uint32_t low = (uint32_t)bits;
    double wide;
    float narrow;

    memcpy(&wide, &bits, sizeof(wide));
    memcpy(&narrow, &low, sizeof(narrow));
    check_bf16(narrow);
    check_f16(narrow);
    check_f16(ldexp((double)prng_range(prng, -4000000, 4000000), (int)prng_range(prng, -45, -5)));
    struct blame blame = {0};
    const struct datum sum =
        datum_binary(OP_ADD, datum_real(TYPE_F32, narrow), datum_real(TYPE_F32, 0.1f), &blame);
    expect(same(sum.real, narrow + 0.1f), "f32 +", narrow, 0.1);
    expect(same(datum_convert(datum_real(TYPE_F64, wide), TYPE_F32, &blame).real, (float)wide), "f32()", wide,
           0);
}

static void check_integers(struct prng *prng)
{
    const int8_t a = (int8_t)prng_next(prng), b = (int8_t)prng_next(prng);
    const uint32_t u = (uint32_t)prng_next(prng), v = (uint32_t)prng_next(prng);
    struct blame blame = {0};
    const struct datum da = datum_integer(TYPE_I8, a), db = datum_integer(TYPE_I8, b);
    const struct datum du = datum_integer(TYPE_U32, u), dv = datum_integer(TYPE_U32, v);

    expect(datum_binary(OP_MUL, da, db, &blame).integer == a * b, "i8 *", a, b);
    expect(datum_convert(datum_binary(OP_ADD, da, db, &blame), TYPE_I8, &blame).integer == (int8_t)(a + b),
           "i8 +", a, b);
    expect(b == 0 || datum_binary(OP_MOD, da, db, &blame).integer == a % b, "i8 %", a, b);
    expect(datum_binary(OP_SUB, du, dv, &blame).integer == (int64_t)(uint32_t)(u - v), "u32 -", u, v);
    expect(datum_binary(OP_LT, da, du, &blame).integer == ((uint32_t)a < u), "i8 < u32", a, u);
    expect(datum_convert(du, TYPE_F32, &blame).real == (float)u, "f32(u32)", u, 0);
    expect(!blame.reason, "defined arithmetic", a, b);
}

static void check_blame(void)
{
    const struct datum most = datum_integer(TYPE_I32, INT32_MAX), one = datum_integer(TYPE_I32, 1);
    struct blame blame = {0};

    expect(datum_binary(OP_ADD, most, one, &blame).integer == INT32_MIN, "wrapping", INT32_MAX, 1);
    expect(blame.reason != NULL, "overflow", INT32_MAX, 1);
    blame.reason = NULL;
    datum_binary(OP_DIV, one, datum_integer(TYPE_I32, 0), &blame);
    expect(blame.reason != NULL, "division by zero", 1, 0);
    blame.reason = NULL;
    datum_convert(datum_real(TYPE_F64, 3e10), TYPE_I32, &blame);
    expect(blame.reason != NULL, "conversion out of range", 3e10, 0);
}

int main(void)
{
    struct prng prng = {.state = 7};

    for (int k = 0; k < 100000; k++) {
        check_floats(&prng);
        check_integers(&prng);
    }
    check_blame();
    return failures ? 1 : 0;
}
