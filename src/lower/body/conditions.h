/* Conditions on parameters that plan steps ask for ("if"). */
#ifndef LOWER_BODY_CONDITIONS_H
#define LOWER_BODY_CONDITIONS_H

#include "lower/facts/facts.h"

/* The condition as it is printed; NULL on an affine overflow. */
const struct tree_expr *condition_expr(const struct lowering *lowering, const struct expr *condition);
/* Adds what follows from the condition where it was found to hold: comparisons of affine expressions, joined by &&. */
void condition_assume(struct facts *facts, const struct expr *condition);

#endif
