/* What is looked at of a node that runs instances (prove/run_subscripts.h): the elements that it stores and loads, by
 * names, too, each with the access that it must be, found once for all instances. */
#ifndef LOWER_PROVE_NODE_LOOKS_H
#define LOWER_PROVE_NODE_LOOKS_H

#include "base/vec.h"
#include "lower/prove/run_tree.h"

struct stored_access; /* prove/run_subscripts.h */

struct look {
    const struct element *element;
    const struct expr *own; /* the access of the statement; NULL: any that it has, or, if it is stored, its target */
    int64_t group;          /* the number of neighbours that make up one lane's value; 1: plain elements */
    bool stores;
    bool follows; /* its element grows by as much from each lane, and iteration, to the next */
};

struct node_looks {
    const struct node *node;
    VEC(struct look) looks;
    bool differs; /* a number or an operation is not the statement's */
    bool follow;  /* instances grow by as much from each lane, and iteration of the loop around, to the next */
    bool has_lanes;
    bool asked; /* whether the statement's elements of looks that follow do, too: else these are none that follow */
    /* By what was looked at in one run of the loop around (prove/run_subscripts.c). */
    int64_t size, run;               /* which one that is */
    int n_lane, n_whole;             /* lanes this time; how often all that is needed was looked at */
    bool others;                     /* what follows is to be looked at nevertheless */
    const struct stored_access **at; /* by look: the access that it was at */
    struct node_looks *next;
};

enum { LOOKS_BUCKETS = 256 };

/* By node. */
struct looks_table {
    struct arena *arena;
    struct node_looks *bucket[LOOKS_BUCKETS];
};

/* Is what LET names part of what the statement's instance computes? Not so if an instance runs there, or if it is what
 * another instance stores: unless it is the whole value of this one. */
bool looks_through(const struct node *let, const struct statement *statement, bool whole);
/* Those of the node that is running. */
struct node_looks *node_looks(struct looks_table *table, struct running *running, const struct node *node);

#endif
