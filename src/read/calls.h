/* Statements that call a function: "sort(n = N, x = A[i, :])", of an instruction that has no nest.
 *
 * Nobody says what it computes, only what it may read and change. So a call is read as the loops over the elements of
 * its operands, with two functions of no name: what takes a value depends on it, and what is given may be anything.
 *
 *     T[i] = take(1, alpha)                                    the function's number, and its scalars
 *     for (x_0 < N) T[i] = take(T[i], A[i, x_0])               each `in` and `inout` operand is read,
 *     for (x_0 < N) A[i, x_0] = give(take(T[i], x_0))          each `out` and `inout` one is written
 *
 * Instances, bounds, dependences and values are then those of any statement. T has an element for each iteration of the
 * loops around, which contraction removes; a function with a state has another such array, which each of its calls
 * reads and changes. Pass "texts" proves that the parts are still together and unchanged, and puts the text there.
 */
#ifndef READ_CALLS_H
#define READ_CALLS_H

#include "read/reader.h"

/* How many arrays at most the calls of the description add to it. */
int call_arrays(const struct value *description);
/* Is it a call, of one of the program's functions or of a name that could be one? */
bool call_is(const struct reader *reader, const struct value *string);
/* The call in string inside of the scope's loops, under guard or NULL, as a block; NULL after reporting. */
struct block *call_read(struct reader *reader, const struct nest *nest, const struct scope *scope, struct expr *guard,
                        const struct value *string);
/* The nest of a function itself, in the reader of its own program: a call of it with its own operands. */
void call_own_nest(struct reader *reader, const struct instruction *instruction);
/* What the label of a part starts from, `S` being the label of the call's first statement. */
const char *call_label(struct reader *reader, const struct statement *part, const char *first);

#endif
