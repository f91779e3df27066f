/* The instances of a leaf of the order by the counts of the loops around it.
 *
 * The counts are sums of the statement's coordinates and of divisions of them, floor(i / 32) and
 * i - 32 * floor(i / 32). Where these equations can be solved, i = 32 * t0 + t1, the leaf's instances are a system of
 * constraints on the counts, and eliminating the counts from the innermost on gives the bounds of each loop. Columns of
 * all systems are the program's parameters and then the counts, outermost first.
 */
#ifndef LOWER_LOOPS_COUNTS_H
#define LOWER_LOOPS_COUNTS_H

#include "lower/lower.h"
#include "poly/system.h"

#include <isl/val.h>

struct counts {
    const struct order *leaf;
    int n_param, n_loop;            /* loops around the leaf */
    const int64_t *const *argument; /* the statement's coordinates, as sums of the columns and a constant */
    struct system known;            /* the counts of the leaf's instances, each those of one */

    /* Of counts_bounds. */
    bool empty;           /* the leaf has no instances */
    struct system guard;  /* what says something of parameters alone; derived: as else a loop would be empty */
    struct system *bound; /* of each loop: the rows in which its count is the last */
};

/* val as a number; false where it is none, or large. */
bool counts_number(__isl_take isl_val *val, int64_t *number);
/* The column of the parameter called name; -1: none. */
int counts_param_column(const struct program *program, const char *name);
/* Adds the constraints of a set of one part, its dimensions from column `first` on; false where some are left out. */
bool counts_add_set(const struct program *program, __isl_keep isl_set *set, int first, struct system *system);
/* What constraints without divisions the program's context has, as rows over `width` columns, the parameters first. */
struct system counts_context(struct lowering *lowering, int width);
/* Adds up to n congruences of parameters that the program's context has to system: K mod 4 = 0 is K = 4 q, where q is
 * the next column from `first` on. */
void counts_congruences(struct lowering *lowering, int first, int n, struct system *system);

/* The counts of leaf in the n_loop loops around it, outermost first; width columns, of which there are enough for the
 * parameters and counts, in every row. instances: the leaf's domain, or what equals it in the context. False where they
 * have no such form. */
bool counts_of_leaf(struct lowering *lowering, const struct order *leaf, __isl_keep isl_set *instances,
                    const struct order *const *loop, int n_loop, int width, struct counts *counts);
/* Finds the bounds of the loops, less what the context or loops further out say as well. False where they are not
 * seen. */
bool counts_bounds(struct counts *counts, const struct system *context);

#endif
