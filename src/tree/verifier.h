/* One look at a tree: what the rules of tree/verify.h share. Only files of the verifier include this. */
#ifndef TREE_VERIFIER_H
#define TREE_VERIFIER_H

#include "tree/verify.h"

struct verifier {
    struct vars *vars;
    unsigned facts; /* of enum tree_fact */
    const char *pass;
    const struct node **binder;     /* by identity: what binds the variable here, NULL: nothing */
    const struct node *at;          /* the node at hand */
    bool kernel;                    /* inside of one, which binds the positions of its launch */
    const struct tile_shape *shape; /* of the TILES around; NULL: there is none */
};

/* Notes the first one only, with the node at hand; var: what it is about, or NULL. */
void verifier_note(struct verifier *verifier, const char *what, const struct var *var);

/* Types and lanes of what the node itself says. */
void verify_types(struct verifier *verifier, const struct node *node);
/* Operands of matrix instructions. */
void verify_tiles(struct verifier *verifier, const struct node *node);

#endif
