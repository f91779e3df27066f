/* Do two results differ by more than rounding?
 *
 * NAME = is_far_f32
 * TYPE = float
 */
/* further apart than that; any NaN is as good as another */
static inline int @NAME@(@TYPE@ a, @TYPE@ b, double most)
{
    return memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b)) && !(fabs((double)a - (double)b) <= most);
}
