/* Proposals for devices: nests become kernels, loops without dependences their blocks and threads. Loops around those
 * that carry something stay on the host, which launches a kernel in each of their iterations.
 */
#ifndef AUTO_DEVICE_DEVICE_H
#define AUTO_DEVICE_DEVICE_H

#include "auto/site.h"

/* Loops directly inside each other, the first of which is not held by the host. What is inside of the last one is a
 * thread's. */
struct grid {
    struct site site;
    int free[MAX_DEPTH], n_free; /* loops whose iterations may run at once, outermost first */
    int rest[MAX_DEPTH], n_rest; /* the others, likewise */
    bool deep;                   /* there are loops inside of the last one, beside statements */
};

void device_propose(struct scene *scene, const struct nest *nest);
/* Does a piece of the loop do better on a device than in the loop as it is, where more loops are blocks and threads, or
 * as a product? */
bool device_gains(const struct scene *scene, const struct nest_part *piece, const struct nest_part *loop);

/* The threads of a block that have nothing to do with each other: as many as the user wants, or as the table says. */
int device_threads(const struct scene *scene);
/* The loop along which neighbours in memory are next to each other, for threads of a warp; one of the free ones. */
int grid_lane(const struct grid *grid);
/* Do all iterations of the sum in that loop, of the one statement inside, count in any order? */
bool grid_sums_freely(const struct grid *grid, int loop);

/* Adds the free loop beside these two, of three at most, to an order. Returns what `bind` says of it, or "". */
const char *grid_third(const struct grid *grid, int first, int second, const char **order, int *n);
/* What threads sum up goes to registers around the loop; false: nothing does. */
bool grid_keep_sums(const struct grid *grid, struct option *option, const char *loop);

/* Recipes: each looks whether the loops are what it is for, and adds its options. */

/* A product of matrices: tiles of the factors in shared memory, of the result in registers. */
void device_product(const struct grid *grid);
bool grid_is_product(const struct grid *grid);
/* An array that is read along one loop and written along another: tiles of it go through shared memory. */
void device_transposition(const struct grid *grid);
/* Sums along rows whose order is free: the threads of a block for each of them. */
void device_rows(const struct grid *grid);
/* A sum of everything whose order is free: blocks have partial sums. False: it is none. */
bool device_total(const struct scene *scene, const struct nest_part *part);
/* Windows of an array that overlap between threads: a tile of it, with its border, in shared memory. */
void device_window(const struct grid *grid);
/* Elements that read neighbours in a column: a thread has several of these, and what they share in registers. */
void device_columns(const struct grid *grid);
/* Everything else: an iteration of the free loops is a thread. */
void device_points(const struct grid *grid);

#endif
