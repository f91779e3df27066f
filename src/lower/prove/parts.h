/* The parts of a statement's instances that the leaves of the loop tree run, by the counts of the loops.
 *
 * In the tree a loop's variable is its stride times its count, and its bounds and the conditions around a leaf say for
 * which counts the leaf runs: a part is a conjunction of inequalities on parameters and counts. Divisions in them get
 * columns of their own.
 */
#ifndef LOWER_PROVE_PARTS_H
#define LOWER_PROVE_PARTS_H

#include "lower/loops/counts.h"

/* What one leaf runs: the instances with these counts, each once. */
struct part_rows {
    struct system row;  /* inequalities; also of counts without a loop around that are the outer digit of a number */
    struct system gone; /* equations: what other counts without a loop around are, each row's column being its only
                         * appearance in all of them */
    int *column;        /* of each row of `gone` */
};

struct parts {
    struct system defined; /* what the columns of divisions are */
    VEC(struct part_rows) leaf;
};

/* The columns behind those of the counts that parts need. */
enum { PARTS_DIVISIONS = 16 };

/* What the leaves of counts' statement run in tree, all columns being those of counts. False where some leaf has no
 * such form, or does not run the instance with the counts of the loops around it. */
bool parts_of_tree(struct lowering *lowering, const struct node *tree, const struct counts *counts,
                   const struct order *const *loop, struct parts *parts);

#endif
