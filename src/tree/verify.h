/* The verifier of the loop tree: what tree.h says of every tree, looked at after each pass.
 *
 *   identity   each variable comes from struct vars; names of variables, arrays, functions and kernels are names, and
 *              neither text nor words of a target
 *   scope      what an expression uses is bound around it: a parameter, the variable of a LOOP, VALUE, LET, TUPLE (and
 *              its parts) or POINTER around, or a position of the launch in a KERNEL; nothing is bound inside of itself
 *   facts      nothing is in it that only a later pass brings, nor what an earlier one has replaced
 *   types      operations, choices, functions, loads and assignments have operands of their types
 *   lanes      what has lanes has those of its vector, masks are masks and values are none; a name for a mask says what
 *              the vector counts; groups and subscripts of lanes are those of all lanes; what is stored as a whole has
 *              all lanes active; each lane tells its instance, also where no mask is; what is loaded in lanes and has a
 *              name is loaded in the lanes that assignments use
 *   dead       a LET or POINTER binds what is used; a variable that tells a node's instances apart does that
 *   memory     what only a device has is used in kernels; an array that a node declares is used where it is in sight;
 *              nothing writes what is read only; asynchronous copies go to shared memory, and a kernel has them if it
 *              waits for them; atomic updates are of what other threads see
 *   threads    from pass "grid" on all threads of a block come to each barrier: no condition and no loop around it
 *              depends on a thread's position or on data; no loop is bound any more, and positions are those that the
 *              launch has; threads of a region are shared in it only
 *   waits      from pass "grid" on nothing reads what an asynchronous copy writes, nor writes what it reads, unless
 *              each way from the copy to there leads past a wait; where the verifier cannot show that, it notes a doubt
 *   functions  from pass "outline" on a function, or kernel, uses its arguments and what is bound inside; threads also
 *              see names of values and pointers around
 *   tiles      operands of matrix instructions have the shapes and types of these, and registers that there are
 *
 * A violation is an error of the pass: it is noted in vars->broken, which ends the compilation with an internal error.
 * A doubt is noted in vars->doubted: values' flow (lower/flow/flow.h) must come to its end at some sizes.
 */
#ifndef TREE_VERIFY_H
#define TREE_VERIFY_H

#include "tree/tree.h"
#include "tree/vars.h"

/* What the passes so far have given. Before a fact is given no tree has what it brings. */
enum tree_fact {
    FACT_ROUTINES = 1 << 0,     /* SWITCH, CALL */
    FACT_ELSE = 1 << 1,         /* what runs otherwise */
    FACT_THREADS = 1 << 2,      /* loops in threads */
    FACT_KERNELS = 1 << 3,      /* KERNEL */
    FACT_BODIES = 1 << 4,       /* ASSIGN and BARRIER; no STATEMENT any more */
    FACT_TUPLES = 1 << 5,       /* TUPLE */
    FACT_TENSORS = 1 << 6,      /* tiles of tensor cores */
    FACT_TILES = 1 << 7,        /* tiles in registers of a CPU */
    FACT_VECTORS = 1 << 8,      /* vectors, and names of them */
    FACT_HINTS = 1 << 9,        /* PREFETCH, lines for the compiler */
    FACT_STREAMS = 1 << 10,     /* stores past the caches */
    FACT_ROWS = 1 << 11,        /* POINTER */
    FACT_REGIONS = 1 << 12,     /* REGION, SINGLE, loops that share its threads */
    FACT_FENCES = 1 << 13,      /* FENCE */
    FACT_TILE_SHAPES = 1 << 14, /* TILES */
    FACT_GRID = 1 << 15, /* positions of the launch are used; a loop on an axis starts at one, and goes on from there */
    FACT_DECLARATIONS = 1 << 16, /* what a thread of a device has is declared around all its uses */
    FACT_ARGUMENTS = 1 << 17,    /* functions have their arguments, and see nothing else */
    FACT_TEXTS = 1 << 18,        /* TEXT */
    FACT_UNFOLDED = 1 << 19,     /* and what it computes is its child */
};

/* tree itself; NULL after noting what is wrong with it. NULL flows through. facts: what was given, by the pass, too. */
const struct node *tree_verified(struct vars *vars, unsigned facts, const char *pass, const struct node *tree);
/* What of the node itself contradicts the facts, in words; NULL: nothing. */
const char *tree_fact_broken(unsigned facts, const struct node *node);

#endif
