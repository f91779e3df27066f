/* The registers of AMX's tiles, which Linux grants here at once: their functions, as the manual of the processor says
 * (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2), and what they must not be used for is an
 * error. */
#ifndef TILES_EMULATED
#define TILES_EMULATED

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

struct emulated_shape {
    uint8_t palette, start, unused[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};

static __thread struct emulated_shape emulated_shape;
static __thread uint8_t emulated_tile[8][16][64];

static inline void emulated_check(int holds)
{
    if (!holds)
        abort();
}

static inline void emulated_configure(const void *given)
{
    struct emulated_shape shape;

    memcpy(&shape, given, sizeof shape);
    emulated_check(shape.palette == 1 && shape.start == 0);
    for (int t = 0; t < 16; t++)
        emulated_check(shape.rows[t] <= 16 && shape.bytes[t] <= 64 && (t < 8 || shape.rows[t] == 0) &&
                       !shape.rows[t] == !shape.bytes[t]);
    emulated_shape = shape;
    memset(emulated_tile, 0, sizeof emulated_tile);
}

static inline void emulated_release(void)
{
    memset(&emulated_shape, 0, sizeof emulated_shape);
}

static inline void emulated_zero(int t)
{
    emulated_check(emulated_shape.rows[t] > 0);
    memset(emulated_tile[t], 0, sizeof emulated_tile[t]);
}

static inline void emulated_load(int t, const void *from, int64_t distance)
{
    emulated_zero(t);
    for (int r = 0; r < emulated_shape.rows[t]; r++)
        memcpy(emulated_tile[t][r], (const char *)from + r * distance, emulated_shape.bytes[t]);
}

static inline void emulated_store(int t, void *to, int64_t distance)
{
    emulated_check(emulated_shape.rows[t] > 0);
    for (int r = 0; r < emulated_shape.rows[t]; r++)
        memcpy((char *)to + r * distance, emulated_tile[t][r], emulated_shape.bytes[t]);
}

static inline void emulated_check_product(int c, int a, int b)
{
    const struct emulated_shape *shape = &emulated_shape;

    emulated_check(c != a && c != b && a != b && shape->rows[c] > 0 && shape->rows[c] == shape->rows[a] &&
                   shape->bytes[c] == shape->bytes[b] && shape->bytes[a] == 4 * shape->rows[b]);
}

static inline int emulated_byte(uint8_t byte, int is_signed)
{
    return is_signed ? (int8_t)byte : byte;
}

static inline void emulated_bytes(int c, int a, int b, int a_signed, int b_signed)
{
    emulated_check_product(c, a, b);
    for (int m = 0; m < emulated_shape.rows[c]; m++)
        for (int k = 0; k < emulated_shape.rows[b]; k++)
            for (int n = 0; n < emulated_shape.bytes[c] / 4; n++) {
                uint32_t sum;
                memcpy(&sum, &emulated_tile[c][m][4 * n], 4);
                for (int q = 0; q < 4; q++)
                    sum += (uint32_t)(emulated_byte(emulated_tile[a][m][4 * k + q], a_signed) *
                                      emulated_byte(emulated_tile[b][k][4 * n + q], b_signed));
                memcpy(&emulated_tile[c][m][4 * n], &sum, 4);
            }
}

/* The float of which a bf16 is the upper half; subnormal numbers are zeros. */
static inline float emulated_bf16(const uint8_t *half)
{
    uint16_t bits;
    uint32_t all;
    float value;

    memcpy(&bits, half, 2);
    all = (uint32_t)bits << 16;
    memcpy(&value, &all, 4);
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

static inline float emulated_normal(float value)
{
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

/* The products of first numbers of pairs, and those of second ones, are added up by themselves, not rounded before. */
static inline void emulated_pairs(int c, int a, int b)
{
    emulated_check_product(c, a, b);
    for (int m = 0; m < emulated_shape.rows[c]; m++)
        for (int n = 0; n < emulated_shape.bytes[c] / 4; n++) {
            float part[2] = {0, 0}, sum;
            for (int k = 0; k < emulated_shape.rows[b]; k++)
                for (int q = 0; q < 2; q++)
                    part[q] = emulated_normal(fmaf(emulated_bf16(&emulated_tile[a][m][4 * k + 2 * q]),
                                                   emulated_bf16(&emulated_tile[b][k][4 * n + 2 * q]), part[q]));
            memcpy(&sum, &emulated_tile[c][m][4 * n], 4);
            sum = emulated_normal(emulated_normal(sum) + emulated_normal(part[0] + part[1]));
            memcpy(&emulated_tile[c][m][4 * n], &sum, 4);
        }
}

#undef _tile_loadd
#undef _tile_stored
#undef _tile_zero
#undef _tile_dpbusd
#undef _tile_dpbssd
#undef _tile_dpbsud
#undef _tile_dpbuud
#undef _tile_dpbf16ps
#define _tile_loadconfig emulated_configure
#define _tile_release emulated_release
#define _tile_loadd emulated_load
#define _tile_stored emulated_store
#define _tile_zero emulated_zero
#define _tile_dpbusd(c, a, b) emulated_bytes(c, a, b, 0, 1)
#define _tile_dpbssd(c, a, b) emulated_bytes(c, a, b, 1, 1)
#define _tile_dpbsud(c, a, b) emulated_bytes(c, a, b, 1, 0)
#define _tile_dpbuud(c, a, b) emulated_bytes(c, a, b, 0, 0)
#define _tile_dpbf16ps emulated_pairs
/* Linux is asked for nothing: this call returns 0, too. */
#undef SYS_arch_prctl
#define SYS_arch_prctl SYS_sched_yield

#endif
