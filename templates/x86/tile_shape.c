/* What _tile_loadconfig reads.
 *
 * flags: -mamx-tile
 */
/* how many rows the registers of tiles have, and of how many bytes */
struct tile_shape {
    uint8_t palette, start, unused[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};
