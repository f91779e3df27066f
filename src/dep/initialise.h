/* Values that are read before they exist, and values that nobody reads. */
#ifndef DEP_INITIALISE_H
#define DEP_INITIALISE_H

#include "dep/dependence.h"

/* Proves that every element of a `temp` or `out` array is written before it is read, in the original
 * order; reports the smallest read that is not. May-writes do not count. */
enum status check_initialised(struct arena *arena, const struct dependences *dependences, struct diags *diags);

/* The pairs { w -> r } of array where r reads the value that w wrote, in the original order. Exact where all accesses
 * are; kept apart from the dependences because it leaves out what is overwritten in between. */
__isl_give isl_union_map *dependences_value_flow(const struct dependences *dependences, const struct array *array);

/* { S[..] -> A[..] }: the reads of elements of array that no write precedes in the original order. */
__isl_give isl_union_map *dependences_initial_reads(const struct dependences *dependences, const struct array *array);

/* Warns of writes whose value nothing reads: of a temporary, or overwritten before any read. */
void warn_dead_writes(struct arena *arena, const struct dependences *dependences, struct diags *diags);

#endif
