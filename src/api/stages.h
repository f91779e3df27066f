/* The stages of a compilation, in the order they run: that table is the program. A stage works on the compilation,
 * reports to its diagnostics, and may have a readable dump of what it made, which is a cut point of --dump. */
#ifndef API_STAGES_H
#define API_STAGES_H

#include "api/compile.h"
#include "lower/pipeline.h"
#include "plan/privacy.h"
#include "sched/schedule.h"
#include "target/target.h"

/* Everything that one run makes; all of it lives in the arena but for the texts. */
struct compilation {
    struct polynest *p;
    const struct goal *goal;
    struct arena *arena;
    isl_ctx *ctx;
    struct diags *diags;
    const char *variant;          /* of the description; NULL: none */
    const char *called;           /* its name beside others, between which a call chooses, */
    struct dispatch *dispatch;    /* these; or NULL */
    const struct size_case *size; /* for which steps were proposed; NULL: for all */
    struct auto_set *set;         /* of these what steps were proposed for; NULL: it is none of several */
    struct source source, schedule_source, proposed_source, dumped;
    struct program *program;
    const struct order *original;          /* the order of the description */
    const struct dependences *dependences; /* of that order */
    struct schedule *schedule;
    const struct program *scheduled; /* as its steps left it */
    struct before_plan before_plan;  /* for steps that turn out to be missing */
    struct pairs *pairs;             /* kept from one picture to the next; NULL: none was drawn */
    struct text told;                /* what explain tells, for a page */
    const struct program *stored;    /* with the storage that the final order needs */
    const struct order *order;       /* of stored's statements */
    const struct program *laid_out;  /* its arrays as they are in memory */
    struct arena *scratch;           /* of trees and proofs, which are gone when the stages are done */
    struct pipeline pipeline;        /* from the order to the last tree */
    struct vars *vars;
    const struct finished_proof *proof; /* of the last tree */
    int compared;                       /* number of small sizes at which its results were compared */
    bool done;                          /* what the run is for is there, */
    bool adopted;                       /* with messages, from a run with the steps that were proposed, */
    bool followed;                      /* or without, which were told while its stages ran */
};

struct stage {
    const char *title; /* for messages: "TITLE is undecided" */
    enum status (*run)(struct compilation *c);
    const char *name; /* of the dump, or NULL */
    void (*dump)(const struct compilation *c, struct text *out);
};

/* print.c */
enum status stage_print(struct compilation *c);
/* together.c: names the function as what checks itself calls it, if it is a part of such a one. */
void together_name_part(struct compilation *c);

extern const struct stage stages[];
extern const int n_stages;

/* The names of the variants between which a call chooses, where all of them are wanted; how many there are. */
int compile_variants(const struct compilation *c, const char *const **name);
/* Runs them, each within its own budget, up to the one that has what the run is for. */
enum status compile_stages(struct compilation *c);
/* The line of what is proposed that the first error, or a note below it, is about; else 0. */
int compile_refused_line(const struct compilation *c);

#endif
