/* Part of pass "texts": are loops of the tree the nest of an instruction of the description's, and on which operands?
 *
 *     for (ii < 8) for (jj < 8) for (k < K)               is     for (i < 8) for (j < 8) for (k < K)
 *         C[i + ii][j + jj] += A[i + ii][k] * B[k][j + jj]           C[i, j] += A[i, k] * B[k, j]
 *
 * of C[i][j], A[i][0], B[0][j] and K. Loops are taken in their order, statements too, and expressions as they are
 * written, but for the order of factors and summands.
 */
#ifndef LOWER_INSTR_SAME_NEST_H
#define LOWER_INSTR_SAME_NEST_H

#include "lower/instr/tensor_tile.h"
#include "lower/lower.h"
#include "program/instruction.h"

enum sameness { NEST_SAME, NEST_PARTIAL, NEST_OTHER };

struct same_nest {
    struct arena *arena;
    const struct tile_site *site;    /* of the program as it is in memory */
    const struct facts *facts;       /* around the loops */
    const struct node *const *value; /* VALUE nodes around them, outermost first, n_value of them */
    int n_value;
    const struct instruction *instruction;
    /* What differs, unless it is the same; PARTIAL: loops that have another number of iterations. */
    const char *difference;
    const struct tree_expr *operands; /* NEST_SAME: a TREE_OPERANDS, of parameters, scalars and arrays in their order */
};

/* What the loops from node on are; whether each of them is one that the step names, the caller sees. */
enum sameness same_nest_find(struct same_nest *same, const struct node *node);

/* Are part[0], part[1], .. the parts of the call of `instruction`, one after the other? */
bool same_call_find(struct same_nest *same, const struct call *call, const struct node *const *part);

#endif
