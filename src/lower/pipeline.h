/* The pipeline: the one list of all passes over the loop tree, in the order in which they run (passes.h).
 *
 * A row names the pass, says what it needs of the tree (`requires`) and what holds from then on (`gives`). One driver
 * (drive.c) runs the rows; behind each of them the verifier looks at the tree (tree/verify.h), and a dump may be taken.
 */
#ifndef LOWER_PIPELINE_H
#define LOWER_PIPELINE_H

#include "lower/lower.h"
#include "lower/prove/replay_tree.h"

/* What runs within one budget of isl's steps. */
enum section {
    SECTION_LOOPS,  /* from the order of the instances to loops over them, proved to cover the domains */
    SECTION_BODIES, /* statements become assignments, in vectors and tiles, with hints and threads */
    SECTION_END     /* positions of the launch, declarations and functions */
};

enum pass_targets { PASS_ANY, PASS_DEVICE };

struct pass {
    const char *name;
    /* NULL: no tree any more; why not is in lowering, or with isl. */
    const struct node *(*run)(struct lowering *lowering, const struct node *tree);
    enum section section;
    enum pass_targets targets;
    bool each_part;     /* on a device: runs for each kernel by itself, with its neighbours that do, too */
    const char *inside; /* the pass that runs it; the driver does so only behind a dump of one like it */
    void (*begin)(struct lowering *lowering); /* before it: what it and those behind it share; NULL: as before */
    unsigned requires, gives;                 /* of enum tree_fact */
};

/* One way through the passes. The first members are the caller's. */
struct pipeline {
    struct arena *arena;
    const struct program *described; /* as it was read */
    const struct program *stored;    /* with the storage that the order needs */
    const struct program *laid_out;  /* its arrays as they are in memory; from SECTION_BODIES on */
    const struct order *order;       /* of stored's statements */
    struct vars *vars;
    struct diags *diags;
    const bool *reordered;       /* of stored's statements: updates whose order changed; NULL: none */
    const char *last;            /* the pass behind which to end, or NULL */
    struct text *dump;           /* gets the tree behind `last` or, without that, behind each pass; NULL: none */
    const struct source *dumped; /* a dump to go on from (lower/dump/dump.h), */
    const struct pass *from;     /* of this pass; NULL: none */

    const struct node *tree;
    const struct node *proved;   /* of STATEMENT leaves: the tree that pass "cover" proved */
    struct replay_memo replayed; /* what it ran */
    unsigned facts;              /* what has been given so far */
    bool ended;                  /* `last` has run */
};

/* The passes, n of them. */
const struct pass *pipeline_passes(int *n);
/* The row of a pass that a dump may be taken of; NULL: there is none. */
const struct pass *pipeline_find(const char *name);
/* Does it run for the target of program, by itself or inside of another one? */
bool pipeline_runs(const struct pass *pass, const struct program *program);
/* Runs the passes of a section. An index that does not fit 64 bits leaves no tree, of which printers tell. */
enum status pipeline_run(struct pipeline *pipeline, enum section section);
/* Before SECTION_LOOPS: the pipeline goes on from this dump, of a tree that was made of the same description. What the
 * last tree is compared with at the end is made as ever. */
enum status pipeline_resume(struct pipeline *pipeline, const struct source *dumped);
/* tree, which pass `name`, run by another one, has made: verified, and dumped if that is asked for. */
const struct node *pipeline_passed(struct lowering *lowering, const char *name, const struct node *tree);

#endif
