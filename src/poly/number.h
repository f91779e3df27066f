/* isl's numbers, which have any size, as those of C. */
#ifndef POLY_NUMBER_H
#define POLY_NUMBER_H

#include <isl/val.h>

#include <stdbool.h>
#include <stdint.h>

/* Is val a whole number of 64 bits, and so is -val? *number is it, else 0. */
bool poly_number(__isl_take isl_val *val, int64_t *number);

#endif
