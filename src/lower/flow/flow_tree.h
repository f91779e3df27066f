/* The finished loop tree on terms.
 *
 * Threads of a team, those of a region or of a block, go through the tree together: what has no wait inside runs in
 * one after the other, and nodes with a wait inside are entered by all of them, each with its own variables. So they
 * need no stacks of their own, and it shows where not all come to a wait.
 */
#ifndef LOWER_FLOW_FLOW_TREE_H
#define LOWER_FLOW_FLOW_TREE_H

#include "lower/flow/flow_run.h"
#include "tree/tree.h"
#include "tree/vars.h"

enum { FLOW_LANES = 64, NOT_IN_LANES = -1 };

/* What a variable stands for. */
struct binding {
    int64_t integer;    /* also of a POINTER: the position */
    struct space *base; /* POINTER */
    struct term *lane;  /* LET: registers * lanes of them */
    int lanes;          /* 0: one value */
    int registers, room;
    bool own; /* lane is this thread's */
};

struct copy {
    const struct node *assign;
    struct space *to, *from;
    int64_t at, of;
    int64_t group; /* the number of groups that its thread had closed before: that of its own */
};

struct tile_register {
    struct term term[16][64];
};

struct thread {
    struct tree_run *run;
    struct binding *binding; /* by identity of the variable */
    struct space **space;    /* by array: those in sight */
    struct space **own;      /* by array: what it has declared before, or NULL */
    struct moment moment;
    int level;       /* of nested threads */
    int number;      /* in its team */
    int row, column; /* in the fragments of a matrix instruction */
    int work;        /* shared loops and singles of the region that it came to */
    int64_t position[LAUNCH_AXES + 1];
    struct tile_register *tile; /* TILE_REGISTERS of them, or NULL */
    const struct tile_shape *shape;
    VEC(struct copy) copies;        /* that it has not waited for */
    int64_t closed;                 /* the number of groups of copies that it has closed */
    const struct threads *reducing; /* of the loop in threads around */
    int collapsing;                 /* so many loops inside are one with that one */
    bool streamed;                  /* past the caches, with no fence since */
};

struct team {
    struct thread *thread;
    int n;
    bool on_device;
    int64_t extent[LAUNCH_AXES + 1];
    uint32_t launch, block;
    VEC(bool) taken; /* singles, by number of the work */
};

struct tree_run {
    struct flow *flow;
    const struct vars *vars;
    struct team *team;           /* that runs, or NULL */
    bool backward;               /* threads and iterations in threads run from the last one on */
    const struct node **waiting; /* nodes with a wait inside, n_waiting of them, by address */
    int n_waiting;
};

/* Runs tree on flow's memory. */
void flow_run_tree(struct flow *flow, const struct vars *vars, const struct node *tree, bool backward);

/* flow_values.c */
int64_t flow_affine(struct thread *thread, const struct affine *affine);
bool flow_guard(struct thread *thread, const struct guard *guard);
/* lane: NOT_IN_LANES for a value of the thread. */
struct term flow_value(struct thread *thread, const struct tree_expr *expr, int lane);
/* Is it true? The run ends where it is poison. */
bool flow_true(struct thread *thread, const struct tree_expr *expr, int lane);
/* The position of a lane's element; neighbours: of a group of so many, else 0. */
int64_t flow_position(struct thread *thread, const struct element *element, int lane, int neighbours,
                      struct space **space);
/* The register of a name that stands for vectors; NULL: the run has ended. */
struct term *flow_vector(struct thread *thread, const struct var *var, const struct affine *place, int lanes);
struct binding *flow_room(struct thread *thread, const struct var *var, int lanes, int registers);
enum type flow_update_type(const struct node *assign);

/* flow_vectors.c */
void flow_vector_assign(struct thread *thread, const struct node *assign);
void flow_vector_let(struct thread *thread, const struct node *let);

/* flow_streams.c */
/* An assignment past the caches is about to be done. */
void flow_stream(struct thread *thread, const struct node *assign);
/* The thread comes to where others may read what it stored. */
void flow_meet(struct thread *thread);

/* flow_tiles.c */
void flow_tile(struct thread *thread, const struct node *assign);

/* flow_tensors.c */
void flow_tensor(struct thread *thread, const struct node *assign);
/* How far the thread's row and column are from the start of a fragment in space. */
int64_t flow_in_fragment(const struct thread *thread, const struct space *space);

/* flow_nodes.c */
/* An assignment of one element. */
void flow_assign_element(struct thread *thread, const struct node *assign);
void flow_node(struct thread *thread, const struct node *node);
/* Child k of a block. */
void flow_child(struct thread *thread, const struct node *block, int k);
/* Binds what a VALUE, LET or POINTER binds, and gives registers the shape of TILES; other nodes bind nothing. */
void flow_bind(struct thread *thread, const struct node *node);
struct term flow_load(struct thread *thread, struct space *space, int64_t position);
void flow_store(struct thread *thread, struct space *space, int64_t position, struct term term);
/* New elements of the array for the thread; what it saw before. */
struct space *flow_declare(struct thread *thread, const struct array *array);
/* All that the node declares; flow_undeclare takes what it returns, and what was seen before is seen again. */
struct space **flow_declare_all(struct thread *thread, const struct node *node);
void flow_undeclare(struct thread *thread, const struct node *node, struct space **before);
/* The values of a loop or tuple, one after the other. */
struct iterations {
    int64_t first, step, n;
};
struct iterations flow_iterations(struct thread *thread, const struct node *loop);
void flow_bind_iteration(struct thread *thread, const struct node *loop, const struct iterations *iterations,
                         int64_t k);
bool flow_takes(struct thread *thread, const struct node *node);

/* flow_threads.c */
void flow_region(struct thread *thread, const struct node *region);
void flow_kernel(struct thread *thread, const struct node *kernel);
void flow_shared_loop(struct thread *thread, const struct node *loop);
/* The iterations of a loop that is one with the loop in threads around. */
void flow_collapsed_loop(struct thread *thread, const struct node *loop);
void flow_parallel_loop(struct thread *thread, const struct node *loop);
void flow_single(struct thread *thread, const struct node *single);
void flow_copy(struct thread *thread, const struct node *assign);
/* What a barrier does about the thread's own copies. */
void flow_wait_for_copies(struct thread *thread, const struct node *barrier);

#endif
