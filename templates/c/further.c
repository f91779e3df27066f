/* The place of a later element, by integers, since pointers past the end of an array are not defined.
 *
 * NAME = further_f32
 * TYPE = float
 */
/* n elements behind p, where the array may have ended */
static inline const @TYPE@ *@NAME@(const @TYPE@ *p, int64_t n)
{
    return (const @TYPE@ *)((uintptr_t)p + (uintptr_t)n * sizeof *p);
}
