/* The same with an alignment, full of zeros.
 *
 * NAME = allocate_aligned_zero
 */
static void *@NAME@(int64_t align, int64_t bytes)
{
    const int64_t size = bytes < 0 || bytes > PTRDIFF_MAX - align ? 0 : (bytes / align + 1) * align;
    void *memory = size ? aligned_alloc((size_t)align, (size_t)size) : NULL;
    return memory ? memset(memory, 0, (size_t)size) : NULL;
}
