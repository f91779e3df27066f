/* Conditions of the loop tree that a reader does without. */
#ifndef REPORT_LISTING_NEEDLESS_H
#define REPORT_LISTING_NEEDLESS_H

#include "report/listing/simple.h"

/* Where the condition around body does not hold, is nothing in it that callers see, as the loops around that are then
 * empty? The emitted code spares what fills temporaries and buffers. */
bool needless_condition(const struct around *around, const struct node *body, const struct condition *condition);

#endif
