/* A look at the finished loops that shares nothing with what they were made of: at some small parameters the tree is
 * run, and so are the nests as they were written (check/replay.h); every statement whose domain no step has changed
 * must have the same instances in both, each as often.
 *
 * That is no proof, the proof is cover.c's; but that one starts from sets, and this one from the expressions that were
 * read.
 */
#ifndef LOWER_PROVE_REPLAY_TREE_H
#define LOWER_PROVE_REPLAY_TREE_H

#include "lower/lower.h"
#include "program/check/replay.h"

enum { REPLAY_SIZES = 5 };

/* What the proved tree ran at the sampled sizes, so that it need not run again: of each statement, by index; NULL: it
 * did not come to its end. */
struct replay_memo {
    const struct replayed *at[REPLAY_SIZES];
};

/* written: the program as it was read; program: the one that tree's statements are of. Reports an internal error where
 * the tree runs something else. memo is filled in, unless it is NULL. */
enum status replay_tree(struct arena *arena, const struct program *written, const struct program *program,
                        const struct node *tree, const struct var *const *param_var, struct diags *diags,
                        struct replay_memo *memo);
/* The finished tree, made of the proved one, must run the same instances at these parameters: its assignments say which
 * they run, lanes and masks included, for the nodes that run_tree.h names. What it loads and stores must be what the
 * instance's statement says (run_subscripts.h). laid_out: program with its arrays as they are stored; memo: of
 * replay_tree, or NULL. */
enum status replay_finished(struct arena *arena, const struct program *program, const struct program *laid_out,
                            const struct node *proved, const struct node *tree, const struct var *const *param_var,
                            const struct replay_memo *memo, struct diags *diags);

/* The same at these parameters, which may take many steps. */
enum status replay_finished_at(struct arena *arena, const struct program *program, const struct program *laid_out,
                               const struct node *proved, const struct node *tree, const struct var *const *param_var,
                               const int64_t *param, struct diags *diags);

#endif
