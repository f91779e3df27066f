/* Which values an order hands on in temporaries: their elements may be used again in another order, as long as
 * everything reads what it read before. */
#ifndef FUZZ_VALUES_H
#define FUZZ_VALUES_H

#include "dates.h"
#include "trace.h"

/* The first event of the trace that reads another value of a temporary when all run by these dates; -1: none does. */
int values_changed(const struct trace *trace, const struct date *date);
/* Do the two touch a common element, not of a temporary, in the way of trace_conflict? */
bool values_conflict(const struct event *a, const struct event *b);

#endif
