/* Proofs about the program as written, before any schedule (design section 5).
 *
 * Every failed proof is reported with the smallest counterexample in the user's words: parameters
 * as declared, then the statement's instance, e.g.
 *   A[i + 1] is outside A, which has 10 elements: S[9] reads A[10] (N = 10)
 */
#ifndef PROGRAM_CHECK_CHECK_H
#define PROGRAM_CHECK_CHECK_H

#include "program/program.h"

/* Accesses stay inside their arrays for all parameters allowed; the hint is the assumption that
 * would be enough, where there is one. Storage (strides) is injective and non-negative. */
enum status program_check_bounds(const struct program *program, struct diags *diags);
/* The same, but for storage: whatever its strides are, those of the arrays that it is given are sound. */
enum status program_check_accesses(const struct program *program, struct diags *diags);
/* `in` and `const` arrays are not written; arrays of constant shape fit the address space. */
enum status program_check_types(const struct program *program, struct diags *diags);

#endif
