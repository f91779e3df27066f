/* The parts of the proof of sources.h: what leaves load and store (sources_parties.c), and whether a load is of some of
 * the stores (sources_questions.c), or of zeros (sources_zeros.c); sums of warps (sources_warps.c). */
#ifndef LOWER_FINISHED_SOURCES_PARTS_H
#define LOWER_FINISHED_SOURCES_PARTS_H

#include "lower/finished/lane_totals.h"
#include "lower/finished/meaning.h"
#include "lower/finished/same_stored.h"
#include "lower/finished/shape_parts.h"
#include "lower/finished/sources.h"
#include "lower/ways/way_sets.h"

/* What a party's leaf is as a shape, its arguments being the party's index. */
struct party_shape {
    bool asked, asked_inside;
    const struct shape *shape;  /* from its level on; NULL: it has none */
    const struct shape *inside; /* the same from the loop on that it is in there */
};

/* A stop on the way to a leaf, `index` of its block, and what is in it on that way; NULL: it is the leaf's. */
struct nesting {
    const struct stop *stop;
    int index;
    const struct nesting *inner;
};

/* A leaf's access, for all of its instances: index stands for `of`. */
struct party {
    const struct meaning *meaning;
    struct leaf leaf;
    const struct way *from;            /* a load: the name around of which the value is, or the leaf's way */
    bool named;                        /* it is that of a name */
    bool sure;                         /* a store: it happens wherever the limits of its way hold */
    const struct affine *const *index; /* n_index of the array's subscripts, then n_of of what it stands for */
    int n_index, n_of;
    bool zero;                   /* a store of zeros, which are for anything that starts with them */
    bool *summed;                /* a store of parts of sums: is all of it loaded as such? */
    bool zeros_serve;            /* a load: of what starts as zero, or that nobody observes */
    struct loaded *loaded;       /* a load: which one */
    const struct nesting *place; /* in its level */
    int stop, inner_stop;        /* in its level, and in the one that it comes from, */
    bool in_turn;                /* which runs once, its stops one after the other, or is one of several choices */
    bool front;                  /* a store: it is in front of the load that is looked at */
    struct party_shape *shaped;  /* in its level */
};

typedef VEC(struct party) party_vec;

/* A load of the tree's text. */
struct loaded {
    const struct statement *statement;
    const struct array *array; /* NULL: it is not followed */
    bool partial;              /* of parts of a sum */
    int open;                  /* of what is asked about it so much is not shown */
    const char *why;           /* it is not */
};

/* A store of parts of sums. */
struct part_store {
    const struct array *array;
    bool summed;
};

/* What sets say of all stores of a choice, so that the next load that has the same is not asked about them again. */
struct stored_set {
    var_vec outer, bound; /* parameters, and threads' counts */
    const struct way *end;
    VEC(const struct party_shape *) of; /* the stores, at their level */
    isl_set *set;                       /* [N, .. outer ..] -> { [index, of] } */
    bool asked;
    isl_bool single; /* once it was asked for: each element is for one thing only */
};

struct sourcing {
    struct arena *arena;
    struct same_sets *sets;
    const struct program *scheduled;
    const struct node *tree;
    struct ways ways;
    struct source_result *result;
    const struct meaning **meaning; /* of each statement, by index, where it is known */
    bool *is_known;
    VEC(struct loaded *) loaded;
    VEC(struct part_store *) part_store;
    bool *held;                     /* by array: all of its elements are in variables */
    lane_total_vec totals;          /* vectors that are what updates of an element come to */
    const char **lost;              /* by array: it is stored by what is not followed, because of this; else NULL */
    VEC(struct replacing) multiple; /* parameters that are multiples of a number */
    condition_vec least;            /* where parameters begin */
    int n_asked, n_undecided;
    struct stored_set *stored; /* the last one; NULL: none was asked for */
    loads_in_parts in_parts;   /* that were asked for */
};

/* The stores that a load may be of: those in front of it, and all that come no later. */
struct choices {
    party_vec front, all;
};

/* What is at a level. */
struct level {
    const struct way *way;
    const stop_vec *stops;
    bool whole; /* it is that of the whole tree */
    party_vec loads, stores;
};

/* Is place on the way? */
bool sources_is_around(const struct way *way, const struct way *place);
/* Are both of the same array, and for elements of the same one? */
bool sources_same_array(const struct party *a, const struct party *b);
bool sources_same_meaning(const struct party *a, const struct party *b);
/* The party's shape from that way on, of a load with what else holds there; NULL: it has none. */
const struct shape *sources_shape(struct sourcing *s, const struct way *around, const struct party *party, bool load);
/* The same from its level's way on. */
const struct shape *sources_shape_in(struct sourcing *s, const struct way *around, const struct party *party,
                                     bool load);
/* Are all threads parties to what is stored, and do limits around tell some apart? */
bool sources_apart(struct sourcing *s, const struct way *around, const struct array *array);
/* Finds the parameters that are multiples of a number (sources_multiples.c). */
void sources_find_multiples(struct sourcing *s);
/* Puts these in their place in the shape. False: numbers are too large. */
bool sources_tell_multiples(struct sourcing *s, struct shape *shape);
/* Finds what is implied where the load is, in these words. False: numbers are too large. */
bool sources_find_implied(struct sourcing *s, struct shape *load);
/* Is the load, in a loop of the level, one of what the iteration before stored, and in the first one of what is stored
 * in front of the loop (sources_before.c)? */
bool sources_answered_before(struct sourcing *s, const struct level *level, const struct party *load);
/* Do sets see that the last store before the load is for the same? level: of the whole tree (sources_flow.c). */
bool sources_answered_by_flow(struct sourcing *s, const struct level *level, const struct party *load);
/* May what the store stores be what the load is of? */
bool sources_may_serve(const struct party *store, const struct party *load);
/* What the store does to the elements of the load, of these shapes. */
enum stored sources_stored(struct arena *arena, const struct party *load, const struct shape *load_shape,
                           const struct party *store, const struct shape *store_shape, stored_part_vec *parts);
/* Adds the load: of what is there for its instances of the schedule, and if there are others, or its element starts as
 * zero, of that or of zeros (sources_zeros.c). */
void sources_add_load(struct sourcing *s, const struct party *load, party_vec *loads);
/* Makes the leaf's store, of a sum that warps make, that of their first threads. around: where the node is. False: that
 * is not followed. */
bool sources_store_of_warp(struct sourcing *s, const struct way *around, struct party *party);
/* Is each part of a sum that is stored at the level, where the load is one of them, stored once and loaded once? */
bool sources_are_summed(struct sourcing *s, const struct level *level, const struct party *load);
/* Are all n of these at least 0 in the leaf? */
bool sources_are_known(struct sourcing *s, const struct leaf *leaf, const struct affine *const *affine, int n);
/* Does the array start to exist somewhere in the node? */
bool sources_declares(const struct node *node, const struct array *array);
/* Is all that is stored no later than the load, in its elements, for the same? */
bool sources_all_same(struct sourcing *s, const struct level *level, const struct party *load);
bool sources_is_held(const struct sourcing *s, const struct array *array);
/* Why the array's stores are not all followed; NULL: they are. */
const char **sources_why_lost(struct sourcing *s, const struct array *array);
void sources_lose(struct sourcing *s, const struct array *array, const char *why);
/* Adds what stands at a stop that runs instances itself. */
void sources_add_leaves(struct sourcing *s, const struct stop *stop, party_vec *loads, party_vec *stores);
/* The leaf's way where the value of what it loads is used (sources_choices.c). */
const struct way *sources_way_of_arm(struct sourcing *s, const struct leaf *leaf, const struct choosing *where);
/* What runs in the node is not followed. */
void sources_lose_node(struct sourcing *s, const struct node *node);
/* Is it seen without sets that all that is loaded is stored in front, in each iteration of the loops around, and
 * nothing for two things since then? UNKNOWN: *left are the stores that may be of its elements. */
enum same_answer sources_answered(struct sourcing *s, const struct way *around, const struct party *load,
                                  const struct choices *choices, struct choices *left);
/* Do sets see it of these? */
bool sources_answered_by_sets(struct sourcing *s, const struct way *around, const struct party *load,
                              const struct choices *left);

#endif
