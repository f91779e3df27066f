/* What the files of pass "grid" share: its state, and the way down the tree.
 *
 * `missing` are the axes (bits) on which nothing around has a loop yet; `pending` are conditions that still have to go
 * around what is found.
 */
#ifndef LOWER_DEVICE_GRID_H
#define LOWER_DEVICE_GRID_H

#include "base/vec.h"
#include "lower/device/differing.h"
#include "lower/device/positions.h"
#include "lower/device/starts.h"
#include "lower/facts/pending.h"
#include "tree/vars.h"

struct diags;
struct gpu;

struct grid {
    struct arena *arena;
    const struct program *program;
    struct diags *diags;
    const struct gpu *gpu;
    const int64_t *param_least, *param_most;
    struct positions positions;
    struct differing differing;
    struct starts starts;
    VEC(const struct var *) outside; /* variables of the host around the kernel */
    const struct affine *round; /* where threads go round nested loops as one: counts their iterations, else NULL; */
    int64_t n_round;            /* so many, */
    int64_t in_a_row;           /* each thread so many in a row; 0: they go from thread to thread */
    const struct var *thread;   /* its number */
    bool filling;               /* are we in a copy that all threads of a block make together? */
    const struct var *place;    /* that of the thread's iteration in its block's run; NULL: nothing needs it */
    bool refused;
    struct vars *vars;
};

/* node and what is in it; NULL after reporting. */
const struct node *grid_convert(struct grid *grid, const struct node *node, unsigned missing,
                                const struct pending *pending);
/* The variable that all loops over the positions of this one share; its value goes in front of everything. */
const struct var *grid_start_of(struct grid *grid, const struct node *loop, const struct affine *value);
/* node, with the comment of the loop that it stands for; NULL flows through. */
const struct node *grid_with_comment_of(struct grid *grid, const struct node *loop, const struct node *node);
/* Nested loops whose iterations all threads of a block go round as one: loop is the outermost, or one inside of it. */
const struct node *grid_rounds(struct grid *grid, const struct node *loop, unsigned missing,
                               const struct pending *pending);
/* How many iterations these have; INT64_MAX: only the launch knows it. */
int64_t grid_iterations(const struct node *loop);
/* The number of a thread of a copy, on one axis or among all, under one name in all of the kernel: that of a loop over
 * the same positions, if there is one. */
const struct var *grid_thread_number(struct grid *grid, const struct node *loop, enum axis axis);
/* A loop of a copy whose iterations are dealt out to the threads along an axis, however many they are:
 * for (j = thread; j < K; j += 128). */
const struct node *grid_dealing(struct grid *grid, const struct node *loop, unsigned missing,
                                const struct pending *pending);
/* The body of a loop with more iterations than blocks: the loop stays, from the block's own position, value, a whole
 * grid on and on. */
const struct node *grid_walking(struct grid *grid, const struct node *loop, const struct affine *value,
                                unsigned missing, const struct pending *pending);
/* The same for the outermost loop of a tuple. */
const struct node *grid_walking_digits(struct grid *grid, const struct node *loop, unsigned missing,
                                       const struct pending *pending);
/* Is node the outermost loop of a copy that all threads of a block make together, the block having a run of a tuple's
 * iterations? Is there one in it? */
bool grid_is_copy(const struct grid *grid, const struct node *node);
bool grid_has_copy(const struct grid *grid, const struct node *node);
/* The kernel with the subscripts of arrays that have elements for each iteration of a run, grid->place; NULL after
 * reporting. */
const struct node *grid_places(struct grid *grid, const struct node *kernel);
/* Such a copy, of what is the same whatever the iteration, or of all iterations of the run: the threads behind the last
 * one take part, too. */
const struct node *grid_copy(struct grid *grid, const struct node *loop, unsigned missing,
                             const struct pending *pending);
/* Is there something in node that all threads of a block or of a warp have to reach? */
bool grid_waits(const struct grid *grid, const struct node *node);
/* var is made of the position on an axis of threads: by what it grows is known unless that has digits. */
void grid_note_position(struct grid *grid, const struct var *var, enum axis axis, const struct affine *first,
                        int64_t step);

#endif
