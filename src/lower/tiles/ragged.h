/* Loops that are to run over literals, written out, as lanes, or over what is in registers, and the conditions under
 * which all of their iterations are there: i + 6 <= M of ii < min(6, M - i). */
#ifndef LOWER_TILES_RAGGED_H
#define LOWER_TILES_RAGGED_H

#include "base/vec.h"
#include "tree/tree.h"

typedef VEC(struct condition) ragged_conditions;

/* A function for one remainder. */
struct ragged_remainder {
    VEC(const struct var *) inner; /* variables bound in it, literal loops' apart */
};

/* Ends that literal loops around give a literal loop, 2 * i of j <= 2 * i: it lacks iterations in full tiles, too. */
typedef VEC(const struct affine *) ragged_ends;

/* What is around a node. */
struct ragged_around {
    const struct ragged_remainder *remainder; /* NULL: none */
    bool repeats;                             /* a loop of which each thread runs all iterations */
};

/* The ragged loops below a node. */
struct ragged {
    struct arena *arena;
    struct ragged_around around;
    ragged_conditions full;           /* all hold: every one of them runs to its constant end */
    ragged_ends inside;               /* but for these */
    VEC(const struct var *) inner;    /* variables bound below, literal loops' apart */
    VEC(const struct node *) literal; /* literal loops around the place, outermost first */
    bool failed;                      /* a loop has no constant end */
    const struct node *loop;          /* that loop */
};

/* A bound of a literal loop that is no constant: the loop's values are at most, or, of a lower one, at least that. */
struct ragged_limit {
    const struct affine *at;
    bool lower;
};

typedef VEC(struct ragged_limit) ragged_limits;

/* Does node use registers that subscripts tell apart? */
bool ragged_has_register(const struct node *node);
/* Is node a loop that is to run over literals? */
bool ragged_is_literal(struct arena *arena, const struct node *node);
/* Does a loop go on copying by this one, which all threads of a block share, several elements each? */
bool ragged_copies_again(const struct ragged_around *around, const struct node *node);
/* The value that a literal loop starts with when it starts at a constant: 0 of max(0, 1 - h). NULL: there is none, or
 * what is left out in front may end inside of a vector or a step. */
const struct affine *ragged_first_value(struct arena *arena, const struct node *loop);
/* The constant that no value of the loop is beyond, which for one over registers is the end of a full tile where it
 * goes through what is left of one. NULL: there is none. */
const struct affine *ragged_end(struct arena *arena, const struct node *loop);
/* May a literal loop end early, or start late? */
bool ragged_is_ragged(const struct node *loop);
/* The limits of such a loop. */
ragged_limits ragged_limits_of(struct arena *arena, const struct node *loop);
/* What is not negative where value keeps the limit. */
const struct affine *ragged_within(struct arena *arena, const struct ragged_limit *limit, const struct affine *value);
/* Is a, the end of a loop in a function for one remainder, the same throughout the function? */
bool ragged_is_outside(const struct ragged_remainder *remainder, const struct affine *a);
/* Adds the ragged loops of node; what is inside of functions is done already. */
void ragged_collect(struct ragged *ragged, const struct node *node);
/* Are the conditions known outside of node, below which the loops are? */
bool ragged_is_known(const struct ragged *ragged);

#endif
