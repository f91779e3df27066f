/* The bits of bf16.
 *
 * NAME = f32_to_bf16
 */
/* to the nearest, ties to even */
static inline uint16_t @NAME@(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof(bits));
    if (a != a)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
