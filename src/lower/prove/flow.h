/* The last look at the finished tree: what each element of a result is made of, against the description.
 *
 * At a few small parameters the tree that printers spell runs on terms (flow_term.h) in the place of numbers, and so do
 * the nests of the description in the order they are written, from the expressions that were read. In the end every
 * element of every array of the interface must hold the same term: the same operations on the same elements. Copies and
 * buffers are followed that way, vectors, masks, functions, threads, blocks, reductions and asynchronous copies
 * included; nothing is shared with what made the tree but the tree itself. What nobody wrote is poison, and so are
 * lanes that are not active: it may not reach a result, a condition or a subscript. Two accesses of one element by
 * threads that no wait orders are an error, unless none writes (flow_run.h): the waits are derived again that way.
 *
 * Covered are the parameters that flow_sizes.h chooses, as far as a number of steps goes that depends on nothing but
 * the description and the tree; a run that takes more is given up without a word, smaller ones come first. Not covered:
 * descriptions with a step that is `unsafe`; conversions between types of integers, which leave terms alone; which of
 * two orders floats with `reassociate` take, which is what that permits anywhere in the program; the values of minima
 * and comparisons; subscripts that are computed of data other than index arrays, at which a look ends. Threads of a
 * region are three; what one of them does in two iterations of a loop whose end nobody waits for is taken for two
 * threads'.
 */
#ifndef LOWER_PROVE_FLOW_H
#define LOWER_PROVE_FLOW_H

#include "lower/lower.h"

/* described: the program as it was read; laid_out: the one whose arrays tree uses. Reports an internal error where a
 * result holds something else. */
enum status flow_check(struct arena *arena, const struct program *described, const struct program *laid_out,
                       const struct vars *vars, const struct node *tree, struct diags *diags);

#endif
