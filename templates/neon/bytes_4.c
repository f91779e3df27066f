/* The factor that all lanes of a dot product have.
 *
 * NAME = bytes_4
 */
/* four bytes as one number */
static inline int32_t @NAME@(const void *p)
{
    int32_t x;

    __builtin_memcpy(&x, p, 4);
    return x;
}
