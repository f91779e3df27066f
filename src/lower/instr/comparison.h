/* Part of pass "texts": what the loops at hand are compared with, and what is known of the operands so far. */
#ifndef LOWER_INSTR_COMPARISON_H
#define LOWER_INSTR_COMPARISON_H

#include "lower/facts/facts.h"
#include "lower/instr/same_nest.h"

/* A reference of the instruction's, and what it is in the tree. */
struct pair {
    const struct element *own, *other;
};

/* What an array of the instruction's is: own A[d0,d1] is other[base + d0 * step[0] + d1 * step[1]], where a step moves
 * in all dimensions of the other array. */
struct operand {
    VEC(struct pair) pair;
    const struct array *other; /* NULL: not met yet */
    const struct affine **base;
    int64_t **step; /* [dimension of the own array][dimension of the other] */
    bool *known;    /* by dimension of the own array: do references move in it? */
};

struct comparison {
    struct same_nest *same;
    struct arena *arena;
    const struct program *own;
    struct vars *own_vars;
    int n_loop;
    const struct var **own_var;
    const struct node **loop;       /* of the tree; of a call, without a child: it had one iteration and is gone */
    const struct affine **start;    /* by loop: the value of its variable where the instruction's own is 0 */
    const struct affine **only;     /* by loop of a call that the tree does not have: the one value of the own variable,
                                     * in the other own ones; NULL: the tree has it */
    const struct tree_expr **param; /* what the instruction's parameters are; NULL: not known yet */
    const struct tree_expr **scalar;
    const struct statement **part; /* of a call: the statements that its parts are */
    const struct node *first;      /* its first part */
    const struct tree_expr *guard; /* and the condition on data that they have, or NULL */
    struct operand *operand;
};

/* Notes the first difference; false. */
bool same_differ(struct comparison *c, const char *difference);
struct operand *same_operand_of(struct comparison *c, const struct array *array);
/* The parameter is value; false where it was another one before. */
bool same_bind(struct comparison *c, const struct param *param, const struct tree_expr *value);

/* Does the instruction write its array? */
bool same_writes(const struct comparison *c, const struct array *own);

/* same_nest.c: does the value change with the loops? How many iterations the loop has, NULL: not known as one
 * expression. The count, or 0 where it is negative. Has the loop nothing that the instruction's text could not do? Is
 * what the statement of the instruction's computes what the one of the tree does? All operands, NULL: one is not
 * known. */
bool same_moves(const struct comparison *c, const struct affine *a);
const struct affine *same_iterations(const struct comparison *c, const struct node *loop);
const struct affine *same_not_negative(const struct comparison *c, const struct affine *count);
bool same_is_plain_loop(const struct node *node);
bool same_statement(struct comparison *c, const struct node *own, const struct node *other);
const struct tree_expr *same_operands(const struct comparison *c);

/* same_memory.c: where the instruction's array is in memory, from the references that were met; false where they do not
 * tell, or not what the instruction needs. */
bool same_memory(struct comparison *c, const struct array *own);

#endif
