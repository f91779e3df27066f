/* Subscripts and values that choose by a condition, where it is known which way: x[i > 0 ? i - 1 : N - 1] is x[i - 1]
 * where i starts at 1, an affine subscript like any other.
 */
#ifndef LOWER_BODY_DECIDE_H
#define LOWER_BODY_DECIDE_H

#include "lower/facts/facts.h"

/* node, an assignment, with such subscripts, where facts holds. */
const struct node *decide_subscripts(const struct facts *facts, const struct node *node);
/* node, an assignment, without choices in its value, i % 2 == 0 ? a : b, of which facts say which way they go. */
const struct node *decide_values(const struct facts *facts, const struct node *node);
/* Has node, an assignment, an element with subscripts that are not affine, or a choice by indices? */
bool decide_has_work(struct arena *arena, const struct node *node);

#endif
