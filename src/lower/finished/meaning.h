/* What the elements of temporaries and buffers stand for: S0, which reads A[i, k] in the program whose order was
 * checked, reads Ap[k, i] of a cache now; so that one stands there for A[i, k]. An assignment that fills or flushes a
 * buffer tells what it stands for itself.
 *
 *     S0[i, j, k]:     Ap[k, i] stands for A[i, k]
 *     Ap_fill[k, i]:   Ap[k, i] stands for A[i, k]
 *
 * Where threads or warps have what they add to s in elements of their own, all of these stand for s.
 *
 *     S[i, j]:        s_warps[i, j / 32] stands for s[i], which S updated when it was scheduled
 *     S_block[i, w]:  s_warps[i, w] stands for s[i], which it updates
 *
 * A copy of a temporary stands for the temporary's element, if the temporary is stored as it was scheduled.
 */
#ifndef LOWER_FINISHED_MEANING_H
#define LOWER_FINISHED_MEANING_H

#include "program/program.h"

/* A condition of a choice, and whether it holds where the arm at hand is taken. */
struct choosing {
    const struct expr *condition;
    bool truth;
    const struct choosing *outer;
};

/* An access of a statement to an array that no caller sees. */
struct meaning {
    const struct array *array;     /* as it is stored */
    struct expr *const *subscript; /* of it */
    const char *of;                /* the array in the program as scheduled; NULL: it is not known */
    const struct array *of_array;  /* that one */
    struct expr *const *of_subscript;
    int n_of;
    const struct choosing *where; /* a load: its value is used in these arms of choices only; NULL: always */
    bool stores;                  /* else it loads */
    bool partial;                 /* loads what the update of `of` by several threads came to in some of them */
    bool zero; /* stores what an array starts with, or what is behind a buffer's elements, for whatever is there */
    const struct meaning *next;
};

/* Are all of the statement's instances the other's, which has the same loops? */
bool meaning_is_within(const struct statement *statement, const struct statement *other);
/* The statement as it was scheduled, or the one that was divided into it and others, if it still has its instances,
 * some of them, or some more; else NULL. */
const struct statement *meaning_before(const struct program *scheduled, const struct statement *statement);
/* Those of the statement of `stored`, which was made of `scheduled`; NULL: there are none. */
const struct meaning *meanings_of(struct arena *arena, const struct program *scheduled, const struct program *stored,
                                  const struct statement *statement);

#endif
