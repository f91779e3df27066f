/* Do two results differ?
 *
 * NAME = is_other_f32
 * TYPE = float
 */
/* in bits, but that any NaN is as good as another */
static inline int @NAME@(@TYPE@ a, @TYPE@ b)
{
    return memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b));
}
