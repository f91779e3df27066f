/* Are all lanes of a mask -1?
 *
 * before: vector/inline_vectors.c
 * text: typedef int64_t v4i64 __attribute__((vector_size(32)));
 * NAME = all_and_4i64
 */
/* what all lanes have in common */
INLINE_VECTORS int64_t @NAME@(v4i64 m) { return m[0] & m[1] & m[2] & m[3]; }
