/* Texts in isl's own notation: sets of parameters, unions of sets and maps.
 *
 * Parameters are checked against the program's and aligned to their declared order. Every function
 * returns NULL after reporting the fault; when the budget ran out nothing is reported, isl's error
 * stays for poly_end.
 */
#ifndef PROGRAM_ISL_TEXT_H
#define PROGRAM_ISL_TEXT_H

#include "program/program.h"

__isl_give isl_set *isl_text_params(const struct program *program, const struct value *string, struct diags *diags);
__isl_give isl_union_set *isl_text_union_set(const struct program *program, const struct value *string,
                                             struct diags *diags);
__isl_give isl_union_map *isl_text_union_map(const struct program *program, const struct value *string,
                                             struct diags *diags);

#endif
