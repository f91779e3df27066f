/* Groups of 2, 3 or 4 neighbours a lane, for SSE and AVX2: functions that take them apart and put them together.
 *
 * Of registers of 32 bytes one half is for the first lanes and one for the last, so that shuffles stay in halves.
 */
#ifndef CAPS_SIMD_GROUPS_H
#define CAPS_SIMD_GROUPS_H

#include "caps/simd_sets.h"

/* clang-format off */

#define GROUPS(name)                                                                                                  \
    [VECTOR_LOAD_PART] = "load_{a}_of_{c}_" name "({p})", [VECTOR_STORE_PARTS] = "store_{c}_" name "({p}, {a})"
/* The same of integers as wide. */
#define GROUPS_AS(name, element, to_int, to_float)                                                                    \
    [VECTOR_LOAD_PART] = to_int "(load_{a}_of_{c}_" name "((const " element " *){p}))",                               \
    [VECTOR_STORE_PARTS] = "store_{c}_" name "((" element " *){p}, {a})", [VECTOR_AS_PART] = to_float "({a})"

#define MEMBER_0 ""
#define MEMBER_1 " + 1"
#define MEMBER_2 " + 2"
#define MEMBER_3 " + 3"
/* The member m of n; body: what follows the declarations of the registers. */
#define LOAD_PART(m, n, type, element, name, registers, value)                                                        \
    {"load_" #m "_of_" #n "_" name,                                                                                   \
     "/* p[" #n " * k" MEMBER_##m "] in lane k */\n"                                                                  \
     "static inline " type " load_" #m "_of_" #n "_" name "(const " element " *p)\n{\n" registers value "}\n"}
#define STORE_PARTS(n, type, element, name, more, body)                                                               \
    {"store_" #n "_" name, "/* " #n " vectors, lane by lane in turn */\nstatic inline void store_" #n "_" name "("    \
                           element " *p, " type " a, " type " b" more ")\n{\n" body "}\n"}

#define SHUFFLE_PS(prefix, x, y, l) prefix "shuffle_ps(" x ", " y ", _MM_SHUFFLE(" l "))"
#define RETURN(value) "    return " value ";\n"
#define LET(type, name, value) "    const " type " " name " = " value ";\n"

/* R(k, n): the register of the k-th neighbours in 4 (PS) or 2 (PD) lanes, and, n of them further, in 4 (2) others. */
#define LET_R(type, R, name, k, n) LET(type, name, R(k, n))
#define R2(type, R) LET_R(type, R, "r0", 0, 2) LET_R(type, R, "r1", 1, 2) "\n"
#define R3(type, R) LET_R(type, R, "r0", 0, 3) LET_R(type, R, "r1", 1, 3) LET_R(type, R, "r2", 2, 3)
#define R4(type, R, x, y) LET_R(type, R, "r" #x, x, 4) LET_R(type, R, "r" #y, y, 4)
#define XY(type, prefix) LET(type, "xy", SHUFFLE_PS(prefix, "r1", "r2", "2, 1, 3, 2"))
#define YZ(type, prefix) LET(type, "yz", SHUFFLE_PS(prefix, "r0", "r1", "1, 0, 2, 1"))

#define LOAD_4_PS(m, type, name, prefix, R, half, ends)                                                               \
    LOAD_PART(m, 4, type, "float", name, R4(type, R, 0, 1) R4(type, R, 2, 3)                                          \
              LET(type, "first", prefix "unpack" half "_ps(r0, r1)")                                                  \
              LET(type, "last", prefix "unpack" half "_ps(r2, r3)") "\n",                                             \
              RETURN(SHUFFLE_PS(prefix, "first", "last", ends)))

/* S(k, n, value): a statement that stores such a register. */
#define GROUPS_PS(type, name, prefix, R, S)                                                                           \
    LOAD_PART(0, 2, type, "float", name, R2(type, R), RETURN(SHUFFLE_PS(prefix, "r0", "r1", "2, 0, 2, 0"))),          \
    LOAD_PART(1, 2, type, "float", name, R2(type, R), RETURN(SHUFFLE_PS(prefix, "r0", "r1", "3, 1, 3, 1"))),          \
    LOAD_PART(0, 3, type, "float", name, R3(type, R) XY(type, prefix) "\n",                                           \
              RETURN(SHUFFLE_PS(prefix, "r0", "xy", "2, 0, 3, 0"))),                                                  \
    LOAD_PART(1, 3, type, "float", name, R3(type, R) XY(type, prefix) YZ(type, prefix) "\n",                          \
              RETURN(SHUFFLE_PS(prefix, "yz", "xy", "3, 1, 2, 0"))),                                                  \
    LOAD_PART(2, 3, type, "float", name, R3(type, R) YZ(type, prefix) "\n",                                           \
              RETURN(SHUFFLE_PS(prefix, "yz", "r2", "3, 0, 3, 1"))),                                                  \
    LOAD_4_PS(0, type, name, prefix, R, "lo", "1, 0, 1, 0"), LOAD_4_PS(1, type, name, prefix, R, "lo", "3, 2, 3, 2"), \
    LOAD_4_PS(2, type, name, prefix, R, "hi", "1, 0, 1, 0"), LOAD_4_PS(3, type, name, prefix, R, "hi", "3, 2, 3, 2"), \
    STORE_PARTS(2, type, "float", name, "",                                                                           \
                S(0, 2, prefix "unpacklo_ps(a, b)") S(1, 2, prefix "unpackhi_ps(a, b)")),                             \
    STORE_PARTS(3, type, "float", name, ", " type " c",                                                               \
                LET(type, "xy", SHUFFLE_PS(prefix, "a", "b", "2, 0, 2, 0"))                                           \
                LET(type, "yz", SHUFFLE_PS(prefix, "b", "c", "3, 1, 3, 1"))                                           \
                LET(type, "zx", SHUFFLE_PS(prefix, "c", "a", "3, 1, 2, 0")) "\n"                                      \
                S(0, 3, SHUFFLE_PS(prefix, "xy", "zx", "2, 0, 2, 0"))                                                 \
                S(1, 3, SHUFFLE_PS(prefix, "yz", "xy", "3, 1, 2, 0"))                                                 \
                S(2, 3, SHUFFLE_PS(prefix, "zx", "yz", "3, 1, 3, 1"))),                                               \
    STORE_PARTS(4, type, "float", name, ", " type " c, " type " d",                                                   \
                LET(type, "ab_first", prefix "unpacklo_ps(a, b)") LET(type, "ab_last", prefix "unpackhi_ps(a, b)")    \
                LET(type, "cd_first", prefix "unpacklo_ps(c, d)") LET(type, "cd_last", prefix "unpackhi_ps(c, d)")    \
                "\n" S(0, 4, SHUFFLE_PS(prefix, "ab_first", "cd_first", "1, 0, 1, 0"))                                \
                S(1, 4, SHUFFLE_PS(prefix, "ab_first", "cd_first", "3, 2, 3, 2"))                                     \
                S(2, 4, SHUFFLE_PS(prefix, "ab_last", "cd_last", "1, 0, 1, 0"))                                       \
                S(3, 4, SHUFFLE_PS(prefix, "ab_last", "cd_last", "3, 2, 3, 2")))

/* Two lanes a half; cross: shuffles to the first of one and the second of the other, first: the opposite. */
#define LO(prefix, x, y) prefix "unpacklo_pd(" x ", " y ")"
#define HI(prefix, x, y) prefix "unpackhi_pd(" x ", " y ")"
#define GROUPS_PD(type, name, prefix, cross, first, R, S)                                                             \
    LOAD_PART(0, 2, type, "double", name, R2(type, R), RETURN(LO(prefix, "r0", "r1"))),                               \
    LOAD_PART(1, 2, type, "double", name, R2(type, R), RETURN(HI(prefix, "r0", "r1"))),                               \
    LOAD_PART(0, 3, type, "double", name, LET_R(type, R, "r0", 0, 3) LET_R(type, R, "r1", 1, 3) "\n",                 \
              RETURN(prefix "shuffle_pd(r0, r1, " cross ")")),                                                        \
    LOAD_PART(1, 3, type, "double", name, LET_R(type, R, "r0", 0, 3) LET_R(type, R, "r2", 2, 3) "\n",                 \
              RETURN(prefix "shuffle_pd(r0, r2, " first ")")),                                                        \
    LOAD_PART(2, 3, type, "double", name, LET_R(type, R, "r1", 1, 3) LET_R(type, R, "r2", 2, 3) "\n",                 \
              RETURN(prefix "shuffle_pd(r1, r2, " cross ")")),                                                        \
    LOAD_PART(0, 4, type, "double", name, R4(type, R, 0, 2) "\n", RETURN(LO(prefix, "r0", "r2"))),                    \
    LOAD_PART(1, 4, type, "double", name, R4(type, R, 0, 2) "\n", RETURN(HI(prefix, "r0", "r2"))),                    \
    LOAD_PART(2, 4, type, "double", name, R4(type, R, 1, 3) "\n", RETURN(LO(prefix, "r1", "r3"))),                    \
    LOAD_PART(3, 4, type, "double", name, R4(type, R, 1, 3) "\n", RETURN(HI(prefix, "r1", "r3"))),                    \
    STORE_PARTS(2, type, "double", name, "", S(0, 2, LO(prefix, "a", "b")) S(1, 2, HI(prefix, "a", "b"))),            \
    STORE_PARTS(3, type, "double", name, ", " type " c", S(0, 3, LO(prefix, "a", "b"))                                \
                S(1, 3, prefix "shuffle_pd(c, a, " cross ")") S(2, 3, HI(prefix, "b", "c"))),                         \
    STORE_PARTS(4, type, "double", name, ", " type " c, " type " d", S(0, 4, LO(prefix, "a", "b"))                    \
                S(1, 4, LO(prefix, "c", "d")) S(2, 4, HI(prefix, "a", "b")) S(3, 4, HI(prefix, "c", "d")))

/* Where registers, and their second halves, are. */
#define P4_0 "p"
#define P4_1 "p + 4"
#define P4_2 "p + 8"
#define P4_3 "p + 12"
#define Q4_0_2 "p + 8"
#define Q4_1_2 "p + 12"
#define Q4_0_3 "p + 12"
#define Q4_1_3 "p + 16"
#define Q4_2_3 "p + 20"
#define Q4_0_4 "p + 16"
#define Q4_1_4 "p + 20"
#define Q4_2_4 "p + 24"
#define Q4_3_4 "p + 28"
#define P2_0 "p"
#define P2_1 "p + 2"
#define P2_2 "p + 4"
#define P2_3 "p + 6"
#define Q2_0_2 "p + 4"
#define Q2_1_2 "p + 6"
#define Q2_0_3 "p + 6"
#define Q2_1_3 "p + 8"
#define Q2_2_3 "p + 10"
#define Q2_0_4 "p + 8"
#define Q2_1_4 "p + 10"
#define Q2_2_4 "p + 12"
#define Q2_3_4 "p + 14"

#define LOAD_4F(k, n) "_mm_loadu_ps(" P4_##k ")"
#define STORE_4F(k, n, value) "    _mm_storeu_ps(" P4_##k ", " value ");\n"
#define LOAD_2D(k, n) "_mm_loadu_pd(" P2_##k ")"
#define STORE_2D(k, n, value) "    _mm_storeu_pd(" P2_##k ", " value ");\n"
#define LOAD_8F(k, n) "_mm256_loadu2_m128(" Q4_##k##_##n ", " P4_##k ")"
#define STORE_8F(k, n, value) "    _mm256_storeu2_m128(" Q4_##k##_##n ", " P4_##k ", " value ");\n"
#define LOAD_4D(k, n) "_mm256_loadu2_m128d(" Q2_##k##_##n ", " P2_##k ")"
#define STORE_4D(k, n, value) "    _mm256_storeu2_m128d(" Q2_##k##_##n ", " P2_##k ", " value ");\n"

#define GROUPS_4F GROUPS_PS("__m128", "4f", "_mm_", LOAD_4F, STORE_4F)
#define GROUPS_8F GROUPS_PS("__m256", "8f", "_mm256_", LOAD_8F, STORE_8F)
#define GROUPS_2D GROUPS_PD("__m128d", "2d", "_mm_", "2", "1", LOAD_2D, STORE_2D)
#define GROUPS_4D GROUPS_PD("__m256d", "4d", "_mm256_", "0xa", "0x5", LOAD_4D, STORE_4D)

#endif
