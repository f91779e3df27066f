/* A copy of several neighbours.
 *
 * NAME = copy_16
 * BYTES = 16
 * WORD = int4
 */
/* @BYTES@ bytes at once: both addresses are multiples of that */
static inline void @NAME@(void *to, const void *from)
{
    *(@WORD@ *)to = *(const @WORD@ *)from;
}
