/* A copy of an array, whose size c/size_product.c and c/size_sum.c computed. gcc 12 takes what malloc gives in the case of
 * no bytes for not set.
 *
 * NAME = copy_of
 */
/* NULL where there is no memory, or the size is none */
static void *@NAME@(const void *array, int64_t bytes)
{
    void *copy = bytes < 0 ? NULL : bytes > 0 ? malloc((size_t)bytes) : calloc(1, 64);

    if (copy && bytes > 0)
        memcpy(copy, array, (size_t)bytes);
    return copy;
}
