/* sin and cos: math/trig_f32.c. NEAR: beyond, n has no room in its digits.
 *
 * values: samples/avx2_f64
 * flags: -mavx2 -mfma
 * text: __m256d sin_each_4d(__m256d a);
 * NAME = sin_4d
 * MOST = 1.6
 * NEAR = 0x1p30
 * EACH = sin_each_4d
 * QUARTER = _mm256_castpd_si256(sum)
 * LEFT = @math/trig_left_f64@
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
    /* what is added to it is rounded */
    const @CONSTANT@ rounder = @ALL@(0x1.8p52);
    const @MASK@ near = @LE@(@ABS@(a), @ALL@(@NEAR@));

    if (@NOT_ALL@(near))
        return @EACH@(a);
    const @TYPE@ sum = @MADD@(a, @ALL@(0.63661977236758138), rounder);
    const @TYPE@ n = @SUB@(sum, rounder);
    const @INTS@ quarter = @QUARTER@;
    const @INTS@ sign = @SHR@(quarter, 1);
@LEFT@
    const @TYPE@ z = @MUL@(x, x);
    @TYPE@ sine = @MADD@(@ALL@(1.58962301576546568060e-10), z, @ALL@(-2.50507477628578072866e-8));
    @TYPE@ cosine = @MADD@(@ALL@(-1.13585365213876817300e-11), z, @ALL@(2.08757008419747316778e-9));

    sine = @MADD@(sine, z, @ALL@(2.75573136213857245213e-6));
    sine = @MADD@(sine, z, @ALL@(-1.98412698295895385996e-4));
    sine = @MADD@(sine, z, @ALL@(8.33333333332211858878e-3));
    sine = @MADD@(sine, z, @ALL@(-1.66666666666666307295e-1));
    cosine = @MADD@(cosine, z, @ALL@(-2.75573141792967388112e-7));
    cosine = @MADD@(cosine, z, @ALL@(2.48015872888517045348e-5));
    cosine = @MADD@(cosine, z, @ALL@(-1.38888888888730564116e-3));
    cosine = @MADD@(cosine, z, @ALL@(4.16666666666665929218e-2));
    cosine = @MADD@(cosine, z, @ALL@(-0.5));
    sine = @MADD@(sine, z, @ALL@(0.0));
    sine = @MADD@(sine, x, x);
    cosine = @MADD@(cosine, z, @ALL@(1.0));
    const @TYPE@ y = @SELECT@(@BIT_0@(quarter), cosine, sine);

    return @TURN@(y, sign);
}
