/* The proof of the finished tree, the one that is printed, for all sizes: it runs each instance of each statement once
 * (prove/same_runs.h), and loads and stores what the statement says there (prove/same_elements.h), of temporaries and
 * buffers what was stored there for it (prove/sources.h).
 *
 * What has no such proof is looked at at sampled sizes only (prove/replay_tree.h, flow/flow.h); nothing is refused for
 * that. Where the proof finds a difference it has parameters at which there is one, and the trees are run at these: if
 * they do run, load or store different things, that is an internal error.
 */
#ifndef LOWER_FINISHED_FINISHED_H
#define LOWER_FINISHED_FINISHED_H

#include "lower/finished/same_elements.h"
#include "lower/finished/same_runs.h"
#include "lower/finished/sources.h"
#include "tree/vars.h"

/* The trees, of program's statements, whose arrays laid_out has as they are stored; scheduled: before the plan gave it
 * buffers. */
struct finished_tree {
    const struct program *program, *laid_out, *scheduled;
    const struct node *proved, *tree;
    const struct vars *vars;
    const int64_t *param_least; /* of each parameter; INT64_MIN: not known */
};

/* Of a statement. */
struct finished_proof {
    const struct same_result *runs;
    const struct element_result *elements;
    const struct source_result *sources;
};

/* Sets *proof, by index of the statement. Reports an internal error where the tree is wrong. */
enum status finished_prove(struct arena *arena, const struct finished_tree *finished, struct diags *diags,
                           const struct finished_proof **proof);
/* A line for each statement: what is proved of it for all sizes, and why not more. */
void finished_dump(struct text *out, const struct program *program, const struct finished_proof *proof);

#endif
