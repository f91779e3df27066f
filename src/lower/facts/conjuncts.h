/* A condition as the ones that all have to hold, in the order in which they are asked. */
#ifndef LOWER_FACTS_CONJUNCTS_H
#define LOWER_FACTS_CONJUNCTS_H

#include "base/vec.h"
#include "lower/lower.h"

typedef VEC(const struct tree_expr *) conjunct_vec;

void conjuncts_add(struct arena *arena, const struct tree_expr *condition, conjunct_vec *list);
bool conjuncts_have(const conjunct_vec *list, const struct tree_expr *conjunct);
/* The temporary that tells whether a loop goes on, where that is all that it asks; else NULL. */
const struct array *conjunct_while(const struct tree_expr *conjunct);

#endif
