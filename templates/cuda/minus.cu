/* A negation of 32 bits that compilers do not see.
 *
 * NAME = minus_i32
 * TYPE = int32_t
 */
/* -a: of min(min(x, -a), -b) ptxas may drop a sign that it sees */
static __device__ @TYPE@ @NAME@(@TYPE@ a)
{
#ifdef __CUDA_ARCH__
    @TYPE@ minus;
    asm("not.b32 %0, %1;\n\tadd.s32 %0, %0, 1;" : "=r"(minus) : "r"(a));
    return minus;
#else
    return -a;
#endif
}
