/* Do some leaves of a finished tree run the same instances of a statement as some of the proved tree, each once, for
 * all values of what is around both? Mostly that is seen without sets (prove/same_lines.h); else isl is asked:
 *
 *     { S[x] : x = argument(c), limits(c) }          the instances of a leaf, its counts c projected out
 *
 * of the finished tree's leaves must be disjoint, each of a map from counts that is injective, and together be those of
 * the proved tree, of which that is known.
 */
#ifndef LOWER_FINISHED_SAME_SETS_H
#define LOWER_FINISHED_SAME_SETS_H

#include "lower/finished/same_lines.h"
#include "program/program.h"

enum same_answer { SAME_YES, SAME_NO, SAME_UNKNOWN };

struct same_sets {
    struct arena *arena;
    const struct program *program;
    const struct var *const *param_var;
    int64_t *param;             /* of a NO: parameters at which it may show */
    const char *why;            /* of an UNKNOWN that isl was not asked about; else NULL */
    const int64_t *param_least; /* by identity; INT64_MIN: not known */
};

/* context: what is around is to be known, and not only of what values the parameters are. */
enum same_answer same_sets(struct same_sets *sets, const struct side *proved, const struct side *finished,
                           bool context);
/* Is affine >= 0, or for `equal` 0, everywhere on the way? NO: not at sets->param, where that is known. */
enum same_answer same_sets_shown(struct same_sets *sets, const struct way *way, const struct affine *affine,
                                 bool equal);

#endif
