/* Input data that can tell right from wrong: no zeros, no two alike, sums that depend on their order. */
#ifndef ORACLE_INPUTS_H
#define ORACLE_INPUTS_H

#include "interpret.h"
#include "prng.h"

/* Fills in and inout arrays and marks them written; out and temp keep their poison. */
void inputs_random(struct run *run, struct prng *prng);
/* A random value of a type that arithmetic on small sizes does not carry out of range. */
struct datum inputs_value(enum type type, struct prng *prng);
/* Fills all arrays but temps, in declared order, from the bytes of a file; false when it is too short. */
bool inputs_raw(struct run *run, const unsigned char *bytes, size_t size);

#endif
