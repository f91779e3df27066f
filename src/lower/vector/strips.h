/* The loop that pass "vectors" is at, between its files: the pass (vectors.c), loops over vectors (strips.c), and what
 * all lanes of one load (shared.c). */
#ifndef LOWER_VECTOR_STRIPS_H
#define LOWER_VECTOR_STRIPS_H

#include "lower/facts/facts.h"
#include "lower/vector/lane_types.h"
#include "lower/vector/lanes.h"

struct path {
    const struct node *node;
    int child; /* into which the path goes on */
};

struct vectors {
    struct lowering *lowering;
    VEC(struct path) path;       /* to the node at hand, outermost first */
    bool asks_compiler;          /* the target's vectors are the compiler's business */
    struct lanes lanes;          /* of the loop at hand */
    const struct node *inner[2]; /* loops between the path and the lanes at hand; NULL: none */
    enum tail tail;              /* what is to become of iterations that fill no vector */
    int registers;               /* that hold the lanes of one step of it */
    struct lane_types types;
    const struct node *scalar;  /* the loop at hand as its iterations run one by one */
    const struct node *body;    /* its body for the lanes, folded, */
    const struct var *variable; /* and its variable there */
};

/* What is known inside of the path. */
struct facts vectors_facts(struct vectors *vectors);

/* Is there, for all that is known here, an iteration of the loops around in which lane 0 is active and which shares all
 * that body loads? user: struct vectors; the lanes below count are active. */
bool vectors_share_soundly(void *user, const struct affine *count, const struct node *body);

/* The loop's body with its variable as base and as many steps as the lane's number, its lanes below count active (NULL:
 * all). NULL after a refusal, as below. */
const struct node *vectors_lanes(struct vectors *vectors, const struct node *loop, const struct affine *base,
                                 const struct affine *count);
/* How far the loop goes from its start, in its direction; negative: it has no iterations. */
const struct affine *vectors_distance(struct arena *arena, const struct node *loop);
/* node under the condition that the loop has iterations, unless it is known to have at least 1 - least of them. */
const struct node *vectors_if_any(struct vectors *vectors, const struct node *loop, int64_t least,
                                  const struct node *node);
/* loop, of n iterations, more than lanes: a loop over vectors, the last of them partial if need be. */
const struct node *vectors_short_strip(struct vectors *vectors, const struct node *loop, int64_t n);
/* The same for a number of iterations that is known at run time only. */
const struct node *vectors_long_strip(struct vectors *vectors, const struct node *loop);

#endif
