/* Loops with a condition on data at which they end: {"loops": [.., "k < N"], "while": "CONDITION", "body": [..]}.
 *
 * The condition has a temporary of its own, one for each iteration of the loops around:
 *
 *     more_k = 1                                      in front of the loop
 *     for (k < N)
 *         if (more_k) more_k = CONDITION
 *         if (more_k) BODY
 *
 * so that all that runs in the loop is under a condition that stays false once it is.
 */
#ifndef READ_WHILE_LOOPS_H
#define READ_WHILE_LOOPS_H

#include "read/reader.h"

/* How many loops of the description have such a condition: as many arrays more it is to have room for. */
int while_count(const struct value *description);
/* The temporary for a loop of that name inside of the scope's loops, with the condition in string, which is told there;
 * an array of the program from now on. */
const struct array *while_temporary(struct reader *reader, const struct scope *scope, const struct nest_loop *loop,
                                    const struct value *string, const struct expr *condition);
/* The statement in front of the loop, in the scope around it, and the first one inside, in the loop's own. NULL after
 * reporting what is wrong with the condition. */
struct statement *while_begins(struct reader *reader, const struct nest *nest, const struct scope *scope,
                               const struct array *temporary);
struct statement *while_asks(struct reader *reader, const struct nest *nest, const struct scope *scope,
                             const struct array *temporary, const struct expr *condition);
/* Names for the statements above that none of the user's has. */
const char *while_label(struct reader *reader, const struct statement *statement);

#endif
