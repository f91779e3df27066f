/* The start of functions that are compiled for processors with more than the file is. Headers with intrinsics stand above.
 *
 * part of a file that ends them
 * WORDS = avx2, fma
 * NEEDED = avx2,fma
 */
/* for processors with @WORDS@ */
#ifdef __clang__
#pragma clang attribute push(__attribute__(( \
    target("@NEEDED@"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("@NEEDED@")
#endif
