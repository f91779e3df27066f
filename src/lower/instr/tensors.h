/* Tiles that the plan wants as matrix instructions. */
#ifndef LOWER_INSTR_TENSORS_H
#define LOWER_INSTR_TENSORS_H

#include "lower/lower.h"
#include "tree/vars.h"

/* Loops marked by `tensorize` around what a matrix instruction computes, around a copy of a tile, or around what is
 * computed of tiles of results element by element, become one assignment with a tensor; arrays in registers of such
 * tiles become arrays of fragments. program: as it is in memory, its arrays may change. Refused: other statements, with
 * the difference; tiles that are not where instructions find them; what the architecture lacks. */
enum status lower_tensors(struct arena *arena, const struct program *program, struct vars *vars,
                          const struct node *tree, struct diags *diags, const struct node **result);

#endif
