/* Part of pass "grid": values of a thread's position that are known from the start of a kernel, and their names. All
 * loops over the same positions of threads share one such variable.
 */
#ifndef LOWER_DEVICE_STARTS_H
#define LOWER_DEVICE_STARTS_H

#include "base/names.h"
#include "base/vec.h"
#include "tree/tree.h"

struct positions;
struct vars;

/* first + step * position */
struct start {
    enum axis axis;
    int64_t first, step;
    const struct affine *value;
    const struct var *var;
};

struct starts {
    struct arena *arena;
    const struct positions *positions;
    const struct node *kernel;
    VEC(struct start) list;
    struct names names; /* in the kernel and around it, which these must not have */
};

/* Those of kernel: none yet, and the names of its other variables are taken. */
struct starts starts_of(const struct positions *positions, const struct node *kernel);
/* Is node a loop over positions of threads whose variable is known from the start? */
bool starts_is_one(const struct node *node);
/* The variable of such a loop; NULL: there is none yet. */
const struct start *starts_find(const struct starts *starts, const struct node *loop);
/* Another one, for loop, of that value. */
const struct start *starts_add(struct starts *starts, const struct node *loop, const struct affine *value,
                               struct vars *vars);
/* The kernel's body with the values that it uses in front. Where a position along an axis of threads has a name, that
 * stands for it. NULL flows through. */
const struct node *starts_in_front(const struct starts *starts, const struct node *body);

#endif
