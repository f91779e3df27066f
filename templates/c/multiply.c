/* OpenMP's reduction of signed integers by *: partial results may overflow where the whole does not.
 *
 * flags: -fopenmp
 * NAME = multiply_i32
 * TYPE = int32_t
 * UNSIGNED = uint32_t
 */
#pragma omp declare reduction(@NAME@ : @TYPE@ : \
    omp_out = (@TYPE@)((@UNSIGNED@)omp_out * (@UNSIGNED@)omp_in)) \
    initializer(omp_priv = 1)
