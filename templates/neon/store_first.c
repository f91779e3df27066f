/* Stores the first lanes of half a register.
 *
 * NAME = store_4s8
 * VECTOR = int8x8_t
 * ELEMENT = int8_t
 * KIND = s8
 * BITS = 32
 */
static inline void @NAME@(@ELEMENT@ *p, @VECTOR@ a)
{
    const uint@BITS@_t x = vget_lane_u@BITS@(vreinterpret_u@BITS@_@KIND@(a), 0);

    __builtin_memcpy(p, &x, sizeof x);
}
