/* One look at a tree: what the rules of tree/verify.h share. Only files of the verifier include this. */
#ifndef TREE_VERIFIER_H
#define TREE_VERIFIER_H

#include "base/vec.h"
#include "tree/verify.h"

/* Lanes of a vector: those below a count, of all iterations those that data choose, all. */
enum lanes_active { LANES_NONE, LANES_BELOW_COUNT, LANES_BY_DATA, LANES_ALL };

/* An array that nodes of the tree declare. */
struct declared {
    const struct array *array;
    int here; /* how many of these nodes are in sight */
};

struct verifier {
    struct vars *vars;
    unsigned facts; /* of enum tree_fact */
    const char *pass;
    const struct node **binder; /* by identity: what binds the variable here, NULL: nothing */
    const struct node *at;      /* the node at hand */

    const struct node *kernel;      /* around the node, which binds the positions of its launch; NULL: none */
    const struct node *region;      /* of threads, around the node; NULL: none */
    const struct tile_shape *shape; /* of the TILES around; NULL: there is none */
    bool divided;                   /* not all threads of a block come to the place */
    bool *differs;                  /* by identity: has it different values in the threads of a block? */
    bool copies, waits;             /* asynchronous copies, and waits for them, were seen in the kernel */

    VEC(struct declared) declared;
    VEC(const struct array *) scope; /* those in sight, outermost first */

    VEC(const struct node *) frame; /* functions, kernels and what starts threads around the node */
    int *depth;                     /* by identity: in how many of these the variable is bound */
    bool *used;                     /* by identity: does anything that is printed use it? */
    enum lanes_active *lanes;       /* by identity: those of the value that assignments use */
    bool telling;                   /* what is looked at tells instances, and is not printed */
};

/* Notes the first one only, with the node at hand; var: what it is about, or NULL. */
void verifier_note(struct verifier *verifier, const char *what, const struct var *var);
/* Notes the first violation that may be none, as the rule is only approximated. */
void verifier_doubt(struct verifier *verifier, const char *what);

/* Types and lanes of what the node itself says. */
void verify_types(struct verifier *verifier, const struct node *node);
/* Operands of matrix instructions. */
void verify_tiles(struct verifier *verifier, const struct node *node);

/* The node's lanes have a mask, or are all active. */
void verify_lanes(struct verifier *verifier, const struct node *node);
/* The node at hand uses the variable. */
void verify_lanes_use(struct verifier *verifier, const struct var *var);
/* Behind a LET. */
void verify_lanes_leave(struct verifier *verifier, const struct node *let);

/* What the node itself does with memory and threads. */
void verify_memory(struct verifier *verifier, const struct node *node);
/* An element of the array is used. */
void verify_access(struct verifier *verifier, const struct array *array);
/* Notes the arrays that nodes of the tree, or kernel, declare. */
void verify_find_declared(struct verifier *verifier, const struct node *tree);
/* What the node declares for its children. */
void verify_declare(struct verifier *verifier, const struct node *node);
/* Behind the node, in front of which `scope` arrays were in sight. */
void verify_leave(struct verifier *verifier, const struct node *node, int scope);
/* Behind the children of a kernel. */
void verify_kernel_end(struct verifier *verifier, const struct node *kernel);

/* What of the node differs between the threads of a block. */
void verify_threads(struct verifier *verifier, const struct node *node);
/* May threads of a block have different values of it? */
bool verify_affine_differs(const struct verifier *verifier, const struct affine *affine);
/* A loop that is bound to positions, and a barrier. */
void verify_axis(struct verifier *verifier, const struct node *node);
void verify_barrier(struct verifier *verifier, const struct node *barrier);
/* What is copied asynchronously in the kernel, after pass "grid", is waited for. */
void verify_copies(struct verifier *verifier, const struct node *kernel);

#endif
