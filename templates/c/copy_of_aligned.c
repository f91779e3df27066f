/* The same with an alignment.
 *
 * NAME = copy_of_aligned
 */
static void *@NAME@(int64_t align, const void *array, int64_t bytes)
{
    void *copy = NULL;

    if (bytes >= 0 && bytes <= PTRDIFF_MAX - align)
        copy = aligned_alloc((size_t)align, (size_t)((bytes / align + 1) * align));
    if (copy && bytes > 0)
        memcpy(copy, array, (size_t)bytes);
    return copy;
}
