/* The lanes of a loop in threads that sums up (doc/COMPILERS.md).
 *
 * NAME = SIMD
 */
/* clang 14 with -O1 makes wrong sums of loops in both threads and lanes */
#ifdef __clang__
#define @NAME@
#else
#define @NAME@ simd
#endif
