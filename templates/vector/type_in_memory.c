/* The same in memory, at any element.
 *
 * NAME = v8f32_u
 * ELEMENT = float
 * BYTES = 32
 * ALIGN = 4
 */
typedef @ELEMENT@ @NAME@ __attribute__((vector_size(@BYTES@), aligned(@ALIGN@), may_alias));
