/* The check of an array of indices that are all different.
 *
 * before: c/order.c
 * NAME = check_distinct_i32
 * TYPE = int32_t
 * ORDER = order_i32
 */
/* 0 where all n elements differ, else EINVAL; or ENOMEM */
static int @NAME@(const @TYPE@ *array, int64_t n)
{
    @TYPE@ *sorted = n > 1 ? malloc((size_t)n * sizeof *sorted) : NULL;
    int status = n > 1 && !sorted ? ENOMEM : 0;

    if (!sorted)
        return status;
    memcpy(sorted, array, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, @ORDER@);
    for (int64_t k = 1; k < n && !status; k++)
        status = sorted[k] == sorted[k - 1] ? EINVAL : 0;
    free(sorted);
    return status;
}
