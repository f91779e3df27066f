/* What is known of the variables at a place in the loop tree, and what follows from it (isl answers).
 *
 * known is a parameter set [N, .., v7, ..] -> { : .. } with a dimension for every parameter and bound variable.
 */
#ifndef LOWER_FACTS_H
#define LOWER_FACTS_H

#include "lower/lower.h"

struct facts {
    struct lowering *lowering;
    isl_set *known;
    const struct bound_var *bound; /* the loop and value variables, innermost first */
};

struct bound_var {
    const struct var *var;
    const struct bound_var *outer;
};

/* The program's context. Every facts value is freed by its maker. */
struct facts facts_of_program(struct lowering *lowering);
struct facts facts_copy(const struct facts *facts);
void facts_free(struct facts *facts);

/* Adds a >= 0, a == 0, or what a loop or condition says of its body. */
void facts_assume(struct facts *facts, const struct affine *a);
void facts_assume_zero(struct facts *facts, const struct affine *a);
void facts_assume_condition(struct facts *facts, const struct condition *condition);
/* Any of the alternatives holds. */
void facts_assume_guards(struct facts *facts, const struct guard *alternative, int n);
/* What holds inside child k of an IF: its condition, or for k == 1 that it does not. */
void facts_enter_branch(struct facts *facts, const struct node *node, int k);
/* loop's variable is between its bounds and on its grid. */
void facts_enter_loop(struct facts *facts, const struct node *loop);
void facts_enter_value(struct facts *facts, const struct node *value);
/* What a node of any kind says of its child k. */
void facts_enter(struct facts *facts, const struct node *node, int k);

/* The term of a that is a minimum counted positively, or a maximum counted negatively: a >= 0 then says the same
 * of each of its arguments. NULL: none. */
const struct affine_term *facts_splitting_term(const struct affine *a);
/* a with argument k of that minimum or maximum in place of it. */
const struct affine *facts_with_argument(struct arena *arena, const struct affine *a,
                                         const struct affine_term *term, int k);

/* Does a >= 0 follow? No when isl cannot tell. */
bool facts_imply(const struct facts *facts, const struct affine *a);
/* Has a only one value here? False, too, when isl cannot tell. */
bool facts_constant(const struct facts *facts, const struct affine *a, int64_t *value);
/* Does the condition follow; can it hold at all? */
bool facts_imply_condition(const struct facts *facts, const struct condition *condition);
bool facts_allow_condition(const struct facts *facts, const struct condition *condition);
/* Does any of the alternatives hold; can the conditions of two IF nodes never hold both? No when isl cannot tell. */
bool facts_imply_guards(const struct facts *facts, const struct guard *alternative, int n);
bool facts_exclude(const struct facts *facts, const struct node *a, const struct node *b);
/* Can this place be reached at all? Yes when isl cannot tell. */
bool facts_possible(const struct facts *facts);

/* bound with the arguments of its minimum or maximum that matter here, each in its shorter form. */
const struct affine *facts_refine_bound(const struct facts *facts, const struct affine *bound);

/* The parameter of known's space that stands for var. */
int facts_dimension(__isl_keep isl_space *space, const struct var *var);
/* Its values: [N, .., v7, ..] -> { [a] : .. }. */
__isl_give isl_set *facts_values(const struct facts *facts, const struct affine *a);
/* The value of a over known's space. */
__isl_give isl_pw_aff *facts_pw_aff(const struct facts *facts, const struct affine *a);

#endif
