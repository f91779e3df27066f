/* Is any lane of a mask set?
 *
 * before: vector/inline_vectors.c
 * text: typedef int32_t v8i32 __attribute__((vector_size(32)));
 * NAME = any_v8i32
 * VECTOR = v8i32
 * ELEMENT = int32_t
 * N = 8
 */
INLINE_VECTORS int @NAME@(@VECTOR@ mask)
{
    @ELEMENT@ any = 0;

    for (int k = 0; k < @N@; k++)
        any |= mask[k];
    return any != 0;
}
