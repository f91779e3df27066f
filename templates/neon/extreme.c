/* The minimum of C's `a < b ? a : b`, which vminq is not where one is no number or both are zeros; likewise the maximum.
 *
 * NAME = min_4f
 * VECTOR = float32x4_t
 * KIND = f32
 * COMPARE = vcltq
 */
static inline @VECTOR@ @NAME@(@VECTOR@ a, @VECTOR@ b)
{
    return vbslq_@KIND@(@COMPARE@_@KIND@(a, b), a, b);
}
