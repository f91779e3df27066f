/* All lanes joined by an operation.
 *
 * before: vector/type.c
 * NAME = sum_8f32
 * VECTOR = v8f32
 * ELEMENT = float
 * N = 8
 * JOINED = all + (*a)[k]
 */
static inline @ELEMENT@ @NAME@(const @VECTOR@ *a)
{
    @ELEMENT@ all = (*a)[0];

    for (int k = 1; k < @N@; k++)
        all = @JOINED@;
    return all;
}
