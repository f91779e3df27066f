/* An update that devices have no function for: the element is exchanged for what comes of it unless another thread was
 * faster, then for what comes of that. TO_BITS and VALUE go from values to integers of their bits and back, AS_BITS is
 * the former in front of a parenthesis.
 *
 * NAME = atomic_max_f32
 * TYPE = float
 * BITS = unsigned
 * TO_BITS = __float_as_uint({a})
 * AS_BITS = __float_as_uint
 * VALUE = __uint_as_float({a})
 * JOINED = b > a ? b : a
 */
/* *at joined with a, in one go */
static __device__ void @NAME@(@TYPE@ *at, @TYPE@ a)
{
    @BITS@ seen = @TO_BITS@(*at), old;

    do {
        old = seen;
        const @TYPE@ b = @VALUE@(old);
        seen = atomicCAS((@BITS@ *)at, old, @AS_BITS@(@JOINED@));
    } while (seen != old);
}
