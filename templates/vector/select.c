/* a where m, else b: for functions; rows have it in place.
 *
 * before: vector/inline_vectors.c
 * before: vector/type.c
 * text: typedef int32_t v8i32 __attribute__((vector_size(32)));
 * NAME = select_8f32
 * VECTOR = v8f32
 * MASK = v8i32
 */
INLINE_VECTORS @VECTOR@ @NAME@(@MASK@ m, @VECTOR@ a, @VECTOR@ b)
{
    return (@VECTOR@)((m & (@MASK@)a) | (~m & (@MASK@)b));
}
