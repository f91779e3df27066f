/* A part of a tile from a buffer to its place.
 *
 * flags: -mavx512f -mavx512bw
 * before: x86/lanes_all_bits.c
 */
/* the part of a tile goes to rows that are distance bytes apart */
__attribute__((noinline)) static void tile_part(void *part, int64_t distance,
                                                const char tile[1024], int64_t rows,
                                                int64_t bytes)
{
    for (int64_t r = 0; r < 16 && r < rows; r++)
        _mm512_mask_storeu_epi8((char *)part + r * distance, lanes_64(bytes),
                                _mm512_loadu_si512((const void *)(tile + 64 * r)));
}
