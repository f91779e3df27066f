/* The remainder of division that rounds down.
 *
 * NAME = floor_mod
 */
/* what floor division leaves; b > 0 */
static inline int64_t @NAME@(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }
