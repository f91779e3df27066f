/* Where the tile of a matrix instruction is in memory, and whether the instruction can take it from there. */
#ifndef LOWER_INSTR_TENSOR_TILE_H
#define LOWER_INSTR_TENSOR_TILE_H

#include "base/vec.h"
#include "program/program.h"
#include "tree/tree.h"

enum { TENSOR_LOOPS = 3 }; /* those of rows, columns and the sum */

/* A variable and what its values are multiples of. */
struct multiple {
    const struct var *var;
    int64_t of;
};

/* What is known where a tile is. */
struct tile_site {
    struct arena *arena;
    const struct program *program;
    const struct var *const *param_var;
    VEC(struct multiple) around;
    const struct var *var[TENSOR_LOOPS]; /* of the loops of the tile at hand; NULL: there is none */
};

/* What is different about assign from "C[i, j] += A[i, k] * B[k, j]", or NULL; fits: the sum's type is right for the
 * product. */
const char *tile_difference(const struct node *assign, bool fits);
/* What the node tells is around its children; how many of `around` that is. */
int tile_enter(struct tile_site *site, const struct node *node);
/* node with walk's results for its children, while site knows what is around them; NULL: one of them is. */
const struct node *tile_walk_inside(struct tile_site *site, const struct node *node,
                                    const struct node *(*walk)(const struct node *node, void *user), void *user);
/* What all values of a are multiples of; 0: it is 0. */
int64_t tile_multiple_of(const struct tile_site *site, const struct affine *a);
/* Elements of a dense array from one step of dimension dim to the next; NULL: not known as one expression. */
const struct affine *tile_distance(const struct tile_site *site, const struct array *array, int dim);
/* The only dimension of element whose subscript moves with var, by one; -1: it is not like that. */
int tile_dimension(struct arena *arena, const struct element *element, const struct var *var);
/* Where in memory the tile of loops number `rows` and `columns` is, of which element is the array's access. Returns
 * NULL, or why no instruction can take it from there, with a hint or NULL. */
const char *tile_find(const struct tile_site *site, const struct element *element, int rows, int columns,
                      struct tensor_tile *tile, const char **hint);
/* Are the last two dimensions of the element's array, in some order, all of the tile of these loops, of these sizes? */
bool tile_is_whole(const struct tile_site *site, const struct element *element, const int loops[2],
                   const int64_t *size);

#endif
