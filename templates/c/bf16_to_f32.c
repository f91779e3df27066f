/* bf16, by its bits, as float.
 *
 * NAME = bf16_to_f32
 */
static inline float @NAME@(uint16_t a)
{
    const uint32_t bits = (uint32_t)a << 16;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}
