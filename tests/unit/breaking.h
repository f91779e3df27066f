/* Trees that are broken on purpose: a description is compiled, and its tree broken in one way, at one place after the
 * other. */
#ifndef TESTS_UNIT_BREAKING_H
#define TESTS_UNIT_BREAKING_H

#include "api/compile.h"
#include "tree/tree.h"

/* How nodes are broken: NULL where the node has nothing of that kind. */
typedef const struct node *breaking(struct arena *arena, const struct node *node);
/* The same of a copy of an expression; false: it is none of that kind. */
typedef bool breaking_expr(struct arena *arena, struct tree_expr *expr);

struct trial {
    breaking *way;
    const char *told;
    int places;
};

/* Choices and conversions in lanes, with masks, and a sum. */
extern const char breaking_mixed[];

struct node *copy_of(struct arena *arena, const struct node *node);
/* node with the place number *place broken; *place counts down to -1 there. */
const struct node *broken(struct arena *arena, const struct node *node, breaking *way, int *place);
/* node with its value, of an assignment or a name, broken that way. */
const struct node *with_value(struct arena *arena, const struct node *node, breaking_expr *way);
const struct node *with_vector(struct arena *arena, const struct node *node, struct vector vector);

/* tree, which is not verified: `told` is what is said of it. */
void expect_verified(const struct finished *finished, const struct node *tree, const char *told);
/* The finished tree of the description, with ' for ", is shown to see, which breaks it. */
void expect_broken(const char *description, void (*see)(const struct finished *, void *), struct trial trial);
/* All places at which the description's tree can be broken in this way are told. */
void expect_told(const char *description, breaking *way, const char *told);

#endif
