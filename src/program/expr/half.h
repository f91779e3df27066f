/* f16 and bf16, the types of 16 bits that neither C nor the host need have. */
#ifndef PROGRAM_EXPR_HALF_H
#define PROGRAM_EXPR_HALF_H

#include "program/type.h"

#include <stdint.h>

/* The bits of the value of type (TYPE_F16 or TYPE_BF16) nearest to x, ties to even; infinity where x is too large. */
uint16_t half_bits(enum type type, double x);
double half_value(enum type type, uint16_t bits);

#endif
