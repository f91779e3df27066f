/* Orders with the exact times of instances, for people: as a tree, or a line for each part of a statement. */
#ifndef REPORT_TIMES_H
#define REPORT_TIMES_H

#include "sched/order.h"

/* Adds
 *
 *     loop y by 32: S0, S1: floor(y/32); S2: i0
 *       sequence
 *         S0[y, x] : 0 <= y < H and 0 <= x < W
 *
 * program: what the order is of. */
void report_tree(struct arena *arena, const struct program *program, const struct order *order, struct text *out);
/* Adds "S0[y, x] -> [floor(y/32), 1, y mod 32]" for each leaf, and below it which instances these are: the values of
 * the loops around, outermost first, and the places in sequences. */
void report_map(struct arena *arena, const struct program *program, const struct order *order, struct text *out);

#endif
