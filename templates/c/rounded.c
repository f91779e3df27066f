/* Keeps gcc from fusing a product with a sum.
 *
 * NAME = rounded_f32
 * TYPE = float
 */
/* a product that is not fused with a sum; gcc 12 would, though contraction is off */
static inline @TYPE@ @NAME@(@TYPE@ a)
{
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    return __builtin_assoc_barrier(a);
#else
    return a;
#endif
}
