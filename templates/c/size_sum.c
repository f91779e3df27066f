/* Sums of sizes, for allocations.
 *
 * NAME = size_sum
 */
/* a + b, or -1 when one is negative or the sum too large for an object */
static inline int64_t @NAME@(int64_t a, int64_t b)
{
    return a < 0 || b < 0 || a > PTRDIFF_MAX - b ? -1 : a + b;
}
