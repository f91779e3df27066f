/* Loops that end early leave out nothing: derived of the tree at hand, whatever made them end.
 *
 * Such a loop ends in front of an iteration in which its condition P does not hold, of lanes where it holds in none of
 * the active ones. Every assignment in it is under P, which is of elements and names that are the same in all
 * iterations. So nothing would run in that iteration: before each assignment all is as it was when P was asked, and P
 * does not hold there. The same is then true of every later iteration.
 *
 *     for (k = 0; k < N && more; k++)        P: more
 *         if (more) more = x[k] != key;
 *         if (more && x[k] > 0) at += 1;
 */
#ifndef LOWER_FACTS_ENDS_H
#define LOWER_FACTS_ENDS_H

#include "tree/tree.h"

/* Does the loop, which has a condition at which it ends, leave out nothing that has an effect? No where that is not
 * seen. */
bool ends_soundly(struct arena *arena, const struct node *loop);
/* A loop of the tree of which that is not seen; NULL: there is none. */
const struct node *ends_too_early(struct arena *arena, const struct node *tree);

#endif
