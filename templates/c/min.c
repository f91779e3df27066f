/* The smaller one of two numbers.
 *
 * NAME = min_f32
 * TYPE = float
 */
static inline @TYPE@ @NAME@(@TYPE@ a, @TYPE@ b) { return a < b ? a : b; }
