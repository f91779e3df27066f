/* Parameters at which flow.h looks at a tree: small ones, then for each parameter one that goes a little beyond the
 * tiles, vectors and blocks that the tree counts it in.
 */
#ifndef LOWER_FLOW_FLOW_SIZES_H
#define LOWER_FLOW_FLOW_SIZES_H

#include "base/vec.h"
#include "program/program.h"
#include "tree/tree.h"
#include "tree/vars.h"

typedef VEC(const int64_t *) flow_sizes;

/* Different ones, all of which the program allows; program->n_param numbers each. */
flow_sizes flow_choose_sizes(struct arena *arena, const struct program *program, const struct vars *vars,
                             const struct node *tree);

#endif
