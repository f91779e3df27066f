/* The tiles of AMX: eight registers of up to 16 rows of 64 bytes. Part of caps/simd_avx512.c. Source: Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 1, chapter 18. */
#ifndef CAPS_SIMD_AMX_H
#define CAPS_SIMD_AMX_H

#include "caps/simd_sets.h"

/* clang-format off */

#define AMX_HELPERS                                                                                                   \
    {"tile_shape",                                                                                                    \
     "/* how many rows the registers of tiles have, and of how many bytes */\n"                                       \
     "struct tile_shape {\n    uint8_t palette, start, unused[14];\n    uint16_t bytes[16];\n"                        \
     "    uint8_t rows[16];\n};\n"},                                                                                  \
    {"tile_at",                                                                                                       \
     "/* gcc does not see that tiles are loaded from memory: what was stored there is to be there */\n"               \
     "static inline const void *tile_at(const void *tile)\n{\n"                                                       \
     "    __asm__ volatile(\"\" ::: \"memory\");\n    return tile;\n}\n"},                                      \
    {"tile_of",                                                                                                       \
     "/* a part of a tile, rows of so many bytes that are distance bytes apart, with zeros around it; not in\n"        \
     " * line, so that loops over whole tiles have the registers */\n"                                               \
     "__attribute__((noinline)) static const void *tile_of(char tile[1024], const void *part,\n"                      \
     "                                                     int64_t distance, int64_t rows,\n"                         \
     "                                                     int64_t bytes)\n{\n"                                       \
     "    for (int64_t r = 0; r < 16; r++) {\n"                                                                       \
     "        const __m512i row = r < rows ? _mm512_maskz_loadu_epi8(lanes_64(bytes),\n"                              \
     "                                                               (const char *)part + r * distance)\n"            \
     "                                     : _mm512_setzero_si512();\n"                                               \
     "        _mm512_storeu_si512((void *)(tile + 64 * r), row);\n    }\n"                                            \
     "    return tile_at(tile);\n}\n"},                                                                               \
    {"tile_part",                                                                                                     \
     "/* the part of a tile goes to rows that are distance bytes apart */\n"                                          \
     "__attribute__((noinline)) static void tile_part(void *part, int64_t distance,\n"                                \
     "                                                const char tile[1024], int64_t rows,\n"                         \
     "                                                int64_t bytes)\n{\n"                                            \
     "    for (int64_t r = 0; r < 16 && r < rows; r++)\n"                                                             \
     "        _mm512_mask_storeu_epi8((char *)part + r * distance, lanes_64(bytes),\n"                                \
     "                                _mm512_loadu_si512((const void *)(tile + 64 * r)));\n}\n"},                     \
    {"may_use_tiles",                                                                                                 \
     "#ifdef __linux__\n#include <sys/syscall.h>\nlong syscall(long number, ...);\n#endif\n\n"                        \
     "/* does the processor have tiles, and may the process use them? Linux wants to be asked */\n"                   \
     "static int may_use_tiles(void)\n{\n"                                                                            \
     "#ifdef __linux__\n"                                                                                             \
     "    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };\n"                                          \
     "    static _Atomic int granted;\n\n"                                                                            \
     "    if (!granted)\n"                                                                                            \
     "        granted = syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;\n"                     \
     "    return granted;\n"                                                                                          \
     "#else\n    return 1;\n#endif\n}\n"}

#define AMX_NEEDS                                                                                                     \
    {"_tile_", "-mamx-tile"},                                                                                         \
    {"_tile_dpbss", "-mamx-int8"}, {"_tile_dpbsu", "-mamx-int8"}, {"_tile_dpbus", "-mamx-int8"},                      \
    {"_tile_dpbuu", "-mamx-int8"}, {"_tile_dpbf16", "-mamx-bf16"},                                                    \
    {"_loadu_epi8(", "-mavx512bw"}, {"_storeu_epi8(", "-mavx512bw"}

static const struct simd_product amx_products[] = {
    {TYPE_U8, TYPE_I8, TYPE_I32, 4, "_tile_dpbusd({a}, {b}, {c});", NULL},
    {TYPE_I8, TYPE_I8, TYPE_I32, 4, "_tile_dpbssd({a}, {b}, {c});", NULL},
    {TYPE_I8, TYPE_U8, TYPE_I32, 4, "_tile_dpbsud({a}, {b}, {c});", NULL},
    {TYPE_U8, TYPE_U8, TYPE_I32, 4, "_tile_dpbuud({a}, {b}, {c});", NULL},
    {TYPE_BF16, TYPE_BF16, TYPE_F32, 2, "_tile_dpbf16ps({a}, {b}, {c});",
     "the products of a pair are added up by themselves, and subnormal numbers are zeros"},
};

static const struct simd_tiles amx_tiles = {
    .number = 8,
    .rows = 16,
    .bytes = 64,
    .load = "_tile_loadd({a}, {p}, {b});",
    .load_stored = "_tile_loadd({a}, tile_at({p}), {b});",
    .load_part = "_tile_loadd({a}, tile_of(tile, {p}, {b}, {c}, {m}), 64);",
    .store = "_tile_stored({a}, {p}, {b});",
    .store_part = {"_tile_stored({a}, tile, 64);", "tile_part({p}, {b}, tile, {c}, {m});"},
    .zero = "_tile_zero({a});",
    .buffer = "char tile[1024];",
    .shape = "struct tile_shape",
    .values = ".palette = 1, .bytes = {{b}}, .rows = {{c}}",
    .begin = "_tile_loadconfig(&{a});",
    .end = "_tile_release();",
    .test = "may_use_tiles()",
    .product = amx_products,
    .n_product = SIMD_COUNT(amx_products),
};

#endif
