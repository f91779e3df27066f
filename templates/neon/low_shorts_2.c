/* A conversion to integers of half as many bits.
 *
 * NAME = low_shorts_2
 */
/* the low halves of 2 words, twice */
static inline int16x4_t @NAME@(int32x2_t a)
{
    return vmovn_s32(vcombine_s32(a, a));
}
