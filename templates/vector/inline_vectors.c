/* The head of files with vector extensions.
 */
/* vectors wider than registers go to functions that are inlined only */
#pragma GCC diagnostic ignored "-Wpsabi"
#define INLINE_VECTORS static inline __attribute__((always_inline))
