/* Congruences that a description assumes, "K % 4 = 0", of one parameter each. */
#ifndef PROGRAM_CONGRUENCE_H
#define PROGRAM_CONGRUENCE_H

#include <stdint.h>

struct program;

/* All values are residue modulo modulus, 0 <= residue < modulus; modulus 1: nothing is known. */
struct congruence {
    int64_t modulus, residue;
};

/* Of the values that parameter k has in the program's context. */
struct congruence congruence_of_param(const struct program *program, int k);

#endif
