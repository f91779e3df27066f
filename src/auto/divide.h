/* Dividing loops among the statements in them, as far as dependences allow. */
#ifndef AUTO_DIVIDE_H
#define AUTO_DIVIDE_H

#include "auto/site.h"

/* The parts after division: each loop is distributed over its statements, innermost loops first, wherever no statement
 * before the cut depends on one after it. A loop stays whole where its pieces would gain threads only, also if loops
 * inside of it were divided that stay whole by themselves, and parts whose steps would be the same are one. The steps
 * are a choice of their own. */
part_vec divide_nest(const struct scene *scene, const part_vec *parts);
/* Does a recipe do more than threads for some of the loops in the part, as it is? */
bool part_gains(const struct scene *scene, const struct nest_part *part);

#endif
