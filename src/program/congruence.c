#include "program/congruence.h"

#include "poly/number.h"
#include "program/program.h"

#include <isl/aff.h>
#include <isl/stride_info.h>
#include <isl/val.h>

/* Of values { [v] }. */
static struct congruence congruence_of(__isl_keep isl_set *values)
{
    isl_stride_info *info = isl_set_get_stride_info(values, 0);
    isl_aff *offset = isl_stride_info_get_offset(info);
    const bool constant = isl_aff_is_cst(offset) == isl_bool_true;
    struct congruence found = {1, 0};
    int64_t modulus, residue;

    if (poly_number(isl_stride_info_get_stride(info), &modulus) && modulus > 1 && constant &&
        poly_number(isl_aff_get_constant_val(offset), &residue))
        found = (struct congruence){modulus, (residue % modulus + modulus) % modulus};
    isl_aff_free(offset);
    isl_stride_info_free(info);
    return found;
}

struct congruence congruence_of_param(const struct program *program, int k)
{
    struct congruence found = {1, 0};
    isl_set *values;

    if (isl_set_involves_locals(program->context) != isl_bool_true)
        return found;
    values = isl_set_move_dims(isl_set_from_params(isl_set_copy(program->context)), isl_dim_set, 0, isl_dim_param,
                               (unsigned)k, 1);
    found = congruence_of(values);
    isl_set_free(values);
    return found;
}
