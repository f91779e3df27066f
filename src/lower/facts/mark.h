/* Floor divisions of what is never negative, which C's `/` and `%` round the same way. */
#ifndef LOWER_FACTS_MARK_H
#define LOWER_FACTS_MARK_H

#include "lower/facts/facts.h"

/* node, what it has of its own: where it stands, facts hold. The conditions of one alternative are tested from left to
 * right: each is read where those before it hold. NULL where there is no answer. */
const struct node *mark_own_plain(const struct facts *facts, const struct node *node);

#endif
