/* The order of integers, for qsort.
 *
 * NAME = order_i32
 * TYPE = int32_t
 */
static int @NAME@(const void *a, const void *b)
{
    const @TYPE@ x = *(const @TYPE@ *)a, y = *(const @TYPE@ *)b;

    return (x > y) - (x < y);
}
