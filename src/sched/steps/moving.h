/* A temporary whose computation a step moves to where it is read: what inline and compute_at share. */
#ifndef SCHED_STEPS_MOVING_H
#define SCHED_STEPS_MOVING_H

#include "sched/edit.h"

/* The array and the one statement P that computes it, each element once; or, of several, the one at hand. */
struct moving {
    struct schedule *schedule;
    const struct step *step;
    const char *key; /* of the argument that names the array: the primitive's own name */
    const struct array *array;
    const struct statement *producer;
};

typedef VEC(const struct statement *) writer_vec;

/* Finds them; refuses arrays that are no temporaries, have several writers, or are reductions. */
enum status moving_find(struct moving *moving, struct schedule *schedule, const struct step *step, const char *key);
/* Finds the array and all statements that write it, in textual order; refuses arrays that are no temporaries, what
 * depends on data, writers that read other elements of the array than they write, and writers that depend on later ones
 * in the text. */
enum status moving_find_all(struct moving *moving, struct schedule *schedule, const struct step *step, const char *key,
                            writer_vec *writers);
/* "`t` cannot be computed where it is read: TEXT" */
enum status moving_refuse(const struct moving *moving, const char *hint, const char *text);

/* Refuses when the access of the reader touches elements that no instance of P computed; source is moving_source's, or
 * those of its pairs that count. */
enum status moving_check_sources(const struct moving *moving, const struct statement *reader,
                                 const struct access *access, __isl_keep isl_map *source);

/* The same where the instances of the reader in `covered` read elements that are computed. */
enum status moving_check_covered(const struct moving *moving, const struct statement *reader,
                                 const struct access *access, __isl_take isl_set *covered);

bool moving_reads(const struct moving *moving, const struct statement *statement);
/* { S[..] -> P[..] }: the instance of P whose value the access reads. */
__isl_give isl_map *moving_source(const struct moving *moving, const struct access *access);
/* Refuses when something writes what P read between an instance of P and the read that wants it later. original: the
 * description's order. */
enum status moving_check_unchanged(const struct moving *moving, const struct statement *reader,
                                   __isl_keep isl_map *source, __isl_keep isl_schedule *original);

#endif
