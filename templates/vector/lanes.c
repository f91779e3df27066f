/* A mask.
 *
 * before: vector/inline_vectors.c
 * text: typedef int32_t v8i32 __attribute__((vector_size(32)));
 * NAME = lanes_8i32
 * VECTOR = v8i32
 * ELEMENT = int32_t
 * N = 8
 * NUMBERS = 0, 1, 2, 3, 4, 5, 6, 7
 */
/* lanes 0 .. n - 1 of @N@ */
INLINE_VECTORS @VECTOR@ @NAME@(int64_t n)
{
    const @ELEMENT@ m = (@ELEMENT@)(n > @N@ ? @N@ : n < 0 ? 0 : n);

    return (@VECTOR@){@NUMBERS@} < (@VECTOR@){0} + m;
}
