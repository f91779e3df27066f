/* Pass "leave": loops that go on while a condition on data holds end where it does not,
 *
 *     for (k = 0; k < N; k++) {                 for (k = 0; k < N && more_k; k++) {
 *         if (more_k) more_k = x[k] != key;         if (more_k) more_k = x[k] != key;
 *         if (more_k) at += 1;                      if (more_k) at += 1;
 *
 * In such a loop everything is under a condition that reads the same elements in all iterations. Where it does not
 * hold, nothing runs that could change them, so that it does not hold in any later iteration either. It is the one that
 * each iteration asks before anything else, so that nothing is read that was not read there, or one of temporaries that
 * have a value in front of the loop. lower/facts/ends.h derives of the finished tree that what is left out runs
 * nothing.
 */
#ifndef LOWER_BODY_LEAVE_H
#define LOWER_BODY_LEAVE_H

#include "lower/lower.h"

/* Loops of the description that do not end early are told. */
const struct node *lower_leave(struct lowering *lowering, const struct program *laid_out, struct diags *diags,
                               const struct node *tree);

#endif
