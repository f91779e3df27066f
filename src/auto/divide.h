/* Dividing loops among the statements in them, as far as dependences allow. */
#ifndef AUTO_DIVIDE_H
#define AUTO_DIVIDE_H

#include "auto/site.h"

/* What stands in the place of parts: each loop is divided, innermost first, wherever nothing in front of the cut
 * depends on what is behind it. A loop stays whole where its pieces would gain no more than threads. Adds the steps
 * to the scene's division. */
part_vec divide_parts(const struct scene *scene, const part_vec *parts);

#endif
