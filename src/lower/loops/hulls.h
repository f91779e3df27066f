/* Loops over more than the instances, with conditions inside.
 *
 * While it makes loops isl coalesces domains, and where a domain has pieces with quotients and others it may get more
 * than these (poly/coalesce.h); no option turns that off. Then isl is given the hull of each such domain, which is one
 * piece, and the leaf tests what tells its instances from others:
 *
 *     { S[i] : 0 <= i < N and (i mod 4 = 0 or i <= 1) }  ->  for (i = 0; i < N; i++) if (i % 4 == 0 || i <= 1) S(i);
 */
#ifndef LOWER_LOOPS_HULLS_H
#define LOWER_LOOPS_HULLS_H

#include "lower/lower.h"

/* Is there a leaf of several pieces, so that what isl makes of them should be looked at? */
bool hulls_may_help(const struct order *order);
/* Is there a leaf of so many pieces with quotients that isl would not end? */
bool hulls_must_help(const struct order *order);
/* order, every leaf of several pieces over its hull; such leaves of one statement stay as they are where their hulls
 * meet. */
const struct order *hulls_order(struct lowering *lowering, const struct order *order);
/* tree, made of hulls, with the conditions of order. NULL where they have no form in the tree. */
const struct node *hulls_conditions(struct lowering *lowering, const struct order *order, const struct order *hulls,
                                    const struct node *tree);

#endif
