/* The maximum of a number and 0.
 *
 * NAME = relu_f32
 * TYPE = float
 * ZERO = 0.0f
 */
static inline @TYPE@ @NAME@(@TYPE@ a) { return a > @ZERO@ ? a : @ZERO@; }
