/* The last look at the finished tree: what each element of a result is made of, against the description.
 *
 * At a few small parameters the tree that printers spell runs on terms (flow_term.h) in the place of numbers, and so do
 * the nests of the description in the order they are written, from the expressions that were read. In the end every
 * element of every array of the interface must hold the same term: the same operations on the same elements. Copies,
 * buffers, vectors, masks, functions, threads, blocks, reductions, asynchronous copies and matrix instructions are
 * executed, by code that shares nothing with the passes. What nobody wrote is poison, and so are lanes that are not
 * active: it may not reach a result, a condition or a subscript. Two accesses of one element by threads that no wait
 * orders are a race, unless none writes (flow_run.h), and threads that do not all come to a wait are an error: so the
 * waits are derived again. Threads run from the first to the last and, at every other size, the other way round.
 *
 * Where lanes of 8 or 16 bits compute what the nests compute in int, numbers and terms may differ by multiples of 2^n:
 * what does not hold the same term is looked at again with integers as numbers that wrap around (flow_term.h).
 *
 * Covered are the parameters that flow_sizes.h chooses, as far as a number of steps goes that depends on nothing but
 * the description and the tree. A run that takes more is given up; smaller ones come first. Where none
 * comes to its end, as sizes are large constants, the tree runs alone for some steps: results are not compared, but
 * races, waits and places outside of arrays are seen.
 *
 * Not covered:
 *   - descriptions with a step that is `unsafe`;
 *   - conversions between types of integers, which leave terms alone at the first look, and so overflow in a type that
 *     is too small;
 *   - with `reassociate` anywhere in the program: the order of its floats' sums, and roundings to smaller types;
 *   - both sides of a minimum or a comparison at once: a condition on data has one outcome at each place;
 *   - subscripts that are computed of data other than index arrays, at which a look ends;
 *   - the number of a region's threads: there are three, and two iterations of one thread count as two threads'.
 */
#ifndef LOWER_FLOW_FLOW_H
#define LOWER_FLOW_FLOW_H

#include "lower/lower.h"

/* described: the program as it was read; laid_out: the one whose arrays tree uses. Reports an internal error where a
 * result holds something else. *compared: the number of looks in which results were compared. */
enum status flow_check(struct arena *arena, const struct program *described, const struct program *laid_out,
                       const struct vars *vars, const struct node *tree, struct diags *diags, int *compared);

#endif
