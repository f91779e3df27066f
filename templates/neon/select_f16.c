/* vbsl_f16 wants arithmetic of halves.
 *
 * NAME = select_8f16
 * N = 8
 * Q = q
 */
static inline float16x@N@_t @NAME@(uint16x@N@_t m, float16x@N@_t a, float16x@N@_t b)
{
    return vreinterpret@Q@_f16_u16(vbsl@Q@_u16(m, vreinterpret@Q@_u16_f16(a), vreinterpret@Q@_u16_f16(b)));
}
