/* The check of an array of bounds.
 *
 * NAME = is_nondecreasing_i32
 * TYPE = int32_t
 */
static int @NAME@(const @TYPE@ *array, int64_t n)
{
    for (int64_t k = 1; k < n; k++)
        if (array[k] < array[k - 1])
            return 0;
    return 1;
}
