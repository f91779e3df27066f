/* Bounds of loops that are read from arrays: "ptr[i] <= k < ptr[i + 1]".
 *
 * Such a loop has the affine bounds that `values` gives for what is read, and the condition on data that its own are:
 *
 *     "values": "0 <= ptr <= Z"      0 <= k < Z, if ptr[i] <= k && k < ptr[i + 1]
 */
#ifndef READ_DATA_BOUNDS_H
#define READ_DATA_BOUNDS_H

#include "read/reader.h"

/* Replaces bounds of loop, which is at that depth, that are read from arrays; *condition is what they say, NULL where
 * there are none. False after reporting a bound that is none. */
bool data_bounds(struct reader *reader, const struct reading *reading, struct nest_loop *loop, int depth,
                 struct expr **condition);

#endif
