/* A conversion to bytes. S, INT: s and int, or u and uint.
 *
 * NAME = low_bytes_4
 * S = s
 * INT = int
 */
/* the low bytes of 4 words, and zeros */
static inline @INT@8x8_t @NAME@(@INT@32x4_t a)
{
    return vmovn_@S@16(vcombine_@S@16(vmovn_@S@32(a), vdup_n_@S@16(0)));
}
