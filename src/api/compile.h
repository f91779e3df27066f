/* The stages from a description to C, in order; every public call runs them up to some point. */
#ifndef API_COMPILE_H
#define API_COMPILE_H

#include "base/text.h"
#include "polynest/polynest.h"

#include <stdbool.h>

/* What a run is for; it stops after the stage that has it. */
enum goal_kind { GOAL_CHECK, GOAL_EMIT, GOAL_DUMP, GOAL_SHOW, GOAL_EXPLAIN };

struct goal {
    enum goal_kind kind;
    const char *stage;  /* DUMP: its name */
    polynest_form form; /* SHOW */
    bool every_step;    /* SHOW */
    const char *topic;  /* EXPLAIN: a loop, the number of a step, or NULL for all */
};

struct polynest {
    char *input_name;
    char *input;
    size_t input_size;
    char *function_name; /* NULL: the description's */
    char *header_name;   /* NULL: the function's name with ".h" */
    char *variant;       /* NULL: none */
    char **setting;      /* "tile=32"; n_setting of them */
    int n_setting;
    bool check_args;
    bool unscheduled;
    unsigned long operations;
    /* results of the last run */
    struct text source, header, output, diagnostics, diagnostics_json;
    struct text input_files; /* names, each with a NUL behind it */
};

/* Runs the stages on p's description and fills in its results. */
polynest_status compile_run(struct polynest *p, const struct goal *goal);

#endif
