/* The parts of the proof of sources.h: what leaves load and store (sources_parties.c), and whether a load is of some of
 * the stores (sources_questions.c). */
#ifndef LOWER_FINISHED_SOURCES_PARTS_H
#define LOWER_FINISHED_SOURCES_PARTS_H

#include "lower/finished/meaning.h"
#include "lower/finished/sources.h"

/* A leaf's access, for all of its instances: index stands for `of`. */
struct party {
    const struct meaning *meaning;
    struct leaf leaf;
    const struct way *from;            /* a load: the name around of which the value is, or the leaf's way */
    bool named;                        /* it is that of a name */
    bool sure;                         /* a store: it happens wherever the limits of its way hold */
    const struct affine *const *index; /* n_index of the array's subscripts, then n_of of what it stands for */
    int n_index, n_of;
    int stop;   /* in its level */
    bool front; /* a store: it is in front of the load that is looked at */
};

typedef VEC(struct party) party_vec;

struct sourcing {
    struct arena *arena;
    struct same_sets *sets;
    const struct program *scheduled;
    struct ways ways;
    struct source_result *result;
    const struct meaning **meaning; /* of each statement, by index, where it is known */
    bool *is_known;
    party_vec proved;  /* loads, if their arrays are not lost in the end */
    const char **lost; /* by array: it is stored by what is not followed, because of this; else NULL */
    int n_asked;
};

/* The stores that a load may be of: those in front of it, and all that come no later. */
struct choices {
    party_vec front, all;
};

/* Why the array's stores are not all followed; NULL: they are. */
const char **sources_why_lost(struct sourcing *s, const struct array *array);
void sources_lose(struct sourcing *s, const struct array *array, const char *why);
/* Counts a load of the statement. */
void sources_note(struct sourcing *s, const struct statement *statement, bool shown, const char *why);
/* Adds what stands at a stop that runs instances itself. */
void sources_add_leaves(struct sourcing *s, const struct stop *stop, party_vec *loads, party_vec *stores);
/* What runs in the node is not followed. */
void sources_lose_node(struct sourcing *s, const struct node *node);
/* Is all that is loaded stored in front, in each iteration of the loops around, and nothing there for two things? */
bool sources_answered(struct sourcing *s, const struct way *around, const struct party *load,
                      const struct choices *choices);

#endif
