/* What arithmetic needs (program/check/arithmetic.h), as a loop tree that tests it where arguments alone tell. */
#ifndef LOWER_BODY_REQUIREMENT_CHECKS_H
#define LOWER_BODY_REQUIREMENT_CHECKS_H

#include "program/check/arithmetic.h"
#include "tree/tree.h"
#include "tree/vars.h"

/* *tree: loops over what needs something, around IFs with a REFUSE; NULL when nothing is to be tested. What reads
 * arrays that the function may have written by then, or that are in a device's memory, is not. */
enum status lower_requirement_checks(struct arena *arena, const struct program *program, const struct program *laid_out,
                                     const requirement_vec *requirements, struct vars *vars, struct diags *diags,
                                     const struct node **tree);

#endif
