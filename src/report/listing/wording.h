/* The text of a statement where the loops around are not those of the description. */
#ifndef REPORT_LISTING_WORDING_H
#define REPORT_LISTING_WORDING_H

#include "report/listing/terms.h"
#include "tree/translate.h"

/* Adds "C[i + ii, j] += A[i + ii, k] * Bp[k, j % 16]": what the instance computes whose loops have the values of
 * scope->loop. */
void wording_print(const struct around *around, const struct scope *scope, const struct statement *statement,
                   struct text *out);

#endif
