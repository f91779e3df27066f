/* The operands of fuse: parts of the order that stand side by side in one sequence. */
#ifndef SCHED_STEPS_OPERAND_H
#define SCHED_STEPS_OPERAND_H

#include "base/names.h"
#include "sched/edit.h"

struct operand_loop {
    const struct loop_info *info;
    isl_union_pw_aff *time; /* kept by the order, or by the arena */
    isl_aff *origin;        /* its first count, pads included */
    struct loop_info *made; /* what it becomes */
};

/* One schedule: loops directly inside each other, then what they have inside. */
struct operand {
    const char *name;
    const struct order *node;
    struct operand_loop *loop;
    int rank;
    const struct order *body;
    isl_union_set *domain; /* kept by the arena; NULL: no other operand has instances of its statements */
};

/* Resolves names to operands that are children of one sequence, *parent; reports what is not. */
enum status operands_resolve(struct schedule *schedule, const struct value *list, struct operand *operand,
                             const struct order **parent);
void operands_release(struct operand *operand, int n);

/* Is node one of the n operands? */
bool operand_contains(const struct operand *operand, int n, const struct order *node);
/* { S[i,j] -> [(0)]; .. } for every statement of the operand. */
__isl_give isl_union_pw_aff *operand_zero(const struct operand *operand);

#endif
