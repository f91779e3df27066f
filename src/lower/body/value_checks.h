/* What index arrays must hold ("values"), as loops over their elements that can be printed as a test. */
#ifndef LOWER_BODY_VALUE_CHECKS_H
#define LOWER_BODY_VALUE_CHECKS_H

#include "program/program.h"
#include "tree/tree.h"
#include "tree/vars.h"

/* By array of program: LOOPs over the elements of laid_out's array around a LET of one element's value around an IF
 * that holds where the element may have it, its body empty; no LET and no alternative where no value will do. NULL
 * entry: nothing is to be tested. NULL when isl fails or a number exceeds 64 bits. */
const struct node *const *lower_value_checks(struct arena *arena, const struct program *program,
                                             const struct program *laid_out, struct vars *vars);

#endif
