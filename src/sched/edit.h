/* What primitives share: finding loops by the user's names, new loops and names, refusals. */
#ifndef SCHED_EDIT_H
#define SCHED_EDIT_H

#include "sched/schedule.h"
#include "sched/time.h"

/* A loop as a step names it: `i`, `nest.i` or `label.i`. */
struct loop_ref {
    const struct loop_info *info;      /* of the first copy */
    const struct order *node;          /* the first copy */
    const struct statement *statement; /* for `label.i`: that statement; else NULL */
    isl_union_pw_aff *time;            /* of all copies together; kept by the arena */
    isl_union_set *domain;             /* of all copies together; kept by the arena */
    struct place place;                /* where the step names it */
    const char *text;                  /* how it names it */
};

/* Resolves a name; false after reporting (unknown, with a suggestion; ambiguous, with the full names). */
bool edit_loop(struct schedule *schedule, const struct value *name, struct loop_ref *ref);
/* The same for the step's argument key. */
bool edit_loop_argument(struct schedule *schedule, const struct step *step, const char *key, struct loop_ref *ref);

/* Loop number k of the collapsed tuple that ref is; false: not all of its copies are ref's. */
bool edit_tuple_part(struct schedule *schedule, const struct loop_ref *ref, int k, struct loop_ref *part);

/* A copy of info under a new identity. */
struct loop_info *edit_new_info(struct schedule *schedule, const struct loop_info *like, const char *name,
                                const struct step *step);
/* A changed copy of info with the same identity. */
struct loop_info *edit_copy_info(struct schedule *schedule, const struct loop_info *info);

/* Is name, which the reader found to name nothing else in the description, free for a new loop around, inside or in
 * place of ref's loop (ref NULL: for an array)? Reports if not. */
bool edit_name_free(struct schedule *schedule, const struct loop_ref *ref, const char *name, struct place place);
/* Can the names of the list (or NULL) be those of loops in each other? Reports if not. */
bool edit_list_free(struct schedule *schedule, const struct value *list);
/* `k` of a loop that fuse called `mm.k`. */
const char *edit_plain_name(const char *name);
/* The default name of the inner part: jj for j, jjj for jj, row_1 for row; always free. */
const char *edit_inner_name(struct schedule *schedule, const struct loop_ref *ref);
/* name itself, or name_1, name_2, .. : free where ref's loop is (ref NULL: for an array). */
const char *edit_name_like(struct schedule *schedule, const struct loop_ref *ref, const char *name);
/* base_number or the first one behind it that is free. */
const char *edit_piece_name(struct schedule *schedule, const struct loop_ref *ref, int number);
/* base_0, base_1, .. as cut and factors name pieces; base_0_1 where base_0 is not free. */
const char *edit_numbered_name(struct schedule *schedule, const struct loop_ref *ref, int number);
/* A label for a statement made of another: S_ending, S_ending_2, .. */
const char *edit_new_label(const struct schedule *schedule, const struct statement *of, const char *ending);

/* The loop's first value as a count: its origin of design section 6, pads included. Never NULL
 * except on an isl error. */
__isl_give isl_aff *edit_origin(struct schedule *schedule, const struct loop_ref *ref);
/* How many counts there are from the origin to the loop's last one; NULL: its ends are no affine expressions. */
__isl_give isl_aff *edit_extent(struct schedule *schedule, const struct loop_ref *ref);

/* Replaces the time and info of every copy of ref's loop. make_time gets the copy's time. */
typedef __isl_give isl_union_pw_aff *edit_time(void *data, __isl_take isl_union_pw_aff *time);
enum status edit_replace(struct schedule *schedule, const struct loop_ref *ref, const struct loop_info *info,
                         edit_time *make_time, void *data);
/* Puts a new loop directly inside every copy of ref's loop, its time made from the copy's. */
enum status edit_insert_inside(struct schedule *schedule, const struct loop_ref *ref, const struct loop_info *info,
                               edit_time *make_time, void *data);

/* Makes order the current one; STATUS_UNDECIDED/ENVIRONMENT is found at the end of the stage when
 * isl failed (order NULL). */
enum status edit_commit(struct schedule *schedule, const struct order *order);
/* Reports a refusal of the step under `rule` and returns STATUS_REFUSED. */
enum status edit_refuse(struct schedule *schedule, struct place place, const char *rule, const char *hint,
                        const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Refuses a label that is no statement's; that of a nest helps to one. */
enum status edit_no_statement(struct schedule *schedule, struct place place, const char *label);
/* Refuses a name that is no array's; that of a nest or a statement helps to what it writes. */
enum status edit_no_array(struct schedule *schedule, struct place place, const char *name);
/* Refuses what cannot be done to a loop that says which of several fused schedules runs. */
bool edit_is_not_fusing(struct schedule *schedule, const struct loop_ref *ref, const char *what);
/* Refuses when the loop is a collapsed tuple that `what` cannot be done inside. */
bool edit_is_single(struct schedule *schedule, const struct loop_ref *ref, const char *what);

#endif
