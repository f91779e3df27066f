/* Values of the loop tree in the description's words, by what is bound around the place where they stand. */
#ifndef REPORT_LISTING_TERMS_H
#define REPORT_LISTING_TERMS_H

#include "base/text.h"
#include "report/listing/simple.h"

/* "i + ii", "jj / 16", "min(64, N - j)": the loops outermost first, without quotients and remainders that the loops
 * around decide. Is it a sum or a product, which wants brackets beside other operators? */
bool terms_print(const struct around *around, const struct affine *value, struct text *out);
/* "i + ii < M" */
void terms_print_condition(const struct around *around, const struct condition *condition, struct text *out);

#endif
