/* The check of an array that is an argument.
 *
 * NAME = is_there
 */
/* an array of so many bytes: a size that is possible, and not NULL unless empty */
static inline int @NAME@(const void *array, int64_t bytes)
{
    return bytes == 0 || (bytes > 0 && array != NULL);
}
