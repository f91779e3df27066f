/* What follows at a place in the loop tree without asking isl: from what each variable can be (facts/span.h) and one or
 * two things that are known, or because it was asked before. False always means: not seen at once.
 */
#ifndef LOWER_FACTS_SHOWN_H
#define LOWER_FACTS_SHOWN_H

#include "lower/facts/facts.h"

/* All conditions of the alternative hold. */
bool shown_guard(const struct facts *facts, const struct guard *guard);
/* The condition holds nowhere. */
bool shown_refuted(const struct facts *facts, const struct condition *condition);
/* The conditions of two IF nodes never hold both. */
bool shown_exclusive(const struct facts *facts, const struct node *a, const struct node *b);

#endif
