/* One look at a tree: what the rules of tree/verify.h share. Only files of the verifier include this. */
#ifndef TREE_VERIFIER_H
#define TREE_VERIFIER_H

#include "base/vec.h"
#include "tree/verify.h"

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

    VEC(const struct node *) frame; /* functions and kernels around the node that have their arguments */
    int *depth;                     /* by identity: in how many of these the variable is bound */
    bool *used;                     /* by identity: does anything that is printed use it? */
    bool telling;                   /* what is looked at tells instances, and is not printed */
};

/* Notes the first one only, with the node at hand; var: what it is about, or NULL. */
void verifier_note(struct verifier *verifier, const char *what, const struct var *var);

/* Types and lanes of what the node itself says. */
void verify_types(struct verifier *verifier, const struct node *node);
/* Operands of matrix instructions. */
void verify_tiles(struct verifier *verifier, const struct node *node);

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
/* What of the node differs between the threads of a block. */
void verify_threads(struct verifier *verifier, const struct node *node);
/* Behind the children of a kernel. */
void verify_kernel_end(struct verifier *verifier, const struct node *kernel);

#endif
