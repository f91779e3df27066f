/* Scalars that each iteration of a loop has for itself, such as a sum: but for the memory that they share, iterations
 * do not depend on each other by them.
 */
#ifndef AUTO_OWN_H
#define AUTO_OWN_H

#include "auto/site.h"

typedef VEC(const struct array *) own_vec;

/* Temporary scalars that an iteration writes before anything else in it uses them. Whether their values also stay in
 * the loop is not asked. */
own_vec own_scalars(const struct scene *scene, const struct nest_part *loop);
/* The same, and those that an iteration of a loop inside writes first, which is the only one that uses them. */
own_vec own_inside(const struct scene *scene, const struct nest_part *loop);
/* May the iterations of the loop run at once, but for these scalars, none of them adding to what others add to? */
bool own_suffices(const struct scene *scene, const struct nest_part *loop, const own_vec *own);
/* Do iterations of the loop of the site share only temporaries, arrays too, that each of them writes before it uses
 * them, and is there one? */
bool own_frees(const struct site *site, int loop);
bool own_has(const own_vec *own, const struct array *array);
/* Do statements outside of the loop use one of them, too? */
bool own_are_shared(const struct scene *scene, const struct nest_part *loop, const own_vec *own);
/* The step that gives each iteration of the loops its own; over is a list as in JSON. Where statements outside of the
 * part use the scalar, too, they keep it. */
void own_expand(const struct scene *scene, const struct nest_part *loop, const struct array *scalar, const char *over,
                struct option *option);

#endif
