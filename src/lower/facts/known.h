/* What was assumed at a place of the loop tree, one thing after the other, and the set of all of it. Places where the
 * same was assumed share what is kept here, in later passes, too.
 */
#ifndef LOWER_FACTS_KNOWN_H
#define LOWER_FACTS_KNOWN_H

#include "base/vec.h"
#include "lower/facts/witness.h"

enum known_kind { KNOWN_CONTEXT, KNOWN_DIMENSION, KNOWN_CONDITION, KNOWN_ANY, KNOWN_NONE };

/* One assumption after others. */
struct known {
    enum known_kind kind;
    struct known *outer;
    const struct var *var;           /* DIMENSION: it has any value */
    struct condition condition;      /* CONDITION */
    const struct guard *alternative; /* ANY: one of n holds; NONE: none does */
    int n;
    isl_set *set;                      /* all of it; NULL until it is asked for; kept by the arena */
    VEC(const struct witness *) found; /* points of it that isl has found */
    VEC(struct condition) refuted;     /* what holds at none of its points, as isl said */
    VEC(struct known *) next;          /* what was assumed after it, each once */
};

bool known_same_condition(const struct condition *a, const struct condition *b);
/* outer (NULL: nothing) and next after it; what was assumed there before is found again. It lives in arena. */
struct known *known_with(struct arena *arena, struct known *outer, struct known next);
/* All of it as a set, made when it is first asked for (lower/facts/over.h). */
__isl_keep isl_set *known_set(struct arena *arena, struct known *known);

#endif
