/* A part of a tile by way of a buffer.
 *
 * flags: -mavx512f -mavx512bw
 * before: x86/lanes_all_bits.c
 * before: x86/tile_at.c
 */
/* a part of a tile, rows of so many bytes that are distance bytes apart, with zeros around it; not
 * in line, so that loops over whole tiles have the registers */
__attribute__((noinline)) static const void *tile_of(char tile[1024], const void *part,
                                                     int64_t distance, int64_t rows,
                                                     int64_t bytes)
{
    for (int64_t r = 0; r < 16; r++) {
        const __m512i row = r < rows ? _mm512_maskz_loadu_epi8(lanes_64(bytes),
                                                               (const char *)part + r * distance)
                                     : _mm512_setzero_si512();
        _mm512_storeu_si512((void *)(tile + 64 * r), row);
    }
    return tile_at(tile);
}
