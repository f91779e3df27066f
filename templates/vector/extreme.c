/* Minima and maxima.
 *
 * before: vector/inline_vectors.c
 * before: vector/type.c
 * text: typedef int32_t v8i32 __attribute__((vector_size(32)));
 * NAME = min_8f32
 * VECTOR = v8f32
 * MASK = v8i32
 * OP = <
 */
INLINE_VECTORS @VECTOR@ @NAME@(@VECTOR@ a, @VECTOR@ b)
{
    const @MASK@ m = a @OP@ b;

    return (@VECTOR@)((m & (@MASK@)a) | (~m & (@MASK@)b));
}
