/* The absolute value of an integer.
 *
 * NAME = abs_i32
 * TYPE = int32_t
 * ZERO = 0
 */
static inline @TYPE@ @NAME@(@TYPE@ a) { return a < @ZERO@ ? -a : a; }
