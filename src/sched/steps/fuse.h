/* What the parts of fuse share. */
#ifndef SCHED_STEPS_FUSE_H
#define SCHED_STEPS_FUSE_H

#include "sched/steps/operand.h"

struct fuse {
    struct schedule *schedule;
    const struct step *step;
    struct operand *operand;
    int n;
    int partial;
    bool by_value;
    const struct order *parent; /* the sequence the operands stand in */
};

/* The first schedule that has loop number depth. */
const struct operand *fuse_owner(const struct fuse *fuse, int depth);

static inline bool fuse_has_loop(const struct fuse *fuse, int k, int depth)
{
    return depth < fuse->operand[k].rank;
}

/* The names of the fused nest and its loops, outermost first. */
struct fuse_names {
    struct names used;
    const char **fused, **unfused;
    const char *fusing, *nest;
};

/* Given by `as`, else as fuse_names.c says; reports names in use and lists of the wrong length. */
enum status fuse_choose_names(struct fuse *fuse, struct fuse_names *names);

#endif
