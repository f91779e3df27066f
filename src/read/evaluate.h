/* The value of an expression of integers that are known. */
#ifndef READ_EVALUATE_H
#define READ_EVALUATE_H

#include "program/program.h"
#include "program/step.h"

/* *result is the value of expr, where EXPR_LOOP k is chosen[k]; division rounds down, as in subscripts. False after
 * reporting what is no integer, too large, or a division by something that is not positive. */
bool evaluate_integer(struct diags *diags, const struct expr *expr, const struct value *const *chosen, int64_t *result);

#endif
