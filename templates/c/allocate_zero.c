/* The same, full of zeros.
 *
 * NAME = allocate_zero
 */
static void *@NAME@(int64_t bytes)
{
    return bytes < 0 ? NULL : calloc(bytes > 0 ? (size_t)bytes : 1, 1);
}
