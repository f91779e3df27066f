/* Where the threads of a parallel region have to wait for each other. */
#ifndef LOWER_THREADS_WAITS_H
#define LOWER_THREADS_WAITS_H

#include "lower/facts/facts.h"

/* body, run by all threads of a region where facts hold, in which its loops in threads and SINGLE parts are `nowait`
 * where no thread can get from there to what touches the same array, one of the two writing, without a wait in between.
 * The arrays are those of the lowering's program. */
const struct node *waits_mark(const struct facts *facts, const struct node *body);

#endif
