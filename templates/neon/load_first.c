/* The first lanes of half a register, together a number.
 *
 * NAME = load_4s8
 * VECTOR = int8x8_t
 * ELEMENT = int8_t
 * KIND = s8
 * BITS = 32
 */
static inline @VECTOR@ @NAME@(const @ELEMENT@ *p)
{
    uint@BITS@_t x;

    __builtin_memcpy(&x, p, sizeof x);
    return vreinterpret_@KIND@_u@BITS@(vdup_n_u@BITS@(x));
}
