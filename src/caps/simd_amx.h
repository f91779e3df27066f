/* The tiles of AMX: eight registers of up to 16 rows of 64 bytes. Part of caps/simd_avx512.c. Source: Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 1, chapter 18. */
#ifndef CAPS_SIMD_AMX_H
#define CAPS_SIMD_AMX_H

#include "caps/simd_sets.h"

/* clang-format off */

#define AMX_HELPERS                                                                                                   \
    HELPER_AS_IS("tile_shape", "x86/tile_shape"), HELPER_AS_IS("tile_at", "x86/tile_at"),                             \
    HELPER_AS_IS("tile_of", "x86/tile_of"), HELPER_AS_IS("tile_part", "x86/tile_part"),                               \
    HELPER_AS_IS("may_use_tiles", "x86/may_use_tiles")

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
    .values = {".palette = 1, .bytes = {{b}},", ".rows = {{c}}"},
    .begin = "_tile_loadconfig(&{a});",
    .end = "_tile_release();",
    .test = "may_use_tiles()",
    .product = amx_products,
    .n_product = SIMD_COUNT(amx_products),
};

#endif
