/* Division that rounds down.
 *
 * NAME = floor_div
 */
/* the quotient, rounded down; b > 0 */
static inline int64_t @NAME@(int64_t a, int64_t b) { return a / b - (a % b < 0); }
