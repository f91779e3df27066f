/* The same with an alignment.
 *
 * NAME = allocate_aligned
 */
static void *@NAME@(int64_t align, int64_t bytes)
{
    if (bytes < 0 || bytes > PTRDIFF_MAX - align)
        return NULL;
    return aligned_alloc((size_t)align, (size_t)((bytes / align + 1) * align));
}
