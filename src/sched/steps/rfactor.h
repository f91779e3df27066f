/* The program and the description's order in which a reduction is computed by partial results. */
#ifndef SCHED_STEPS_RFACTOR_H
#define SCHED_STEPS_RFACTOR_H

#include "sched/extent.h"
#include "sched/path.h"

/* S: x[f(s)] op= e(s) becomes, with K the dimensions of S that are kept and c the count of the factored loop,
 *     init    { S_rf_init[K, c] }   rf[c, f] = neutral
 *     partial { S_rf[s] }           rf[c(s), f(s)] op= e(s)
 *     final   { S[K, c] }           x[f] op= rf[c, f]
 * c standing at place `axis` of rf's subscripts. */
struct rfactor {
    struct schedule *schedule;
    const struct step *step;
    const struct statement *statement; /* S before the step */
    enum expr_op op;                   /* of the reduction */
    struct loop_ref loop;
    struct loop_extent extent;
    int axis;
    const char *name; /* of the array */
    bool *kept;       /* by dimension of S */
    int n_kept;
    isl_map *project; /* { S[s] -> [K, c] }, no tuple name */
    isl_set *least;   /* { S[s] } in the first iteration of the other loops that reduce */
    struct program *program;
    struct array *array;
    struct statement *init, *partial, *final; /* of program */
};

/* Sets project. */
void rfactor_project(struct rfactor *rfactor);
/* Makes the program; STATUS_REFUSED after reporting. */
enum status rfactor_program(struct rfactor *rfactor);

/* Refuses when something else touches an element between its first update and its last one. original: with the new
 * statements. */
enum status rfactor_check_contiguous(const struct rfactor *rfactor, const struct order *original);

/* Does the count of loop for S depend on dimensions that are not kept? */
bool rfactor_reduces(const struct rfactor *rfactor, const struct order *loop);
/* The count of loop for the partial results' statement, or for init or final where it does not reduce. */
__isl_give isl_union_pw_aff *rfactor_time(const struct rfactor *rfactor, const struct order *loop,
                                          const struct statement *statement);
/* { P[K, c] -> [c + first] } of init or final, as counts of the factored loop. */
__isl_give isl_union_pw_aff *rfactor_count(const struct rfactor *rfactor, const struct statement *statement);

/* The leaf of a statement with all of its instances. */
const struct order *rfactor_leaf(const struct rfactor *rfactor, const struct statement *statement);
/* The nest of the partial results, whose loops are those of the path to S. */
const struct order *rfactor_partial_nest(const struct rfactor *rfactor, const struct path *path);

#endif
