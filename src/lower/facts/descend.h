/* The way of a pass down the loop tree, with what is known at each place. */
#ifndef LOWER_FACTS_DESCEND_H
#define LOWER_FACTS_DESCEND_H

#include "lower/facts/facts.h"

/* What takes the place of node, where facts holds; user is what descend got. NULL: an overflow, or a refusal that was
 * reported. */
typedef const struct node *descend_function(const struct facts *facts, const struct node *node, void *user);

/* node with function over its children, where what node says of them is known, too; NULL when one of them is. */
const struct node *descend(const struct facts *facts, const struct node *node, descend_function *function, void *user);

#endif
