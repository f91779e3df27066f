/* Points where everything holds that is known: a few iterations that the loops really run, for a few values of the
 * parameters. One of them answers many a question with no at once (does this follow, has it one value?), where isl
 * would have to search for it.
 */
#ifndef LOWER_FACTS_WITNESS_H
#define LOWER_FACTS_WITNESS_H

#include "program/program.h"
#include "tree/tree.h"

#include <isl/set.h>

struct witness {
    const struct witness *outer; /* the same with fewer variables */
    const struct var *var;
    int64_t value;
};

struct witnesses {
    const struct witness *const *at;
    int n;
};

/* outer with a value for one more variable. */
const struct witness *witness_with(struct arena *arena, const struct witness *outer, const struct var *var,
                                   int64_t value);
/* Some values of the parameters in context. */
struct witnesses witnesses_of_params(struct arena *arena, __isl_keep isl_set *context,
                                     const struct var *const *param_var, int n_param);
/* Some iterations of a loop, of each of them its first ones. */
struct witnesses witnesses_in_loop(struct arena *arena, struct witnesses outer, const struct node *loop);
struct witnesses witnesses_with_value(struct arena *arena, struct witnesses outer, const struct node *value);
/* Those where condition holds; where any alternative does, or (holds false) none. */
struct witnesses witnesses_where(struct arena *arena, struct witnesses all, const struct condition *condition);
struct witnesses witnesses_in_branch(struct arena *arena, struct witnesses all, const struct guard *alternative, int n,
                                     bool holds);

/* The value of a there; false when a number becomes too large or a variable has no value. */
bool witness_value(const struct witness *witness, const struct affine *a, int64_t *value);
bool witness_holds(const struct witness *witness, const struct condition *condition);
/* Does one of the alternatives? */
bool witness_holds_any(const struct witness *witness, const struct guard *alternative, int n);

#endif
