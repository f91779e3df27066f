/* Assignments next to each other under one condition on data, which is printed once:
 *
 *     if (more) n += 1;      ->   if (more) {
 *     if (more) z = t;                n += 1;
 *                                     z = t;
 *                                 }
 */
#ifndef TARGET_CLIKE_TOGETHER_H
#define TARGET_CLIKE_TOGETHER_H

#include "tree/tree.h"

/* How many children of the block, from number `first` on, have one condition that none but the last of them may change;
 * 1 where it is that child alone. */
int together_count(const struct node *block, int first);
/* Are all of the block's, which are several? */
bool together_all(const struct node *block);
/* The assignment without its condition. */
struct node together_bare(const struct node *assign);
/* body, of a loop that ends where its condition does not hold, without this in front of what runs first. */
const struct node *together_begun(struct arena *arena, const struct node *loop);

#endif
