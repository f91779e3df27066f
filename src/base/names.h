/* Names: identifier syntax, reserved words, unique names, suggestions for misspelt ones. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

/* [A-Za-z_][A-Za-z0-9_]*, at most 255 characters. */
bool name_is_identifier(const char *name);
/* A word the emitted C or CUDA file cannot use: keywords, standard macros and types the emitted
 * headers bring, names starting with "__" or "_" + capital, CUDA built-ins. */
bool name_is_reserved(const char *name);

/* The candidate that other languages and tools call name, else the nearest by edit distance, or NULL when none is near
 * enough to suggest. */
const char *name_nearest(const char *name, const char *const *candidates, int n);

/* "`a`, `b` and more": each of the names once, eight at most; NULL: there are none. Kept by the arena. */
const char *names_listed(struct arena *arena, const char *const *name, int n);

/* A set of names in use. */
struct names {
    struct arena *arena;
    VEC(const char *) used;
};

void names_add(struct names *names, const char *name);
bool names_has(const struct names *names, const char *name);
/* wanted, with an n in front where C reserves all names that start like it; its ends _1, _2, .. are then free. */
const char *names_start(struct arena *arena, const char *wanted);
/* wanted itself, or wanted_1, wanted_2, ...; neither reserved nor in use; added to the set. It starts like
 * names_start. */
const char *names_unique(struct names *names, const char *wanted);

#endif
