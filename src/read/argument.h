/* Values of step arguments as isl objects, for the primitives. */
#ifndef READ_ARGUMENT_H
#define READ_ARGUMENT_H

#include "program/program.h"

/* An ARGUMENT_AFFINE (an integer, or a string with an affine expression of the parameters) over the
 * program's parameter space; NULL after reporting. For ARGUMENT_MAP see isl_text_union_map. */
__isl_give isl_pw_aff *argument_pw_aff(const struct program *program, const struct value *value, struct diags *diags);

#endif
