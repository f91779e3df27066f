/* What is known of the variables at a place in the loop tree, and what follows from it.
 *
 * Most questions are answered by what each variable can be and one or two things that are known (facts/shown.h says
 * yes) or by a point where all that is known holds (facts/witness.h says no). Only for the others isl is asked, and
 * then the set of what is known (facts/known.h) is made; the points that isl finds are witnesses for later questions at
 * the place. Places where the same was assumed share these sets, points and answers, in later passes, too.
 * A facts value is immutable but for what is assumed in it; it owns nothing.
 *
 * Where nothing is possible everything would follow. While loops are made that is how parts without instances are
 * found, and the proof that every instance runs once judges what is left (prove/cover.c). After this proof nothing is
 * dead, and nothing is taken for proved at such a place. Two variables with one identity around a place would make it
 * look like that; they are an error of a pass, noted in vars->broken.
 */
#ifndef LOWER_FACTS_FACTS_H
#define LOWER_FACTS_FACTS_H

#include "lower/facts/span.h"
#include "lower/facts/witness.h"
#include "lower/lower.h"

struct known;

struct facts {
    struct lowering *lowering;
    struct known *known;           /* what was assumed, one after the other */
    const struct bound_var *bound; /* the variables, innermost first, parameters last */
    struct witnesses witnesses;
};

/* The program's context. */
struct facts facts_of_program(struct lowering *lowering);

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
const struct affine *facts_with_argument(struct arena *arena, const struct affine *a, const struct affine_term *term,
                                         int k);

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
/* Is this place never reached, behind the proof of the tree? Then nothing is proved here. */
bool facts_vacuous(const struct facts *facts);

/* All that is known: a parameter set [N, .., v7, ..] -> { : .. } with a dimension for every parameter and bound
 * variable (lower/facts/over.h). */
__isl_keep isl_set *facts_known(const struct facts *facts);
/* The values of a[0..n): [N, .., v7, ..] -> { [a0, ..] : .. }. */
__isl_give isl_set *facts_values(const struct facts *facts, const struct affine *const *a, int n);

#endif
