/* The storage types f16 and bf16: rounding (to nearest, ties to even) and bit patterns. */
#ifndef ORACLE_HALF_H
#define ORACLE_HALF_H

#include <stdint.h>

/* The value of the 16-bit format nearest to x; f16 from any double, bf16 from a float's value. */
double f16_round(double x);
double bf16_round(double x);

uint16_t f16_bits(double x);  /* of a value that f16_round gave */
uint16_t bf16_bits(double x); /* likewise */
double f16_value(uint16_t bits);
double bf16_value(uint16_t bits);

#endif
