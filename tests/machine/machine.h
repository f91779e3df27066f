/* An abstract machine that runs finished loop trees: the last tree there is, which the printers only spell.
 *
 * Vectors, masks, tiles, regions of threads, blocks and asynchronous copies are executed as the tree says, by code
 * that neither lowering nor a printer nor the interpreter of descriptions shares. What the tree leaves open, the
 * machine chooses badly: lanes that are not active hold NaN, memory starts as NaN, iterations of parallel loops run
 * in the order that `order` draws, a thread runs as far as it can before the next one starts, asynchronous copies are
 * done as late as possible. A result that depends on any of these is a wrong tree.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "word.h"

#include "base/arena.h"
#include "tree/tree.h"
#include "tree/translate.h"

#include <setjmp.h>
#include <ucontext.h>

enum { MACHINE_LANES = 64, MACHINE_THREADS = 3, MACHINE_REMEMBERED = 64 };

/* The elements of an array. */
struct space {
    const struct array *array;
    int64_t *extent, *stride; /* of each dimension, in elements; a fragment has all those of a tile */
    int64_t offset, n;        /* elements of all of it */
    unsigned char *byte;
};

/* What a name stands for where the thread is; those further out follow. Exactly one of the parts is used. */
struct binding {
    const struct binding *outer;
    const struct thread *owner; /* whose memory it is in, up to `end` */
    size_t end;
    const struct var *var;    /* of the next three; NULL: an array's */
    int64_t integer;          /* LOOP, VALUE, TUPLE, parameters */
    struct word *lane;        /* LET: registers * lanes of them; one where lanes is 0 */
    int lanes, registers;     /* registers: 0 where the name is no array */
    const struct space *base; /* POINTER: the memory, and in `integer` the position there */
    struct space *memory;     /* of an array */
    bool barrier;             /* nothing further out is visible but what the machine holds: a function starts here */
};

/* A register of tiles: rows of bytes. */
struct tile_register {
    unsigned char byte[16][64];
};

struct machine;

enum wait { WAIT_FOR_NOTHING, WAIT_FOR_ALL, WAIT_FOR_WARP };

/* A copy that is still to be done. */
struct pending_copy {
    const struct node *assign;
    const struct space *to, *from;
    int64_t at, of;
    int before; /* groups that its thread had closed before */
};

/* What is the same in all lanes of a vector statement, found in the first lane that asks. */
struct remembered {
    const void *of;            /* an affine value, a load, or subscripts */
    int64_t statement;         /* the thread's number of it */
    const struct array *array; /* of the subscripts, counted from base, where they are, and in `integer` the position */
    const struct var *base;
    const struct space *memory;
    int64_t integer;
    struct word word; /* a load's */
};

/* One thread of a region or of a block, or all there is. */
struct thread {
    struct machine *machine;
    const struct binding *scope;
    int number;   /* in its team */
    int64_t work; /* shared loops and singles that it came to in its region */
    const struct node *start;
    enum wait wait;
    const struct node *wait_at; /* the same for all that wait for each other */
    bool done;
    bool streamed;         /* past the caches, with no fence since */
    bool takes;            /* part in a reduction of its warp, with the value */
    struct word exchanged; /* and then its result */
    bool any;              /* did any thread of the warp take part? */
    int place_in_tile;     /* in an element-wise loop over a fragment: the element */
    int64_t statement;     /* number of the vector statement, from 1 */
    struct remembered remembered[MACHINE_REMEMBERED];
    int64_t position[LAUNCH_AXES + 1]; /* by axis, on a device */
    int64_t launch[LAUNCH_AXES + 1];   /* of the host: how many there are along an axis of what it launches */
    struct pending_copy *copy;         /* n_copy of them that it has not waited for */
    int n_copy, max_copy;
    int groups; /* of copies, closed so far */
    struct tile_register tile[TILE_REGISTERS];
    const struct tile_shape *shape; /* of the registers, or NULL */
    ucontext_t context;
    void *stack;
    unsigned char *pool;    /* of bindings and what they hold; used up to top */
    size_t size, top, base; /* from base on it is the scopes' */
};

/* Threads that run together: those of a region, or of a block. */
struct team {
    struct thread *thread;
    int n;
    bool on_device;
    int64_t extent[LAUNCH_AXES + 1]; /* of the launch, by axis */
    ucontext_t scheduler;
    bool *single_taken; /* by the number of the work */
};

struct machine {
    struct arena *arena; /* of one run */
    const struct program *program;
    const struct var *const *param_var;
    const int64_t *param;
    const struct word *scalar;
    struct space *memory; /* of all arrays of the program; those that nodes declare have others there */
    uint64_t order;       /* seed of the choices; 0: forward, 1: backward */
    struct team *team;    /* that runs now, or NULL */
    char fault[200];      /* the first one; "" if none */
    bool lacks;           /* it is the machine that cannot run this */
    struct pool *pools;   /* memory of threads that are done, for others */
    int64_t assignments;  /* that it may still do; then it stops without a verdict */
    jmp_buf stop;
};

/* Runs tree; false after a fault. */
bool machine_run(struct machine *machine, const struct node *tree);
/* Ends the run with this message. */
_Noreturn void machine_fault(struct machine *machine, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* After that: AddressSanitizer takes frames that were left from another stack for ones in use, and sees faults
 * there. */
void machine_stopped(void);
/* Ends the run: the machine has no such device. */
_Noreturn void machine_lacks(struct machine *machine, const char *what);
/* The next choice of n. */
int64_t machine_choose(struct machine *machine, int64_t n);

/* memory.c */
/* The shape of the array, without its bytes. */
void space_shape(struct machine *machine, struct space *memory, const struct array *array);
/* Fills the bytes with what nobody may depend on, or zeros. */
void space_clear(struct space *memory);
/* The array's memory where the thread is. */
const struct space *space_of(struct thread *thread, const struct array *array);
/* Declares the array for the scope, with new memory. */
void space_declare(struct thread *thread, const struct array *array);
/* The position of the element of this lane, in *memory; not looked at whether it is inside. */
int64_t element_position(struct thread *thread, const struct element *element, int lane, int group,
                         const struct space **memory);
struct word space_read(struct thread *thread, const struct space *memory, int64_t position);
void space_write(struct thread *thread, const struct space *memory, int64_t position, struct word value);
/* Where the bytes are, n of them; a fault if they are not all inside. */
unsigned char *space_bytes(struct thread *thread, const struct space *memory, int64_t position, int64_t n);

/* evaluate.c; NOT_IN_LANES as lane: a value of the thread */
enum { NOT_IN_LANES = -1 };
int64_t affine_value(struct thread *thread, const struct affine *affine);
bool guard_holds(struct thread *thread, const struct guard *guard);
struct word value_of(struct thread *thread, const struct tree_expr *expr, int lane);
const struct binding *binding_of(struct thread *thread, const struct var *var);

/* scope.c: what is bound lives until the thread leaves that scope */
struct binding *bind(struct thread *thread, const struct var *var);
void *thread_alloc(struct thread *thread, size_t size);
void leave(struct thread *thread, const struct binding *scope);
/* A thread with memory of its own; false: there is none. */
bool thread_begin(struct thread *thread, size_t size);
void thread_end(struct thread *thread);
/* Gives back the memory of threads that are done. */
void machine_release(struct machine *machine);

/* vectors.c */
/* What the vector statement that runs remembers of this; *found: it does. Else the caller fills it in. */
struct remembered *remember(struct thread *thread, const void *of, bool *found);
/* An affine value, the same in all lanes of the vector statement that runs. */
int64_t value_in_lanes(struct thread *thread, const struct affine *affine);
void run_vector_assign(struct thread *thread, const struct node *assign);
void run_vector_let(struct thread *thread, const struct node *let);
/* The register of a name that stands for vectors. */
struct word *vector_of(struct thread *thread, const struct var *var, const struct affine *place, int lanes);

/* tiles.c */
void run_tile(struct thread *thread, const struct node *assign);

/* team.c */
/* Runs start's body in all threads of the team, from wait to wait. */
void team_run(struct team *team, struct thread *parent, const struct node *start);
/* The thread is where others may read what it stored. */
void team_meet(struct thread *thread);
/* Waits for the others at node. */
void wait_for(struct thread *thread, enum wait wait, const struct node *node);

/* tensors.c */
/* A matrix instruction; those with other lanes' elements are done when all of the warp are there. */
void run_tensor(struct thread *thread, const struct node *assign);
/* Does what the lanes wait for, n_lane of them. */
void warp_tensor(struct thread *lane, int n_lane, const struct node *assign);

/* device.c */
/* How many blocks and threads there are: told on the host. */
void measure_launch(struct thread *thread, const struct node *kernel);
void run_kernel(struct thread *thread, const struct node *kernel);
/* Declares what each thread has for itself. */
void device_begin_thread(struct thread *thread);
void run_barrier(struct thread *thread, const struct node *barrier);
void run_warp_sum(struct thread *thread, const struct node *assign);
void run_copy(struct thread *thread, const struct node *assign);
/* The thread's coordinate on the axis. */
int64_t position_of(struct thread *thread, enum axis axis);
int64_t launch_extent(struct thread *thread, enum axis axis);

/* threads.c */
void run_region(struct thread *thread, const struct node *region);
void run_shared_loop(struct thread *thread, const struct node *loop);
/* All iterations of a doacross loop, one of the innermost loop's after the other. */
void run_doacross(struct thread *thread, const struct node *doacross);
void run_single(struct thread *thread, const struct node *single);

/* texts.c */
/* Runs the loops that the text replaces. A fault where the instruction's nest, run on the operands that the text gets,
 * leaves something else in memory. */
void run_instruction(struct thread *thread, const struct node *text);

/* run.c */
void run_node(struct thread *thread, const struct node *node);
/* Iterations of a loop or tuple, n of them, and one of them. */
int64_t iterations_of(struct thread *thread, const struct node *loop);
/* The variables of the iteration of that number, and what it declares. */
void bind_iteration(struct thread *thread, const struct node *loop, int64_t number);
void run_iteration(struct thread *thread, const struct node *loop, int64_t number);

#endif
