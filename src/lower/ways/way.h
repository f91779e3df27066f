/* The ways down a loop tree: what is bound, and what holds, from the root to a node, for all sizes at once.
 *
 * Names of the tree are not used: what they stand for is an expression of parameters and of new variables, one for each
 * loop, lane, position or inner dimension around. Two trees that are compared get the same new variables where their
 * loops are the same, and others everywhere else.
 *
 *     for j = 0 to N - 1 step 8      j is 8 * c1, c1 >= 0, N - 1 - 8 * c1 >= 0
 *         S[j + l] (8 lanes)         l is c2, 0 <= c2 <= 7, runs S[8 * c1 + c2]
 *
 * Only what has such expressions is followed; else `why` says what it was, in words that fit behind "because of".
 */
#ifndef LOWER_WAYS_WAY_H
#define LOWER_WAYS_WAY_H

#include "base/vec.h"
#include "tree/tree.h"

enum way_kind {
    WAY_NAME,   /* var, or the position on an axis, stands for value; NULL: for nothing that is followed */
    WAY_LET,    /* var is what `let` calls a value, or a mask */
    WAY_COUNT,  /* var is a new variable, from 0 to `most`, or of any number where that is NULL */
    WAY_LIMIT,  /* one of the alternatives holds; `none`: none of them does */
    WAY_GONE,   /* var, a new variable further out, is none of this way's: others are in its place */
    WAY_DIGITS, /* value has the new variables `digit` as its mixed-radix coordinates, the coarsest first */
    WAY_TEAM    /* what follows is run by each thread of a region, or is not any more */
};

/* One step of a way; immutable. */
struct way {
    enum way_kind kind;
    const struct way *outer;
    const struct var *var;
    enum axis axis; /* NAME of a position, and then var is NULL; COUNT of a digit of it */
    const struct affine *value, *most;
    int64_t low, width; /* COUNT: from low (INT64_MIN: not known), one of at most width + 1 neighbouring numbers;
                         * INT64_MAX: not known */
    bool ended;         /* DIGITS: the first digit is below its extent, too */
    bool unended;       /* COUNT: goes on from 0 for as long as DIGITS of it need; the way says nothing else of it */
    const struct node *let;
    const struct guard *alternative;
    int n_alternative;
    bool none;
    const struct var *const *digit;     /* DIGITS: n_digit of them, from 0; each but the first is below its extent; */
    const struct affine *const *extent; /* unended COUNT: so many that each point of such a box is the digits of a
                                         * number made of it; NULL: so many that a loop walks through them all */
    int n_digit;
    bool by_all; /* here each thread of a region runs all */
};

/* One tree's new variables. */
struct ways {
    struct arena *arena;
    int next_id, stride; /* of the next new variable, and from one to the next */
    bool launched;       /* kernels run at positions (after pass "grid"); else their loops are loops */
    bool taking;         /* only those instances are told that have a part in a sum, where the others have no value */
    const char *why;     /* what was not followed last; NULL: nothing so far */
};

/* What stands at the end of a way: a LOOP, TUPLE (from that part on), IF, SWITCH or KERNEL, or what runs instances. */
struct stop {
    const struct way *way;
    const struct node *node, *block; /* block: of which node is child `at`; NULL: there is none */
    int at, part;
};

typedef VEC(struct stop) stop_vec;

/* An instance of a statement that is run once for each of the counts on its way for which all limits there hold. */
struct leaf {
    const struct way *way;
    const struct node *node;
    const struct statement *statement;
    const struct affine *const *argument; /* n_argument of them, of parameters and counts */
    int n_argument;
};

typedef VEC(struct leaf) leaf_vec;

/* One step more, of which only what all have is set. */
struct way *way_step(struct ways *ways, const struct way *outer, enum way_kind kind);
/* The way to a tree, on which there is nothing yet. */
const struct way *way_root(struct ways *ways);
/* Another new variable. */
const struct var *ways_count(struct ways *ways);
/* NULL, and what that is because of. */
const void *ways_lost(struct ways *ways, const char *why);
/* The value of an expression of the tree at the end of the way; NULL: it has none, see why. */
const struct affine *way_value(struct ways *ways, const struct way *way, const struct affine *affine);
/* The same of n of them. */
const struct affine *const *way_values(struct ways *ways, const struct way *way, const struct affine *const *affine,
                                       int n);
/* way, and on it the first of the alternatives that hold, or none. NULL: some condition has no value. */
const struct way *way_where(struct ways *ways, const struct way *way, const struct guard *alternative, int n,
                            bool none);
const struct way *way_with_name(struct ways *ways, const struct way *way, const struct var *var,
                                const struct affine *value);
/* way with a count from 0 to most, of which `width` is known. */
const struct way *way_with_count(struct ways *ways, const struct way *way, const struct var *count,
                                 const struct affine *most);
/* The same of a digit of positions on an axis. */
const struct way *way_with_digit(struct ways *ways, const struct way *way, enum axis axis, const struct var *count,
                                 const struct affine *most);
/* way with a count from low on, INT64_MIN where that is not known, that is one of width + 1 neighbouring numbers. */
struct way *way_with_number(struct ways *ways, const struct way *way, const struct var *count, int64_t low,
                            int64_t width);
/* A number that affine, by itself, does not exceed; INT64_MAX: none is known. */
int64_t ways_most(struct ways *ways, const struct affine *affine);
/* way with affine >= 0, of counts. */
const struct way *way_with_least(struct ways *ways, const struct way *way, const struct affine *affine);
/* way with one of these, of counts. */
const struct way *way_with_alternatives(struct ways *ways, const struct way *way, const struct guard *alternative,
                                        int n);
/* way of what the threads of a warp do together; NULL: a row of threads is no warp. */
const struct way *way_of_warp(struct ways *ways, const struct way *way);
/* way with a count that goes on for as long as its digits need: n of these extents, as far as they are known. */
struct way *way_with_unended(struct ways *ways, const struct way *way, const struct var *count,
                             const struct affine *const *extent, int n);
/* Is there something between inner and end of which only digits tell? */
bool way_has_digits(const struct way *inner, const struct way *end);
/* Where the name was bound; NULL: nowhere. */
const struct way *way_find(const struct way *way, const struct var *var);

/* Adds what stands in node, at the end of the way, to the stops. */
void way_stops(struct ways *ways, const struct way *way, const struct node *node, stop_vec *stops);
/* How many bodies a stop has: 0 for what runs instances. */
int stop_bodies(const struct stop *stop);
/* Adds what stands in body k. count: for the variable of a loop; NULL: a new one. False: the way cannot be followed. */
bool stop_enter(struct ways *ways, const struct stop *stop, int k, const struct var *count, stop_vec *stops);
/* Bounds and step of the loop, or of the part of a tuple, that a stop is; false: it is none, or they have no values. */
struct way_loop {
    const struct affine *lower, *upper;
    int64_t step;
};
bool stop_loop(struct ways *ways, const struct stop *stop, struct way_loop *loop);
/* Adds the instances of statement that the stop runs itself. False: they cannot be told. */
bool stop_leaves(struct ways *ways, const struct stop *stop, const struct statement *statement, leaf_vec *leaves);
/* Are there, or may there be, instances of it in node, or does node itself run them? */
bool node_runs(const struct node *node, const struct statement *statement);

/* way with the positions of the launch on an axis (way_digits.c). */
const struct way *way_with_axis(struct ways *ways, const struct way *way, const struct launch *launch, enum axis axis);
/* way with the coordinates that the TUPLE, which has an axis, names: those of a position, or a number made of them. */
const struct way *way_with_digits(struct ways *ways, const struct way *way, const struct node *tuple);

/* way with the lanes that node runs (way_lanes.c): var is the number of the lane. NULL: masks are not told. */
const struct way *way_in_lanes(struct ways *ways, const struct way *way, const struct node *node,
                               const struct var *lane);

#endif
