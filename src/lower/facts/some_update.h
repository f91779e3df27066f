/* Where does a loop run one of its statements at least once?
 *
 *     for (i = 0; i < 2; i++)                    M >= 1 && K >= 1
 *         if (i < M)
 *             for (k = 0; k < K; k++)
 *                 y[0] += x[i][k];
 *
 * Sums that are kept in registers load and store the element around the loop; where no iteration updates it, there may
 * be no such element, or another thread has it. The loops' variables are eliminated from bounds and conditions
 * (Fourier and Motzkin's elimination), which is exact where one of two factors is 1.
 */
#ifndef LOWER_FACTS_SOME_UPDATE_H
#define LOWER_FACTS_SOME_UPDATE_H

#include "lower/facts/facts.h"

/* Does the loop, with this body, run place somewhere exactly where *guard holds? Its conditions are those that do not
 * follow from outside; NULL: they all do. False: that is not known. */
bool some_update(const struct facts *outside, const struct node *loop, const struct node *body,
                 const struct node *place, const struct guard **guard);
/* Is the element's subscript of that dimension inside of it wherever the facts hold? */
bool subscript_is_inside(const struct facts *outside, const struct element *element, int dim);
/* Is the element one of its array wherever the facts hold, even if nothing updates it? */
bool element_is_there(const struct facts *outside, const struct element *element);

#endif
