/* Views: parts of arrays with names and shapes of their own.
 *
 * An access through a view is an access of the array, made by the reader: V[i] of a view at offset 1 with stride 2 is
 * the expression A[1 + 2 * i], which remembers V for messages and for the proof that it stays inside V's shape.
 */
#ifndef PROGRAM_STORAGE_VIEW_H
#define PROGRAM_STORAGE_VIEW_H

#include "program/program.h"

const struct array *program_view(const struct program *program, const char *name);

/* Turns access, whose subscripts are those of view, into one of the array it is part of. */
void view_resolve(struct arena *arena, struct expr *access, const struct array *view);
/* Subscript k of the view that access was written with; NULL when it was written with none, or has been changed. */
const struct expr *view_subscript(const struct expr *access, int k);
/* Does every subscript of the view still show? Then access is printed as the user wrote it. */
bool view_shows(const struct expr *access);

/* { A[a] -> V[v] }: the inverse of what view_resolve does. */
__isl_give isl_map *view_map(const struct program *program, const struct array *view);
/* Reports a view that leaves the array it is part of. */
void check_view(const struct program *program, const struct array *view, struct diags *diags);

#endif
