/* Which iteration the leaves of isl's AST are in of a loop that isl made none of: part of lower/loops/from_isl.c. */
#ifndef LOWER_LOOPS_ITERATIONS_H
#define LOWER_LOOPS_ITERATIONS_H

#include "sched/order.h"

#include <isl/ast_build.h>

/* build, which notes in what it makes where that runs. */
__isl_give isl_ast_build *iterations_note(__isl_take isl_ast_build *build, struct arena *arena);
/* The only count in node, a part of the AST, of the loop in order that has the info; NULL: there is none. */
__isl_give isl_ast_expr *iteration_of(__isl_keep isl_ast_node *node, const struct order *order,
                                      const struct loop_info *info);

#endif
