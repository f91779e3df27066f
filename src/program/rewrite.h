/* Programs made from programs: what inlining and contraction share. Sets and maps are shared with the original;
 * expressions are copied where they change. */
#ifndef PROGRAM_REWRITE_H
#define PROGRAM_REWRITE_H

#include "program/program.h"

/* A copy with statements of its own, in the same order, on the same arrays; described is the program that the user
 * wrote. */
struct program *program_copy(struct arena *arena, const struct program *program);

/* The same with arrays of its own, too; expressions and accesses are those of the copy throughout. */
struct program *program_copy_arrays(struct arena *arena, const struct program *program);
/* The one array more that such a copy has room for; the caller fills it. */
struct array *program_add_array(struct arena *arena, struct program *program);

/* One access expression and what takes its place. */
struct replacement {
    const struct expr *old;
    struct expr *new;
};

struct rewriting {
    struct arena *arena;
    const struct array *from, *to; /* the arrays of the original and of the copy */
    VEC(struct replacement) list;
};

void rewriting_add(struct rewriting *rewriting, const struct expr *old, struct expr *new);
/* expr with the replacements made and its arrays those of the copy; what does not change is shared, so that accesses
 * keep pointing to their expressions. NULL stays NULL. */
struct expr *rewriting_apply(const struct rewriting *rewriting, struct expr *expr);

#endif
