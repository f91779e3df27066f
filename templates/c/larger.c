/* The largest of finite numbers, one after the other.
 *
 * NAME = larger
 */
/* the size of value, if it is a larger one */
static inline double @NAME@(double size, double value)
{
    return isfinite(value) && fabs(value) > size ? fabs(value) : size;
}
