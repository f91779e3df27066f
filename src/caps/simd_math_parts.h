/* What functions of f32 and f64 share: lines of their text, and the parts that sets without instructions for exponents
 * compute by the bits of numbers.
 */
#ifndef CAPS_SIMD_MATH_PARTS_H
#define CAPS_SIMD_MATH_PARTS_H

#include "caps/simd_math_ops.h"

/* clang-format off */

#define MATH_HEAD(s, t, name, most)                                                                                   \
    "/* at most " most " units in the last place off */\n"                                                            \
    MATH(s, INLINE) MATH(s, TYPE, t) " " name "(" MATH(s, TYPE, t) " a)\n{\n"
#define MATH_NEW(s, kind, t, name, value) "    const " MATH(s, kind, t) " " name " = " value ";\n"
#define MATH_SET(y, value) "    " y " = " value ";\n"
#define MATH_RETURN(value) "    return " value ";\n"
/* y = first x + second, y = y x + c; y = a - n c */
#define MATH_START(s, t, y, x, first, second)                                                                         \
    "    " MATH(s, TYPE, t) " " y " = "                                                                               \
    MATH(s, MADD, t, MATH(s, ALL, t, first), x, MATH(s, ALL, t, second)) ";\n"
#define MATH_FIRST(s, t, y, x, first, second) MATH_START(s, t, y, x, first, second) "\n"
#define MATH_TERM(s, t, y, x, c) MATH_SET(y, MATH(s, MADD, t, y, x, MATH(s, ALL, t, c)))
#define MATH_LESS(s, t, y, n, c, a) MATH_NEW(s, TYPE, t, y, MATH(s, NMADD, t, n, MATH(s, ALL, t, c), a))

/* n, a over ln 2, rounded. The last bits of sum are those of n and of two exponents of 1: halved, they are those of two
 * factors, the product of which is 2^n and subnormal where that is. */
#define EXP_ROUND(s, t, rounder, least, most, log2_e)                                                                 \
    "    /* what is added to it is rounded */\n"                                                                      \
    MATH_NEW(s, CONSTANT, t, "rounder", MATH(s, ALL, t, rounder))                                                     \
    MATH_NEW(s, TYPE, t, "near", MATH(s, MOST, t, least, MATH(s, LEAST, t, most, "a")))                               \
    MATH_NEW(s, TYPE, t, "sum", MATH(s, MADD, t, "near", MATH(s, ALL, t, log2_e), "rounder"))                         \
    MATH_NEW(s, TYPE, t, "n", MATH(s, SUB, t, "sum", "rounder"))                                                      \
    "    /* exponents, in their last bits, of factors the product of which is 2^n */\n"                               \
    MATH_NEW(s, INTS, t, "both", MATH(s, BITS, t, "sum")) MATH_NEW(s, INTS, t, "half", MATH(s, SHR, t, "both", "1"))  \
    MATH_NEW(s, INTS, t, "other", MATH(s, ISUB, t, "both", "half"))
#define EXP_SCALE(s, t, digits)                                                                                       \
    MATH_SET("y", MATH(s, MUL, t, "y", MATH(s, NUMBER, t, MATH(s, SHL, t, "half", digits))))                          \
    MATH_RETURN(MATH(s, MUL, t, "y", MATH(s, NUMBER, t, MATH(s, SHL, t, "other", digits))))

/* a = 2^e m by bits, and of up times a where a is subnormal. What is between the bits of sqrt(1/2), root, and of 1 is
 * added to them: then they are an exponent, and how far m is above sqrt(1/2). The exponent becomes a number as the last
 * bits of a power of two. */
#define LOG_BITS(s, t, tiny, up, between, low, root, digits, power, bias_up, bias)                                    \
    MATH_NEW(s, TYPE, t, "zero", MATH(s, ZERO, t)) MATH_NEW(s, TYPE, t, "inf", MATH(s, FULL, t, "INFINITY"))          \
    MATH_NEW(s, MASK, t, "tiny", MATH(s, LT, t, "a", MATH(s, ALL, t, tiny)))                                          \
    MATH_NEW(s, TYPE, t, "up", MATH(s, MUL, t, "a", MATH(s, ALL, t, up)))                                             \
    MATH_NEW(s, INTS, t, "bits", MATH(s, BITS, t, MATH(s, SELECT, t, "tiny", "up", "a")))                             \
    MATH_NEW(s, INTS, t, "moved", MATH(s, IADD, t, "bits", MATH(s, IALL, t, between)))                                \
    MATH_NEW(s, INTS, t, "above", MATH(s, IAND, t, "moved", MATH(s, IALL, t, low)))                                   \
    MATH_NEW(s, TYPE, t, "m", MATH(s, NUMBER, t, MATH(s, IADD, t, "above", MATH(s, IALL, t, root))))                  \
    MATH_NEW(s, INTS, t, "exponent", MATH(s, SHR, t, "moved", digits))                                                \
    MATH_NEW(s, TYPE, t, "sum", MATH(s, NUMBER, t, MATH(s, IOR, t, "exponent", MATH(s, IALL, t, power))))             \
    MATH_NEW(s, TYPE, t, "bias", MATH(s, SELECT, t, "tiny", MATH(s, FULL, t, bias_up), MATH(s, FULL, t, bias)))       \
    MATH_NEW(s, TYPE, t, "e", MATH(s, SUB, t, "sum", "bias"))
#define LOG_SPECIAL(s, t)                                                                                             \
    MATH_SET("y", MATH(s, SELECT, t, MATH(s, LT, t, "zero", "a"), "y", MATH(s, FULL, t, "NAN")))                      \
    MATH_SET("y", MATH(s, SELECT, t, MATH(s, EQ, t, "a", "zero"), MATH(s, SUB, t, "zero", "inf"), "y"))               \
    MATH_RETURN(MATH(s, SELECT, t, MATH(s, EQ, t, "a", "inf"), "inf", "y"))

/* Of tanh: x is the size of a, y what multiplies x^3. */
#define TANH_FAR(s, t, name, one, two)                                                                                \
    MATH_NEW(s, TYPE, t, "e", "exp_" name "(" MATH(s, ADD, t, "x", "x") ")")                                          \
    MATH_NEW(s, TYPE, t, "more", MATH(s, ADD, t, "e", MATH(s, ALL, t, one)))                                          \
    MATH_NEW(s, TYPE, t, "part", MATH(s, DIV, t, MATH(s, ALL, t, two), "more"))                                       \
    MATH_NEW(s, TYPE, t, "far", MATH(s, SUB, t, MATH(s, ALL, t, one), "part"))
#define TANH_END(s, t, least)                                                                                         \
    MATH_SET("y", MATH(s, MADD, t, MATH(s, MUL, t, "y", "z"), "x", "x"))                                              \
    MATH_SET("y", MATH(s, SELECT, t, MATH(s, LT, t, "x", MATH(s, ALL, t, least)), "y", "far"))                        \
    MATH_RETURN(MATH(s, SIGNED, t, "y", "a")) "}\n"

#endif
