/* Reading a description: JSON text to a program with its steps. */
#ifndef READ_READ_H
#define READ_READ_H

#include "program/program.h"

/* A value that the caller gives a tunable: "tile", "32". */
struct setting {
    const char *name, *text;
};

/* What a description is, with all that it has inside. */
extern const struct object_type object_description;
/* And what a file of several of them is. */
extern const struct object_type object_several, object_function;

/* What the caller chooses of a description that leaves something open. */
struct choices {
    int function;        /* the number of one of several, from 1 on; 0: the description is one function */
    const char *variant; /* NULL: the description as it stands */
    bool as_written;     /* calls choose between variants: what they have in common, the last one's tunables */
    bool permit_all;     /* and it permits what any of them does */
    const struct source *schedule; /* a schedule file that is laid over it, or NULL */
    const struct source *proposed; /* one that is laid over both, or NULL */
    /* A step in whose place its schedule stands, its plan in front of the other: "auto"; NULL: they stand for all
     * steps. alone: what follows that step, and the other plan, is left out. */
    const char *in_place_of;
    bool alone;
    const char *size, *when;       /* the sizes that they are for, behind the name, and their condition; or NULL */
    const struct setting *setting; /* n_setting of them, the last one of a name counts */
    int n_setting;
};

/* Reads source. schedule_primitives and plan_primitives: the known steps, NULL-terminated.
 * *program is set when the result is STATUS_OK; several errors may be reported in one run.
 * The program's isl objects are released with the arena, which must go before ctx. */
enum status read_program(struct arena *arena, isl_ctx *ctx, const struct source *source,
                         const struct primitive *const *schedule_primitives,
                         const struct primitive *const *plan_primitives, struct diags *diags, struct program **program);

/* The same with the caller's choices; a name that the description does not have is STATUS_REFUSED, too. */
enum status read_chosen(struct arena *arena, isl_ctx *ctx, const struct source *source, const struct choices *choices,
                        const struct primitive *const *schedule_primitives,
                        const struct primitive *const *plan_primitives, struct diags *diags, struct program **program);

#endif
