/* Are both lanes of a mask -1?
 *
 * before: vector/inline_vectors.c
 * text: typedef int64_t v2i64 __attribute__((vector_size(16)));
 * NAME = all_and_2i64
 */
/* what both lanes have in common */
INLINE_VECTORS int64_t @NAME@(v2i64 m) { return m[0] & m[1]; }
