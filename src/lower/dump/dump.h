/* Loop trees as text that people and polynest read: what `--dump=PASS` prints and `--from-dump` goes on from.
 *
 *     polynest-dump 1                               the version of this form
 *     == vectors                                    a tree, after this pass
 *     guarded i                                     loops whose tail is `guard`, as it cannot be `peel`
 *     array acc: keeps [1, 2]                       what passes have changed of arrays
 *     var i: kind loop, narrow, high 63             variables in the order of their identities
 *     for i = 0 to N - 1, info i                    the tree: a node a line, what is in it indented by four spaces
 *         set C[i] += A[i]:f32, statement S0, argument [i]
 *
 * Names that several variables or loops have are numbered, i#1, i#2. A tree belongs to a description: arrays, scalars,
 * statements, parameters and loops are those of that name there. On a device there is a tree for each kernel while
 * passes run for each of them. fields.h says what a line holds.
 */
#ifndef LOWER_DUMP_DUMP_H
#define LOWER_DUMP_DUMP_H

#include "lower/pipeline.h"

/* What the names in a dump stand for. */
struct dump_scope {
    struct arena *arena;
    const struct program *stored; /* has the statements */
    const struct program *arrays; /* stored, or its arrays as they are in memory and as passes change them */
    const struct order *order;    /* has the loops */
    struct vars *vars;
};

/* A tree of a dump. */
struct dumped {
    const struct node *tree;
    struct place place;
};

typedef VEC(struct dumped) dumped_vec;

/* The first line of each dump. */
void dump_begin(struct text *out);
/* The tree after the pass; `guarded`: identities of loops, n of them, see struct lowering. */
void dump_write(struct text *out, const struct dump_scope *scope, const char *pass, const int *guarded, int n_guarded,
                const struct node *tree);

/* The pass whose trees the dump has; NULL after reporting that it is none. */
const struct pass *dump_pass(struct arena *arena, const struct source *source, struct diags *diags);
/* Adds all trees of the dump, their loops that are guarded, and what it says of scope's arrays; false after reporting
 * what is wrong. Trees have the form of trees; what else holds of them is for the verifier to see (tree/verify.h). */
bool dump_read(const struct dump_scope *scope, const struct source *source, struct diags *diags, dumped_vec *trees,
               struct lowering *lowering);

#endif
