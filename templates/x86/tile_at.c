/* The place of a tile that the function stored.
 *
 * flags: -mamx-tile
 */
/* gcc does not see that tiles are loaded from memory: what was stored there is to be there */
static inline const void *tile_at(const void *tile)
{
    __asm__ volatile("" ::: "memory");
    return tile;
}
