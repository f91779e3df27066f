/* The stages from a description to C, in order; every public call runs them up to some point. */
#ifndef API_COMPILE_H
#define API_COMPILE_H

#include "base/text.h"
#include "polynest/polynest.h"
#include "run/options.h"

#include <stdbool.h>

struct applied_step;
struct inquiry;
struct node;
struct program;
struct several;
struct var;

/* What printers get: the program as it was read, the same with its arrays as they are in memory, and the last tree. */
struct finished {
    const struct program *described, *laid_out;
    const struct node *tree;
    const struct var *const *param_var; /* of laid_out->param */
    const struct vars *vars;
};

/* What a run is for; it stops after the stage that has it. */
enum goal_kind {
    GOAL_CHECK,
    GOAL_EMIT,
    GOAL_DUMP,
    GOAL_SHOW,
    GOAL_EXPLAIN,
    GOAL_DRAW,
    GOAL_AUTO,
    GOAL_WORKLOAD,
    GOAL_APPLY,
    GOAL_ASK
};

struct goal {
    enum goal_kind kind;
    const char *stage;       /* DUMP: its name */
    polynest_form form;      /* SHOW */
    bool every_step;         /* SHOW */
    const char *topic;       /* EXPLAIN: a loop, the number of a step, or NULL for all */
    bool json;               /* EXPLAIN */
    bool page;               /* DRAW: all steps, and the emitted code */
    bool replace;            /* AUTO: in the place of steps that there are */
    unsigned number;         /* WORKLOAD: which sizes */
    struct inquiry *inquiry; /* ASK */
};

/* The texts that a run makes. */
struct results {
    struct text source, header, signature, output, diagnostics, diagnostics_json;
    struct text input_files; /* NUL-terminated names */
};

struct polynest {
    char *input_name;
    char *input;
    size_t input_size;
    int function;        /* the number of one of several that the description has, from 1 on; 0: it is one */
    char *function_name; /* NULL: the description's */
    char *header_name;   /* NULL: the function's name with ".h" */
    unsigned permit;     /* of enum permit, besides the description's */
    char *variant;       /* NULL: none */
    char *slice;         /* of a listing, "1,*,*"; NULL: all */
    char *schedule_name; /* of a schedule file, or NULL */
    char *schedule_text;
    size_t schedule_size;
    const char *proposed; /* what `auto` proposes, as a schedule file, or NULL: */
    bool in_place;        /* it stands where the schedule has a step `auto`, */
    bool alone;           /* with what is in front of that only */
    bool automatic;       /* runs get the steps that `auto` proposes, */
    bool replacing;       /* in the place of those that there are */
    char *dump_name;      /* of a dump to go on from, or NULL */
    char *dump_text;
    size_t dump_size;
    struct text setting; /* tunables and values in turn, each with a NUL behind it */
    char *plane;         /* of pictures, "i,k"; NULL: of the last loops */
    long time;           /* of pictures: the number of an instance; 0: the end */
    struct text sizes;   /* values of parameters to run with and in pictures, "N=8", each followed by a NUL */
    struct run_options running;
    void (*trace)(const char *stage, void *user); /* gets the names of stages; NULL: nothing does */
    void *trace_user;
    struct self_check *checking; /* that the function is a part of; NULL: none */
    struct several *several;     /* functions that share a file with what is emitted; NULL: it has its own */
    bool check_args, self_check;
    bool unscheduled;
    int open;                     /* nests and blocks that polynest_begin_ began and polynest_end did not end */
    struct applied_step *applied; /* the last one; NULL: none is left to take back */
    unsigned long operations;
    void (*see)(const struct finished *finished, void *user); /* for tests: gets the finished tree while it is there */
    void *see_user;
    struct results result; /* of the last run */
    int refused_line;      /* of what is proposed, where the first error is about one; else 0 */
};

/* apply.c: forgets what could be taken back. */
void applied_free(struct applied_step *applied);
void results_free(struct results *result);
/* Empties the results of the last run. */
void compile_clear(struct polynest *p);
/* Runs the stages on p's description and fills in its results. */
polynest_status compile_run(struct polynest *p, const struct goal *goal);

#endif
