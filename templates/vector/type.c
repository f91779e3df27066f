/* A type of vectors.
 *
 * NAME = v8f32
 * ELEMENT = float
 * BYTES = 32
 */
typedef @ELEMENT@ @NAME@ __attribute__((vector_size(@BYTES@)));
