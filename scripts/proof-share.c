/* Clocks around the verifier and the last proofs, for proof-share.sh: the linker's --wrap puts these functions in their
 * places. At the end of a run the processor's time in each, and in all of the run, go to stderr as one line. */
#include "lower/finished/finished.h"
#include "lower/flow/flow.h"
#include "lower/lower.h"
#include "lower/prove/replay_tree.h"
#include "target/clike/sight.h"
#include "tree/verify.h"

#include <stdio.h>
#include <time.h>

enum clock { VERIFY, COVER, REPLAY, REPLAY_END, FINISHED, FLOW, NAMES, N_CLOCK };

static const char *const title[N_CLOCK] = {"verify", "cover", "replay", "replay_end", "finished", "flow", "names"};
static double spent[N_CLOCK];

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((destructor)) static void print_clocks(void)
{
    fprintf(stderr, "clocks all %.6f", now());
    for (int k = 0; k < N_CLOCK; k++)
        fprintf(stderr, " %s %.6f", title[k], spent[k]);
    fprintf(stderr, "\n");
}

/* `name` with these parameters, as wrapped by the linker. */
#define WRAPPED(CLOCK, TYPE, NAME, PARAMETERS, ARGUMENTS)                                                              \
    TYPE __real_##NAME PARAMETERS;                                                                                     \
    TYPE __wrap_##NAME PARAMETERS;                                                                                     \
    TYPE __wrap_##NAME PARAMETERS                                                                                      \
    {                                                                                                                  \
        const double start = now();                                                                                    \
        TYPE result = __real_##NAME ARGUMENTS;                                                                         \
        spent[CLOCK] += now() - start;                                                                                 \
        return result;                                                                                                 \
    }

WRAPPED(VERIFY, const struct node *, tree_verified,
        (struct vars * vars, unsigned facts, const char *pass, const struct node *tree), (vars, facts, pass, tree))
WRAPPED(COVER, enum status, lower_check_cover,
        (struct lowering * lowering, const struct order *order, const struct node *tree), (lowering, order, tree))
WRAPPED(REPLAY, enum status, replay_tree,
        (struct arena * arena, const struct program *written, const struct program *program, const struct node *tree,
         const struct var *const *param_var, struct diags *diags, struct replay_memo *memo),
        (arena, written, program, tree, param_var, diags, memo))
WRAPPED(REPLAY_END, enum status, replay_finished,
        (struct arena * arena, const struct program *program, const struct program *laid_out, const struct node *proved,
         const struct node *tree, const struct var *const *param_var, const struct replay_memo *memo,
         struct diags *diags),
        (arena, program, laid_out, proved, tree, param_var, memo, diags))
WRAPPED(FINISHED, enum status, finished_prove,
        (struct arena * arena, const struct finished_tree *finished, struct diags *diags,
         const struct finished_proof **proof),
        (arena, finished, diags, proof))
WRAPPED(FLOW, enum status, flow_check,
        (struct arena * arena, const struct program *described, const struct program *laid_out, const struct vars *vars,
         const struct node *tree, struct diags *diags),
        (arena, described, laid_out, vars, tree, diags))
WRAPPED(NAMES, const char *, sight_hidden_name,
        (struct arena * arena, const struct program *program, const struct var *const *param_var,
         const struct node *tree),
        (arena, program, param_var, tree))
