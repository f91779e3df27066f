/* Which parts of an order are kernels, and where on the launch's axes their instances run. */
#ifndef PLAN_DEVICE_KERNELS_H
#define PLAN_DEVICE_KERNELS_H

#include "program/axis.h"
#include "sched/order.h"

/* block x, y, z, thread x, y, z, and where a kernel has them the carries of tuples;
 * threads that share a tile of a matrix instruction */
enum { POSITION_DIMS = 6, POSITION_MOST = AXIS_DIGITS * POSITION_DIMS, TILE_THREADS = 32 };

struct kernels {
    const struct order **list; /* in the order of their launches */
    int n;
};

/* What stands at the outermost level; neighbours of one nest without blocks are one part, as are fused nests and the
 * copies of buffers for them. */
struct kernels kernels_parts(struct arena *arena, const struct order *order);
/* Is part, or what stands in one that is, run by the host: is it no bound loop, and has blocks inside? */
bool kernels_is_hosts(const struct order *part);
/* The parts, or of those that the host runs what is inside. */
struct kernels kernels_of(struct arena *arena, const struct order *order);
/* Is there a loop bound to blocks in order? */
bool kernels_have_blocks(const struct order *order);
/* Is it a loop of a matrix instruction's tile? */
bool kernels_is_tile(const struct order *order);
/* The dimensions of positions below order: POSITION_DIMS, or POSITION_MOST. */
int kernels_dims(const struct order *order);
/* Does dimension dim of a position tell threads of a block apart? */
static inline bool position_is_threads(int dim)
{
    return dim % POSITION_DIMS >= 3;
}
/* The dimension of a position that tells where on the axis it is. */
static inline int position_dim(enum axis axis)
{
    return axis < AXIS_CARRY ? (int)axis - AXIS_BLOCK_X : POSITION_DIMS + (int)axis - AXIS_CARRY;
}
/* { S[i,j] -> [bx, by, bz, tx, ty, tz, ..] } of that many dimensions, 0 where S has no loop on the axis; what a warp
 * does together is in none of its threads: products at tx = -3, copies of their results at -2. threads: how many a
 * block has along each thread axis, for loops over all of them. */
__isl_give isl_union_map *kernel_positions(const struct program *program, const struct order *kernel,
                                           const int64_t threads[3], int dims);
/* A tuple below kernel whose iterations go to blocks in runs, NULL: there is none. Its positions take each iteration
 * for a block: what runs in one block may be told apart there. */
const struct loop_info *kernel_runs(const struct order *kernel);
/* Along each thread axis the constant number of threads of the kernel, 0: not constant. */
void kernel_threads(const struct order *kernel, int64_t threads[3]);
/* Are the threads along x whole warps? */
bool kernel_is_whole_warps(const struct program *program, const struct order *kernel);
/* The kernel of the order that has the statement; NULL: several have. */
const struct order *kernel_of(struct arena *arena, const struct order *order, const struct statement *statement);

/* Is it always the same thread that makes the one update of an element, where a warp makes one of those of `lanes`
 * threads? */
bool kernels_one_thread_updates(const struct program *program, const struct statement *statement, int lanes);

#endif
