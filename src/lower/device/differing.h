/* Part of pass "grid": variables of a kernel whose values differ between threads. */
#ifndef LOWER_DEVICE_DIFFERING_H
#define LOWER_DEVICE_DIFFERING_H

#include "base/vec.h"
#include "tree/tree.h"

/* A variable whose values differ between the threads of a warp. */
struct along_x_var {
    const struct var *var;
    int64_t step;               /* from one thread along x to the next; 0: not known */
    const struct affine *first; /* in the first thread; NULL: not known */
};

typedef VEC(struct along_x_var) along_x_vars;

struct differing {
    struct arena *arena;
    VEC(const struct var *) all;
    along_x_vars along_x; /* those of a warp among them */
};

/* var differs along the axis. first, step: its value at the axis' first position, and by what it grows from one to the
 * next; NULL and 0: it differs in no way that is known. */
void differing_add(struct differing *differing, const struct var *var, enum axis axis, const struct affine *first,
                   int64_t step);
/* Has affine, has any of n alternatives one of them? */
bool differing_uses(const struct differing *differing, const struct affine *affine);
bool differing_guards(const struct differing *differing, const struct guard *alternative, int n);

/* Does affine differ between the threads of a warp? */
bool differs_along_x(const along_x_vars *along_x, const struct affine *affine);
/* By what it grows from one thread along x to the next; 0: that is not known. */
int64_t step_along_x(const along_x_vars *along_x, const struct affine *affine);

#endif
