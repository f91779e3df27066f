/* Which instances of statements the loop tree runs at certain parameters, by running its loops, conditions and lanes;
 * no values are computed. Both forms of the tree run: that of STATEMENT leaves, and the finished one.
 *
 * What runs: BLOCK, LOOP (also in threads, and one that continues another), IF on affine conditions, SWITCH, VALUE,
 * TUPLE, LET, CALL, REGION, SINGLE, POINTER, TILES; STATEMENT, and ASSIGN with all its inner dimensions: lanes with
 * their counts and masks, products, tiles of matrix instructions, groups that are stored together. Else the run fails,
 * and so it does at conditions on values, and, in the finished form, at a KERNEL.
 */
#ifndef LOWER_PROVE_RUN_TREE_H
#define LOWER_PROVE_RUN_TREE_H

#include "program/check/replay.h"
#include "tree/tree.h"

enum { RUN_DEEPEST = 256, RUN_MOST_LOOPS = 64, RUN_SLOTS = 512 };

/* The innermost loop around what runs, one of whose iterations comes after the other. */
struct running_place {
    const struct var *loop; /* its variable; NULL: there is none */
    int64_t run;            /* which run of a loop this is */
};

struct running {
    const struct var *var[RUN_DEEPEST]; /* in sight */
    int64_t value[RUN_DEEPEST];
    const struct node *let[RUN_DEEPEST]; /* the variable is that of this LET, and has no value; NULL: it is no LET's */
    int n;
    uint8_t slot[RUN_SLOTS]; /* where a variable with this identity, modulo the length, was last */
    int64_t past;            /* the value that the last loop that ended would have gone on with */
    int64_t steps;           /* left */
    bool failed;             /* too many, or something that is not run here */
    struct replayed *result; /* of each statement, by index */
    bool *untold; /* statements of which some instances are not known; NULL: not asked for, and the form is not
                              * the finished one */
    const struct node *kernel;         /* that runs, of the finished form, or NULL: */
    int64_t position[LAUNCH_AXES + 1]; /* there, */
    int64_t extent[LAUNCH_AXES + 1];   /* of so many on each axis */
    /* Called at each instance, with the lane that it is in (0 without vectors); NULL: nothing is. */
    void (*look)(void *user, struct running *running, const struct node *node, const struct statement *statement,
                 const int64_t *coordinate, int64_t lane);
    void *user;
    struct running_place place;
    int64_t n_runs; /* of loops so far */
    bool again;     /* the node that is looked at is another time: no lane of it was looked at yet */
};

/* The value here; 0 after a failure. */
int64_t running_value(struct running *running, const struct affine *affine);
/* The LET around that var is a name of; NULL: there is none. */
const struct node *running_let(struct running *running, const struct var *var);
/* Runs node and what is below. */
void running_run(struct running *running, const struct node *node);

#endif
