/* Factors of a dot product.
 *
 * NAME = groups_4i
 */
/* 16 bytes as lanes of four */
static inline int32x4_t @NAME@(const void *p)
{
    return vreinterpretq_s32_u8(vld1q_u8((const uint8_t *)p));
}
