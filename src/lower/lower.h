/* Lowering: from the order of the instances to the loop tree that is printed.
 *
 * isl generates loops over counts; its AST is converted once (from_isl.c). Everything after that is a
 * pass over the loop tree, each from tree to tree:
 *
 *   tidy      divisions get shorter
 *   scale     loop variables take the values the user sees, `i += 32`
 *   refine    loops made of tiles are cut where their inner loops change shape: full part and rest;
 *             bounds and conditions lose what the loops around already say; loops of one iteration go
 *   cases     tiles of which each remainder has a function of its own
 *   literal   loops that are unrolled or vectorised get constant bounds, in full tiles and in others
 *   unroll    small pieces that a step wants unrolled
 *   shadow    a loop inside another of the same name gets a name of its own
 *   bind      loops bound to blocks and threads get one shape for all of them
 *   end       an end of tiles that other bounds depend on gets a name, `const int64_t t_end = min(T, t + 4)`
 *   extent    what remains a minimum gets a name, `const int64_t jj_n = min(64, N - j)`
 *   digits    coordinates of collapsed loops are the digits of one sum, (ij + q) / 7 and (ij + q) % 7
 *   name      coordinates that are long and often used get one, `const int64_t i_S = i + ii - t`
 *   else      of two conditions next to each other, one of which holds, the second is `else`
 *   threads   loops that are parallel say so
 *   kernel    what runs on a device says so
 *   finish    the facts printers need: which variables fit an int, which divisions C rounds right
 *
 * and, when the bodies are made and have become vectors,
 *   regions   parallel loops that follow each other share one parallel region
 *
 * Then cover.c proves that the tree runs every instance exactly once.
 */
#ifndef LOWER_LOWER_H
#define LOWER_LOWER_H

#include "base/names.h"
#include "plan/kernels.h"
#include "sched/order.h"
#include "tree/tree.h"

struct facts;

/* What passes share. */
struct lowering {
    struct arena *arena;
    const struct program *program;
    struct diags *diags;
    const struct var *const *param_var; /* of program->param */
    struct facts *facts;                /* of the program, once they were asked for; lower/facts.h */
    int next_var;                       /* id of the next variable */
    struct kernels kernels;             /* on a device: of the part of the order that is lowered */
    struct names taken;                 /* by the program and its loops */
    bool refused;                       /* a pass reported that something asked for cannot be had */
    bool failed;                        /* isl made something the loop tree has no form for */
};

/* The loop tree of order, STATEMENT leaves, all passes done and proved to cover the domains. */
enum status lower_order(struct arena *arena, const struct program *program, const struct order *order,
                        struct diags *diags, const struct node **tree, const struct var *const **param_var);

struct var *lower_new_var(struct lowering *lowering, enum var_kind kind, const char *name);
/* Adds the names of the program and of all variables of the tree. */
void lower_used_names(struct lowering *lowering, const struct node *tree, struct names *used);
/* wanted, or the like where the program or one of its loops has that name. */
const char *lower_free_name(struct lowering *lowering, const char *wanted);

/* The loops of order over the values that the user sees, refined: isl's own choice of pieces or, where that
 * scatters the statements, what reads better. NULL on an isl error or when there is no form for it. */
const struct node *lower_shape(struct lowering *lowering, const struct order *order);
/* The same loops made without isl, where the order is so simple that they can be read off it; NULL elsewhere. */
const struct node *lower_direct(struct lowering *lowering, const struct order *order);
/* What a loop is called: one that fuse named `mm.k` to tell it from another k is printed as k; pass_shadow.c renames it
 * inside a k. */
const char *lower_printed_name(const struct loop_info *info);
/* The loops that isl generates for order, over counts; whole: all but the innermost loops are in one piece. NULL on
 * an isl error. */
const struct node *lower_from_isl(struct lowering *lowering, const struct order *order, bool whole);

/* The passes, see above. */
const struct node *lower_tidy(struct lowering *lowering, const struct node *tree);
const struct node *lower_scale(struct lowering *lowering, const struct node *tree);

const struct node *lower_refine(struct lowering *lowering, const struct node *tree);
/* tree itself, if every rest that was to be peeled was; NULL after reporting the first that was not. */
const struct node *lower_check_tails(struct lowering *lowering, const struct node *tree);
/* NULL after reporting tiles whose remainders cannot have literal bounds. */
const struct node *lower_cases(struct lowering *lowering, const struct node *tree);
/* NULL after reporting a loop that has no constant end. */
const struct node *lower_literal(struct lowering *lowering, const struct node *tree);
const struct node *lower_unroll(struct lowering *lowering, const struct node *tree);

const struct node *lower_shadow(struct lowering *lowering, const struct node *tree);
const struct node *lower_end(struct lowering *lowering, const struct node *tree);
const struct node *lower_extent(struct lowering *lowering, const struct node *tree);
const struct node *lower_digits(struct lowering *lowering, const struct node *tree);
const struct node *lower_name(struct lowering *lowering, const struct node *tree);
const struct node *lower_else(struct lowering *lowering, const struct node *tree);
const struct node *lower_finish(struct lowering *lowering, const struct node *tree);

/* Loops bound to an axis of the launch run over all of its positions, and test inside what isl's bounds say besides. */
const struct node *lower_bind(struct lowering *lowering, const struct node *tree);
/* Each part of the tree that runs on the device as a whole is a kernel; loops around those with blocks are the
 * host's. */
const struct node *lower_kernels(struct lowering *lowering, const struct node *tree);
/* Bound loops become values of their position, and conditions go inside of what all threads do together.
 * Refused: barriers that not all threads of a block would reach. */
enum status lower_grid(struct arena *arena, const struct program *program, const struct node *tree, struct diags *diags,
                       const struct node **result);
/* The same tree with what each thread of a kernel has as a variable declared where it gets its first value. */
const struct node *lower_declarations(struct arena *arena, const struct program *program, const struct node *tree);

/* The same as finish for the subscripts of ASSIGN nodes; the last part of lower_bodies. */
const struct node *lower_plain(struct lowering *lowering, const struct node *tree);

/* Collapsed loops with symbolic inner extents as one loop each; the last pass, when the bodies are made. */
const struct node *lower_tuples(struct lowering *lowering, const struct node *tree);

/* Arrays that each thread has for itself lose the dimensions that only tell threads apart. */
const struct node *lower_private(struct lowering *lowering, const struct node *tree);

/* The last pass: calls get their arguments. Refused: arrays in registers that a function would share with its
 * caller, where it is not part of that in the end, as on a device. */
enum status lower_outline(struct arena *arena, const struct program *program, const struct node *tree,
                          struct diags *diags, const struct node **outlined);

/* Variables declared where they live; after lower_plain. */
const struct node *lower_scopes(struct lowering *lowering, const struct node *tree);

/* Is node one of the inner loops of a parallel loop, with nothing between it and the loop around it? */
bool lower_is_inner(const struct node *node);
/* Parallel loops get their threads; NULL after reporting those that cannot be one loop. */
const struct node *lower_threads(struct lowering *lowering, const struct node *tree);

/* Warns of parallel loops of order that are none in the tree. */
void lower_tell_sequential(struct lowering *lowering, const struct order *order, const struct node *tree);
/* Parallel loops that follow each other, or that a loop repeats, share one parallel region; behind the vectors. */
const struct node *lower_regions(struct arena *arena, const struct program *program, const struct var *const *param_var,
                                 const struct node *tree);

/* Proves that tree, made of order, runs each instance of each statement exactly once; reports an internal error if
 * not. */
enum status lower_check_cover(struct lowering *lowering, const struct order *order, const struct node *tree);

#endif
