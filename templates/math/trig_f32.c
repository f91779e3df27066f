/* sin and cos by Cephes' polynomials and the quarter of the circle, the last bits of sum: cos is sin a quarter further.
 * LEFT computes x, what is left of a after n times pi / 2, to its last place. Where a lane is too large, the library
 * computes all of them. + 0: the sine of -0 is -0.
 *
 * values: samples/avx2_f32
 * flags: -mavx2 -mfma
 * text: __m256 cos_each_8f(__m256 a);
 * NAME = cos_8f
 * MOST = 1.6
 * EACH = cos_each_8f
 * QUARTER = _mm256_add_epi32(_mm256_castps_si256(sum), _mm256_set1_epi32(1))
 * LEFT = @math/trig_left_f32@
 */
/* at most @MOST@ units in the last place off */
@INLINE@ @TYPE@ @NAME@(@TYPE@ a)
{
    /* what is added to it is rounded */
    const @CONSTANT@ rounder = @ALL@(12582912.0f);
    const @MASK@ near = @LE@(@ABS@(a), @ALL@(65536.0f));

    if (@NOT_ALL@(near))
        return @EACH@(a);
    const @TYPE@ sum = @MADD@(a, @ALL@(0.636619772f), rounder);
    const @TYPE@ n = @SUB@(sum, rounder);
    const @INTS@ quarter = @QUARTER@;
    const @INTS@ sign = @SHR@(quarter, 1);
@LEFT@
    const @TYPE@ z = @MUL@(x, x);
    @TYPE@ sine = @MADD@(@ALL@(-1.9515295891e-4f), z, @ALL@(8.3321608736e-3f));
    @TYPE@ cosine = @MADD@(@ALL@(2.443315711809948e-5f), z, @ALL@(-1.388731625493765e-3f));

    sine = @MADD@(sine, z, @ALL@(-1.6666654611e-1f));
    cosine = @MADD@(cosine, z, @ALL@(4.166664568298827e-2f));
    cosine = @MADD@(cosine, z, @ALL@(-0.5f));
    sine = @MADD@(sine, z, @ALL@(0.0f));
    sine = @MADD@(sine, x, x);
    cosine = @MADD@(cosine, z, @ALL@(1.0f));
    const @TYPE@ y = @SELECT@(@BIT_0@(quarter), cosine, sine);

    return @TURN@(y, sign);
}
