/* OpenMP's reduction of signed integers by &.
 *
 * flags: -fopenmp
 * NAME = and_i32
 * TYPE = int32_t
 */
#pragma omp declare reduction(@NAME@ : @TYPE@ : omp_out &= omp_in) initializer(omp_priv = -1)
