#include "poly/number.h"

bool poly_number(__isl_take isl_val *val, int64_t *number)
{
    const bool fits = isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, INT64_MAX) <= 0 &&
                      isl_val_cmp_si(val, -INT64_MAX) >= 0;

    *number = fits ? isl_val_get_num_si(val) : 0;
    isl_val_free(val);
    return fits;
}
