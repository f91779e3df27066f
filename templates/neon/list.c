/* One value a lane. Q: q of whole registers.
 *
 * NAME = list_2f64
 * VECTOR = float64x2_t
 * ELEMENT = double
 * KIND = f64
 * Q = q
 * PARAMETERS = double a, double b
 * VALUES = a, b
 */
static inline @VECTOR@ @NAME@(@PARAMETERS@)
{
    const @ELEMENT@ x[] = {@VALUES@};

    return vld1@Q@_@KIND@(x);
}
