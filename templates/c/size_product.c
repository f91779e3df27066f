/* Products of sizes, for allocations.
 *
 * NAME = size_product
 */
/* a * b, or -1 when a factor is negative or the product too large for an object */
static inline int64_t @NAME@(int64_t a, int64_t b)
{
    return a < 0 || b < 0 || (b > 0 && a > PTRDIFF_MAX / b) ? -1 : a * b;
}
