/* sin, cos and pow in vectors, as approximations: the helpers that rows call.
 *
 * What is left of a after n times pi / 2 is right to its last place. Fused operations leave no error in the product
 * with the first part of pi / 2, since the difference fits a number; other sets compute that of f32 in f64, and that of
 * f64 by parts whose products with n are exact. The polynomials are Cephes'. pow of f32 is computed in f64; that of f64
 * would need more digits than there are. Where a lane is too large, or not of the kind that has such a form, the
 * library computes all of them (NAME_each_LANES, target/clike/vector/each.c). tests/self/functions holds them to the
 * errors that they name.
 */
#ifndef CAPS_SIMD_TRIG_H
#define CAPS_SIMD_TRIG_H

#include "caps/simd_math_parts.h"

/* clang-format off */

#define TRIG_ROWS(n) [VECTOR_SIN] = "sin_" n "({a})", [VECTOR_COS] = "cos_" n "({a})"
#define POW_ROW(n) [VECTOR_POW] = "pow_" n "({a}, {b})"

/* By the quarter of the circle, the last bits of sum: cos is sin a quarter further. near: what is not too large. left
 * computes x. each: lanes and type in the names of functions that call the library. */
#define TRIG(function, s, t, name, each, most, near, rounder, to_n, left, quarter, series)                            \
    {function "_" name,                                                                                               \
     MATH_HEAD(s, t, function "_" name, most)                                                                         \
     "    /* what is added to it is rounded */\n"                                                                     \
     MATH_NEW(s, CONSTANT, t, "rounder", MATH(s, ALL, t, rounder))                                                    \
     MATH_NEW(s, MASK, t, "near", MATH(s, LE, t, MATH(s, ABS, t, "a"), MATH(s, ALL, t, near)))                        \
     "\n    if (" MATH(s, NOT_ALL, t, "near") ")\n        return " function "_each_" each "(a);\n"                    \
     MATH_NEW(s, TYPE, t, "sum", MATH(s, MADD, t, "a", MATH(s, ALL, t, to_n), "rounder"))                             \
     MATH_NEW(s, TYPE, t, "n", MATH(s, SUB, t, "sum", "rounder"))                                                     \
     MATH_NEW(s, INTS, t, "quarter", quarter) MATH_NEW(s, INTS, t, "sign", MATH(s, SHR, t, "quarter", "1")) left      \
     MATH_NEW(s, TYPE, t, "z", MATH(s, MUL, t, "x", "x")) series                                                      \
     MATH_NEW(s, TYPE, t, "y", MATH(s, SELECT, t, MATH(s, BIT_0, t, "quarter"), "cosine", "sine"))                    \
     "\n" MATH_RETURN(MATH(s, TURN, t, "y", "sign")) "}\n"}
#define TRIG_SIN_QUARTER(s, t) MATH(s, BITS, t, "sum")
#define TRIG_COS_QUARTER(s, t) MATH(s, IADD, t, MATH(s, BITS, t, "sum"), MATH(s, IALL, t, "1"))

/* The end of the two series; + 0: the sine of -0 is -0. */
#define TRIG_END(s, t, zero, one)                                                                                     \
    MATH_TERM(s, t, "sine", "z", zero) MATH_SET("sine", MATH(s, MADD, t, "sine", "x", "x"))                           \
    MATH_TERM(s, t, "cosine", "z", one)

#define TRIG_SERIES_32(s, t)                                                                                          \
    MATH_START(s, t, "sine", "z", "-1.9515295891e-4f", "8.3321608736e-3f")                                            \
    MATH_START(s, t, "cosine", "z", "2.443315711809948e-5f", "-1.388731625493765e-3f") "\n"                           \
    MATH_TERM(s, t, "sine", "z", "-1.6666654611e-1f") MATH_TERM(s, t, "cosine", "z", "4.166664568298827e-2f")         \
    MATH_TERM(s, t, "cosine", "z", "-0.5f") TRIG_END(s, t, "0.0f", "1.0f")
#define TRIG_SERIES_64(s, t)                                                                                          \
    MATH_START(s, t, "sine", "z", "1.58962301576546568060e-10", "-2.50507477628578072866e-8")                         \
    MATH_START(s, t, "cosine", "z", "-1.13585365213876817300e-11", "2.08757008419747316778e-9") "\n"                  \
    MATH_TERM(s, t, "sine", "z", "2.75573136213857245213e-6")                                                         \
    MATH_TERM(s, t, "sine", "z", "-1.98412698295895385996e-4")                                                        \
    MATH_TERM(s, t, "sine", "z", "8.33333333332211858878e-3")                                                         \
    MATH_TERM(s, t, "sine", "z", "-1.66666666666666307295e-1")                                                        \
    MATH_TERM(s, t, "cosine", "z", "-2.75573141792967388112e-7")                                                      \
    MATH_TERM(s, t, "cosine", "z", "2.48015872888517045348e-5")                                                       \
    MATH_TERM(s, t, "cosine", "z", "-1.38888888888730564116e-3")                                                      \
    MATH_TERM(s, t, "cosine", "z", "4.16666666666665929218e-2") MATH_TERM(s, t, "cosine", "z", "-0.5")                \
    TRIG_END(s, t, "0.0", "1.0")

/* By fused operations. */
#define TRIG_LEFT(s, t, pi_1, pi_2, pi_3)                                                                             \
    MATH_LESS(s, t, "left", "n", pi_1, "a") MATH_LESS(s, t, "more", "n", pi_2, "left")                                \
    MATH_LESS(s, t, "x", "n", pi_3, "more")
#define TRIG_LEFT_32(s, t) TRIG_LEFT(s, t, "1.57079637f", "-4.37113883e-8f", "-1.71512489e-15f")
#define TRIG_LEFT_64(s, t)                                                                                            \
    TRIG_LEFT(s, t, "1.5707963267948966", "6.1232339957367660e-17", "-1.4973849048591833e-33")

/* By others: functions. d: the type of halves in f64. */
#define LEFT_HEAD(s, t, name)                                                                                         \
    "/* a - n pi / 2 */\n" MATH(s, INLINE) MATH(s, TYPE, t) " left_" name "(" MATH(s, TYPE, t) " a, " MATH(s, TYPE, t)\
    " n)\n{\n"
#define LEFT_HALF(s, t, d, half, HALF)                                                                                \
    MATH_NEW(s, TYPE, d, half "_n", MATH(s, HALF, t, "n"))                                                            \
    MATH_LESS(s, d, half, half "_n", "1.57079632673412561417e+00", MATH(s, HALF, t, "a"))                             \
    MATH_LESS(s, d, half "_x", half "_n", "6.07710050650619224932e-11", half)
#define LEFT_32(s, t, d, name)                                                                                        \
    {"left_" name,                                                                                                    \
     LEFT_HEAD(s, t, name) LEFT_HALF(s, t, d, "low", LOW) LEFT_HALF(s, t, d, "high", HIGH)                            \
     "\n" MATH_RETURN(MATH(s, JOIN, t, "low_x", "high_x")) "}\n"}
/* What a difference loses is exact, too. */
#define LEFT_64(s, t, name)                                                                                           \
    {"left_" name,                                                                                                    \
     LEFT_HEAD(s, t, name) MATH_LESS(s, t, "x", "n", "1.57079632673412561417e+00", "a")                               \
     MATH_NEW(s, TYPE, t, "part_2", MATH(s, MUL, t, "n", MATH(s, ALL, t, "6.07710050630396597660e-11")))              \
     MATH_NEW(s, TYPE, t, "x_2", MATH(s, SUB, t, "x", "part_2"))                                                      \
     MATH_NEW(s, TYPE, t, "lost_2", MATH(s, SUB, t, MATH(s, PART, MATH(s, SUB, t, "x", "x_2")), "part_2"))            \
     MATH_NEW(s, TYPE, t, "part_3", MATH(s, MUL, t, "n", MATH(s, ALL, t, "2.02226624871116645580e-21")))              \
     MATH_NEW(s, TYPE, t, "x_3", MATH(s, SUB, t, "x_2", "part_3"))                                                    \
     MATH_NEW(s, TYPE, t, "lost_3", MATH(s, SUB, t, MATH(s, PART, MATH(s, SUB, t, "x_2", "x_3")), "part_3"))          \
     MATH_NEW(s, TYPE, t, "lost", MATH(s, ADD, t, "lost_2", "lost_3"))                                                \
     MATH_NEW(s, TYPE, t, "part_4", MATH(s, MUL, t, "n", MATH(s, ALL, t, "8.47842766036889956997e-32")))              \
     "\n" MATH_RETURN(MATH(s, SUB, t, "x_3", MATH(s, PART, MATH(s, SUB, t, "part_4", "lost")))) "}\n"}
#define TRIG_CALL_LEFT(s, t, name) MATH_NEW(s, TYPE, t, "x", "left_" name "(a, n)")

/* Of lanes whose a is positive. d, wide: the type of halves in f64. */
#define POW_32(s, t, d, name, each, wide)                                                                             \
    {"pow_" name,                                                                                                     \
     "/* at most 0.6 units in the last place off */\n" MATH(s, INLINE) MATH(s, TYPE, t)                               \
     " pow_" name "(" MATH(s, TYPE, t) " a, " MATH(s, TYPE, t) " b)\n{\n"                                             \
     MATH_NEW(s, TYPE, t, "inf", MATH(s, FULL, t, "INFINITY"))                                                        \
     MATH_NEW(s, MASK, t, "positive", MATH(s, LT, t, MATH(s, ZERO, t), "a"))                                          \
     MATH_NEW(s, MASK, t, "finite", MATH(s, AND, t, MATH(s, PART, MATH(s, LT, t, "a", "inf")),                        \
                                         MATH(s, PART, MATH(s, LT, t, MATH(s, ABS, t, "b"), "inf"))))                 \
     MATH_NEW(s, MASK, t, "proper", MATH(s, AND, t, "positive", "finite"))                                            \
     "\n    if (" MATH(s, NOT_ALL, t, "proper") ")\n        return pow_each_" each "(a, b);\n"                        \
     MATH_NEW(s, TYPE, d, "low", "log_" wide "(" MATH(s, LOW, t, "a") ")")                                            \
     MATH_NEW(s, TYPE, d, "high", "log_" wide "(" MATH(s, HIGH, t, "a") ")")                                          \
     MATH_NEW(s, TYPE, d, "x", "exp_" wide "(" MATH(s, MUL, d, MATH(s, LOW, t, "b"), "low") ")")                      \
     MATH_NEW(s, TYPE, d, "y", "exp_" wide "(" MATH(s, MUL, d, MATH(s, HIGH, t, "b"), "high") ")")                    \
     "\n" MATH_RETURN(MATH(s, JOIN, t, "x", "y")) "}\n"}

/* Both functions; beyond near, n has no room in its digits. */
#define TRIG_PAIR(s, t, name, each, most, near, rounder, to_n, left, series)                                          \
    TRIG("sin", s, t, name, each, most, near, rounder, to_n, left, TRIG_SIN_QUARTER(s, t), series),                   \
        TRIG("cos", s, t, name, each, most, near, rounder, to_n, left, TRIG_COS_QUARTER(s, t), series)
#define TRIG_32(s, t, name, each, left)                                                                               \
    TRIG_PAIR(s, t, name, each, "1.6", "65536.0f", "12582912.0f", "0.636619772f", left, TRIG_SERIES_32(s, t))
#define TRIG_64(s, t, name, each, near, left)                                                                         \
    TRIG_PAIR(s, t, name, each, "1.6", near, "0x1.8p52", "0.63661977236758138", left, TRIG_SERIES_64(s, t))

#define TRIG_FUSED(s, n, m)                                                                                           \
    TRIG_32(s, F32, n, n, TRIG_LEFT_32(s, F32)), TRIG_64(s, F64, m, m, "0x1p30", TRIG_LEFT_64(s, F64)),               \
        POW_32(s, F32, F64, n, n, m)
#define TRIG_SPLIT(s, t, d, n, m, each, each_m)                                                                       \
    LEFT_32(s, t, d, n), LEFT_64(s, d, m), TRIG_32(s, t, n, each, TRIG_CALL_LEFT(s, t, n)),                           \
        TRIG_64(s, d, m, each_m, "0x1p20", TRIG_CALL_LEFT(s, d, m)), POW_32(s, t, d, n, each, m)

#endif
