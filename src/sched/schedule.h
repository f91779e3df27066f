/* Applying the steps of a schedule, one after the other.
 *
 * Intermediate orders may be illegal; only the last one is checked (schedule_check), and a failure
 * is traced back to the step that caused it through the history.
 */
#ifndef SCHED_SCHEDULE_H
#define SCHED_SCHEDULE_H

#include "dep/legal.h"
#include "dep/repetition.h"
#include "sched/order.h"

/* A name for the statements that steps know by it: a nest of the description, or a fused one. */
struct group {
    const char *name;
    const bool *member; /* by statement index */
    bool divided;       /* the parts of one statement, called as it was */
};

/* What a cache was made for. */
struct cached {
    const struct step *step;
    const char *array, *loop;
    const char *trigger; /* the loop before which it is filled */
    int n_outside;       /* loops around that */
    const char *name;    /* the buffer; NULL: none was needed */
};

/* The program and the order after a step of the plan. */
struct planned {
    const struct program *program;
    const struct order *order;
};

/* The dependences of a program, computed when somebody asks for them. */
struct lazy_dependences {
    const struct dependences *all; /* NULL: not yet */
    const struct array *array;     /* the last one that was asked about alone */
    const struct dependences *one; /* its dependences */
    struct meetings *meetings;     /* NULL: not yet */
};

/* The program after some steps of the schedule, and what was required then. */
struct applied {
    const struct program *program;
    const struct order *original;
    isl_union_map *waived;
    struct lazy_dependences *lazy;
};

struct schedule {
    struct arena *arena;
    const struct program *program;
    struct diags *diags;
    const struct order *original; /* of the program as it is now, in the description's order */
    const struct order *order;    /* after the steps so far */
    const struct order **history; /* history[k]: after k steps; [0] is the original order */
    struct applied *applied;      /* applied[k]: after k steps */
    int n_step;
    struct lazy_dependences *lazy; /* see schedule_dependences */
    isl_union_map *waived;         /* what `unsafe` waived so far, kept by the arena; NULL: nothing */
    int loop_ids;                  /* identities given so far */
    VEC(struct group) groups;
    VEC(struct cached) cached;
    struct planned *planned; /* [k]: after k + 1 steps of the plan */
    int n_planned;
    VEC(struct repetition) repetitions; /* what steps made run in several iterations */
};

/* Starts with the original order. */
struct schedule *schedule_new(struct arena *arena, const struct program *program, const struct dependences *dependences,
                              const struct order *original, struct diags *diags);
/* The dependences required now, of the program as it is: less what `unsafe` waived. None after an isl error, which the
 * end of the stage reports; they are then computed again when a later stage asks. */
const struct dependences *schedule_dependences(const struct schedule *schedule);
/* The same, but perhaps only those that are about array. */
const struct dependences *schedule_dependences_of(const struct schedule *schedule, const struct array *array);
/* The same, but perhaps only those from this statement. */
const struct dependences *schedule_dependences_from(const struct schedule *schedule, const struct statement *statement);
/* The same, only those from and to these statements, by index. */
const struct dependences *schedule_dependences_among(const struct schedule *schedule, const bool *member);
/* The schedule as it was after some of its steps, for looking at only. */
struct schedule schedule_as_after(const struct schedule *schedule, int n_step);
/* What the dependences are taken from, whatever the order. */
struct meetings *schedule_meetings(const struct schedule *schedule);
/* These pairs of instances are required no more. */
void schedule_waive(struct schedule *schedule, __isl_take isl_union_map *pairs);
/* From now on these are required; NULL: those of the program and the original order as they are now, less what is
 * waived. */
void schedule_set_dependences(struct schedule *schedule, const struct dependences *dependences);
/* The end of what the step took of the budget; list: "schedule" or "plan". */
enum status schedule_step_end(struct schedule *schedule, const struct step *step, const char *list);
/* Applies all steps of the program's schedule; stops at the first that is refused. */
enum status schedule_apply(struct schedule *schedule);
/* Proves that the final order keeps every dependence, or reports the smallest counterexample and
 * the step that broke it. */
enum status schedule_check(struct schedule *schedule);
/* The last step before which the order allowed the two instances of a violation, or NULL. Where earlier steps had
 * swapped their live ranges as wholes, which is legal, the violation becomes the smallest one whose instances the step
 * itself swaps, if there is one. */
const struct step *schedule_guilty_step(const struct schedule *schedule, struct violation *violation);
/* The statements of the nest or fused nest called name, by statement index; NULL when there is none. */
const bool *schedule_group(const struct schedule *schedule, const char *name);
/* The parts of the statement that was called name before it was divided; NULL: there is none. */
const bool *schedule_divided(const struct schedule *schedule, const char *name);
/* The statements below order are called name from now on. */
void schedule_add_group(struct schedule *schedule, const char *name, const struct order *order);
/* The statements in moved (by index) run below `into` from now on: names that stood for all of that stand for them,
 * too, and others no more, as long as something is left of them. */
void schedule_move_members(struct schedule *schedule, const bool *moved, const struct order *into);

/* "S0 at v: ..; S1 at w: ..": what runs more than once because of steps; NULL when nothing does. Kept by the arena. */
const char *schedule_repetitions(const struct schedule *schedule);

/* By statement index, with room for n statements: does the statement update elements in another order than the original
 * one? */
const bool *schedule_reordered_updates(const struct schedule *schedule, int n);

#endif
