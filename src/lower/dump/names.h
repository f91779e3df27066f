/* The names in a dump: of variables and of loops, of which several may have the same one. */
#ifndef LOWER_DUMP_NAMES_H
#define LOWER_DUMP_NAMES_H

#include "lower/dump/dump.h"

/* Things in the order of the dump, and what each is called. */
struct handle {
    const void *thing;
    const char *name;   /* its own */
    const char *handle; /* the same, or with its number among those of that name, i#2 */
};

typedef VEC(struct handle) handle_vec;

/* Sets the handles. */
void handles_set(struct arena *arena, handle_vec *handles);
const char *handle_of(const handle_vec *handles, const void *thing);
/* NULL: there is none of that name. */
const void *handle_find(const handle_vec *handles, const char *handle);

/* The loops of the scope's order. */
handle_vec handles_of_loops(const struct dump_scope *scope);
/* Of a loop that passes made of one of the order, that one's. */
const char *handle_of_loop(const handle_vec *loops, const struct loop_info *info);

#endif
