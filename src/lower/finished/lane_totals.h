/* Vectors in which the lanes of a loop collect what updates add to one element:
 *
 *     let v = 0 (2 registers of 16 lanes)
 *         for j: v[j / 16 % 2] += x[j]      in the place of s += x[j]
 *         v[0] += v[1]
 *         s += total(v[0])
 *
 * Such a vector is accepted if it starts with the neutral value, or with s where the operation is idempotent; if all of
 * it is added to s once, after the last update; if nothing else reads or writes it; and if nothing reads or writes s
 * before that. Then s has the value that it would have if each lane had updated s itself, in some order. That registers
 * of updates are among those of the vector is left to the leaves (sources_parties.c).
 *
 * Other variables are all that there is of an array, each lane having an element of its own:
 *
 *     let c = C[j + lane], an instance of c_fill
 *         c += a * b[j + lane], an instance of S
 *         C[j + lane] = c, an instance of c_flush
 */
#ifndef LOWER_FINISHED_LANE_TOTALS_H
#define LOWER_FINISHED_LANE_TOTALS_H

#include "base/vec.h"
#include "tree/tree.h"

/* The LETs of such vectors. */
typedef VEC(const struct node *) lane_total_vec;

/* Adds those of the tree that are kept. */
void lane_totals_find(struct arena *arena, const struct node *tree, lane_total_vec *kept);
/* The one that the assignment updates, in the place of its target, or brings there; NULL: it is none of them. */
const struct node *lane_totals_of(const lane_total_vec *kept, const struct node *assign);

/* Arrays, by name. */
struct lane_held {
    VEC(const char *) in_variables, in_memory;
};

void lane_held_find(struct arena *arena, const struct node *tree, const lane_total_vec *kept, struct lane_held *held);
/* Are all elements that are stored and loaded of that array in variables? */
bool lane_held_has(const struct lane_held *held, const struct array *array);
/* The variable that the node stores in the place of an element; NULL: it is none. */
const struct var *lane_held_variable(const struct node *node);

#endif
