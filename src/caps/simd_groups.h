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

/* R(k, n): what loads the register of the k-th neighbours in 4 (PS) or 2 (PD) lanes, and, n of them further, in 4 (2)
 * others; S(k, n): what stores {a} there. */
#define LOADED_2(R) {"R0", R(0, 2)}, {"R1", R(1, 2)}
#define LOADED_3(R) {"R0", R(0, 3)}, {"R1", R(1, 3)}, {"R2", R(2, 3)}
#define LOADED_4(R) {"R0", R(0, 4)}, {"R1", R(1, 4)}, {"R2", R(2, 4)}, {"R3", R(3, 4)}
#define STORED_2(S) {"S0", S(0, 2)}, {"S1", S(1, 2)}
#define STORED_3(S) {"S0", S(0, 3)}, {"S1", S(1, 3)}, {"S2", S(2, 3)}
#define STORED_4(S) {"S0", S(0, 4)}, {"S1", S(1, 4)}, {"S2", S(2, 4)}, {"S3", S(3, 4)}
#define REGISTER(type, prefix) {"VECTOR", type}, {"P", prefix}

#define LOAD_OF_4(m, type, name, prefix, R, member, half, lanes)                                                      \
    HELPER("load_" #m "_of_4_" name, "x86/load_of_4_ps", REGISTER(type, prefix), LOADED_4(R), {"MEMBER", member},     \
           {"HALF", half}, {"LANES", lanes})
#define GROUPS_PS(type, name, prefix, R, S)                                                                           \
    HELPER("load_0_of_2_" name, "x86/load_of_2_ps", REGISTER(type, prefix), LOADED_2(R), {"MEMBER", ""},              \
           {"LANES", "2, 0, 2, 0"}),                                                                                  \
    HELPER("load_1_of_2_" name, "x86/load_of_2_ps", REGISTER(type, prefix), LOADED_2(R), {"MEMBER", " + 1"},          \
           {"LANES", "3, 1, 3, 1"}),                                                                                  \
    HELPER("load_0_of_3_" name, "x86/load_0_of_3_ps", REGISTER(type, prefix), LOADED_3(R)),                           \
    HELPER("load_1_of_3_" name, "x86/load_1_of_3_ps", REGISTER(type, prefix), LOADED_3(R)),                           \
    HELPER("load_2_of_3_" name, "x86/load_2_of_3_ps", REGISTER(type, prefix), LOADED_3(R)),                           \
    LOAD_OF_4(0, type, name, prefix, R, "", "lo", "1, 0, 1, 0"),                                                      \
    LOAD_OF_4(1, type, name, prefix, R, " + 1", "lo", "3, 2, 3, 2"),                                                  \
    LOAD_OF_4(2, type, name, prefix, R, " + 2", "hi", "1, 0, 1, 0"),                                                  \
    LOAD_OF_4(3, type, name, prefix, R, " + 3", "hi", "3, 2, 3, 2"),                                                  \
    HELPER("store_2_" name, "x86/store_2_ps", REGISTER(type, prefix), STORED_2(S)),                                   \
    HELPER("store_3_" name, "x86/store_3_ps", REGISTER(type, prefix), STORED_3(S)),                                   \
    HELPER("store_4_" name, "x86/store_4_ps", REGISTER(type, prefix), STORED_4(S))

/* Two lanes a half; cross: shuffles to the first of one and the second of the other, first: the opposite. */
#define LOAD_PD(m, n, type, name, R, member, x, y, picked)                                                            \
    HELPER("load_" #m "_of_" #n "_" name, "x86/load_pd", {"VECTOR", type}, {"N", #n}, {"MEMBER", member},             \
           {"X", "r" #x}, {"LOAD_X", R(x, n)}, {"Y", "r" #y}, {"LOAD_Y", R(y, n)}, {"PICKED", picked})
#define LO(prefix) prefix "unpacklo_pd({a}, {b})"
#define HI(prefix) prefix "unpackhi_pd({a}, {b})"
#define GROUPS_PD(type, name, prefix, cross, first, R, S)                                                             \
    LOAD_PD(0, 2, type, name, R, "", 0, 1, LO(prefix)), LOAD_PD(1, 2, type, name, R, " + 1", 0, 1, HI(prefix)),       \
    LOAD_PD(0, 3, type, name, R, "", 0, 1, prefix "shuffle_pd({a}, {b}, " cross ")"),                                 \
    LOAD_PD(1, 3, type, name, R, " + 1", 0, 2, prefix "shuffle_pd({a}, {b}, " first ")"),                             \
    LOAD_PD(2, 3, type, name, R, " + 2", 1, 2, prefix "shuffle_pd({a}, {b}, " cross ")"),                             \
    LOAD_PD(0, 4, type, name, R, "", 0, 2, LO(prefix)), LOAD_PD(1, 4, type, name, R, " + 1", 0, 2, HI(prefix)),       \
    LOAD_PD(2, 4, type, name, R, " + 2", 1, 3, LO(prefix)), LOAD_PD(3, 4, type, name, R, " + 3", 1, 3, HI(prefix)),   \
    HELPER("store_2_" name, "x86/store_2_pd", REGISTER(type, prefix), STORED_2(S)),                                   \
    HELPER("store_3_" name, "x86/store_3_pd", REGISTER(type, prefix), STORED_3(S), {"CROSS", cross}),                 \
    HELPER("store_4_" name, "x86/store_4_pd", REGISTER(type, prefix), STORED_4(S))

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
#define STORE_4F(k, n) "_mm_storeu_ps(" P4_##k ", {a})"
#define LOAD_2D(k, n) "_mm_loadu_pd(" P2_##k ")"
#define STORE_2D(k, n) "_mm_storeu_pd(" P2_##k ", {a})"
#define LOAD_8F(k, n) "_mm256_loadu2_m128(" Q4_##k##_##n ", " P4_##k ")"
#define STORE_8F(k, n) "_mm256_storeu2_m128(" Q4_##k##_##n ", " P4_##k ", {a})"
#define LOAD_4D(k, n) "_mm256_loadu2_m128d(" Q2_##k##_##n ", " P2_##k ")"
#define STORE_4D(k, n) "_mm256_storeu2_m128d(" Q2_##k##_##n ", " P2_##k ", {a})"

#define GROUPS_4F GROUPS_PS("__m128", "4f", "_mm_", LOAD_4F, STORE_4F)
#define GROUPS_8F GROUPS_PS("__m256", "8f", "_mm256_", LOAD_8F, STORE_8F)
#define GROUPS_2D GROUPS_PD("__m128d", "2d", "_mm_", "2", "1", LOAD_2D, STORE_2D)
#define GROUPS_4D GROUPS_PD("__m256d", "4d", "_mm256_", "0xa", "0x5", LOAD_4D, STORE_4D)

#endif
