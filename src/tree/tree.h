/* The loop tree: the emitted program between isl's AST and the printers.
 *
 * Nodes and expressions are immutable and live in the arena; a pass returns a new tree that shares what it did
 * not change. Constructors return NULL when a part is NULL (an affine overflow, see affine.h). A variable is bound
 * by the LOOP, VALUE, LET, TUPLE (its parts, too) or POINTER node that carries it; copies of a body may bind the same
 * variable side by side, never nested. A KERNEL binds the positions of its launch. Nothing uses a variable that is not
 * bound around it, be it in what nobody would print, and a LET or POINTER that nothing uses is not there: a pass that
 * takes the last use of a name away takes the name away, too. (A VALUE may be for readers, and a LOOP for the number of
 * its iterations.) tree/verify.h looks at that after each pass.
 */
#ifndef TREE_TREE_H
#define TREE_TREE_H

#include "base/text.h"
#include "program/axis.h"
#include "program/expr/expr.h"
#include "tree/affine.h"

enum node_kind {
    NODE_BLOCK,
    NODE_LOOP,
    NODE_IF,
    NODE_VALUE,
    NODE_TUPLE,
    NODE_STATEMENT,
    NODE_ASSIGN,
    NODE_KERNEL,
    NODE_BARRIER,
    NODE_LET,
    NODE_PREFETCH,
    NODE_FENCE,
    NODE_SWITCH,
    NODE_CALL,
    NODE_REGION,
    NODE_SINGLE,
    NODE_POINTER,
    NODE_TILES,
    NODE_TEXT,
    NODE_REFUSE,
};

enum declaration { DECLARE_NOTHING, DECLARE_VARIABLE, DECLARE_CONSTANT };

struct loop_info; /* sched/order.h; opaque here */
struct statement;
struct array;
struct scalar;
struct simd_dot; /* caps/simd.h; opaque here */
struct simd_product;

/* A conjunction of affine facts: each of the form a >= 0 or a == 0. */
struct condition {
    const struct affine *affine;
    bool equal; /* == 0, else >= 0 */
};

/* Disjunction of conjunctions would be rare: isl's guards are conjunctions here; a disjunctive guard
 * becomes several alternatives of which at least one holds. */
struct guard {
    const struct condition *condition; /* n of them, all must hold */
    int n;
};

/* Typed expressions; every implicit conversion of the description is an explicit TREE_CAST.
 *
 * An operand has the type of its operation, and so have the sides of a choice, the arguments of a function and what is
 * assigned; what is compared has one type; only how far something is shifted may have another. In a vector a value is
 * the same in all lanes, or has as many as the vector; outside of vectors it has none. A condition that differs in
 * lanes is a mask: masks stand where conditions do, in the lanes that a vector counts and in names of masks, and
 * nowhere else. A name is of its value's type and lanes; a bool is a byte in lanes (TYPE_U8).
 */
enum tree_expr_kind {
    TREE_INT,   /* integer literal of `type` */
    TREE_REAL,  /* real, spelling */
    TREE_INDEX, /* an affine value converted to `type` */
    TREE_SCALAR,
    TREE_LOAD,  /* element; integer > 0: so many neighbours from it on as one value of `type`; see also LANES_APART */
    TREE_DOT,   /* the sum of products of the neighbours that arg[0] and arg[1] load, by `dot` */
    TREE_NAMED, /* what a LET around calls var */
    TREE_RAMP,  /* affine + integer * lane, of the integer type `type`; or the numbers of `list`, integer of them */
    TREE_MASK,  /* true in the lanes below affine; NULL, in a LET: in the active ones of the lanes of `type` */
    TREE_ANY,   /* is the mask arg[0] true in any of integer lanes? */
    TREE_TOTAL, /* all lanes of the vector var (of integer lanes), by op, as one value */
    TREE_UNARY,
    TREE_BINARY,
    TREE_SELECT,
    TREE_CAST,
    TREE_CALL,     /* FUNCTION_FLOOR of two integers: their quotient rounded down */
    TREE_PARTS,    /* of an assignment to whole groups: what their members get, arg[0] the first one */
    TREE_OPERANDS, /* of a TEXT: what stands for each operand of its instruction, a LOAD for an address */
};

#define LANES_APART INT64_MAX

/* An array element: subscripts in the array's own dimensions. */
struct element {
    const struct array *array;
    const struct affine *const *index;       /* array->n_dim of them; NULL entry: indirect, see indirect[k] */
    const struct tree_expr *const *indirect; /* NULL when every subscript is affine */
    int64_t lane_step; /* in a vector assignment: elements from one lane to the next, index being that of lane 0;
                        * LANES_APART: not one number that is known here, the LOAD's arg[0], or `distance`, being how
                        * far each lane's is from there, where these are set */
    const int64_t *lane_factor; /* and what subscripts grow by; NULL where lane_step is 0, or elements are not a number
                                 * apart */
    int n_lane_index; /* LANES_APART: array->n_dim times the lanes, in lane_index; 0: subscripts are indirect */
    const struct affine *const *lane_index;
    const struct tree_expr *distance; /* LANES_APART, of an assignment's target */
    const struct var *base;           /* the POINTER from where on subscripts count; NULL: the array */
    int parts; /* lanes in groups of so many neighbours, lane_step of them: index is that of the first lane's group, and
                * `part` the member that is loaded; an assignment's target: all members are stored. 0: no groups */
    int part;
};

struct tree_expr {
    enum tree_expr_kind kind;
    enum type type;
    enum expr_op op;
    enum function function;
    unsigned permit; /* of an operation of the description: how far it may be another one (enum permit) */
    int64_t integer;
    const char *spelling;
    double real;
    const struct affine *affine;
    const struct scalar *scalar;
    const struct var *var; /* NAMED, TOTAL */
    const struct simd_dot *dot;
    const int64_t *list; /* RAMP, or NULL */
    struct element element;
    const struct tree_expr *const *arg;
    int n_arg;
};

/* All lanes of an assignment at once. What is stored as a whole, groups and streams, has all of them active; lanes that
 * are not get anything (`loose`) in registers only.
 *
 * All lanes of an assignment without count, mask, active and guard_value run the instances that it tells, one in each
 * (`inner`, where `lane` is set): that these are iterations of the loop is what proves the vector full. Where that is
 * not told (`untold`), it is not proved. A LET that loads has no instances: assignments use it, also by other names, in
 * as many lanes as it has, all or those below its count. */
struct vector {
    int lanes;
    const struct affine *count;       /* lanes from here on are not active; NULL: all are */
    const struct var *mask;           /* what a LET around calls these lanes, or NULL */
    enum type mask_type;              /* of the lanes that mask is made for */
    const struct affine *mask_place;  /* which one of an array of masks; NULL: there is one */
    const struct tree_expr *active;   /* of these the lanes where it is true are active; NULL: all */
    const struct var *sum;            /* of an update: the vector that is updated in the target's place, or NULL */
    bool loose;                       /* and lanes that are not active may get anything, as nothing looks at them; of an
                                       * array in registers those from count on only */
    const struct affine *place;       /* which one of an array of such vectors; NULL: there is one */
    int registers;                    /* LET: an array of so many vectors, or masks; 0: one */
    const struct affine *const *each; /* LET of masks: their counts; NULL: there is one, of count */
    enum type truth; /* LET: the value is a condition, and var its mask for lanes of this type; or NONE */
};

/* A variable in which the lanes of a loop combine what each of them has, by op (a reduction clause). */
struct lane_total {
    enum expr_op op;
    const struct var *var; /* of a LET around, or NULL: `array`, a local variable, is it */
    enum type type;
    const struct array *array;
};

/* A loop whose iterations run in threads (OpenMP). */
struct threads {
    int collapse;                             /* loops directly inside each other that are one */
    bool doacross;                            /* only the outermost of them is in threads: iteration (i, j) waits until
                                               * (i - 1, j) has completed */
    const char *policy;                       /* "static", "dynamic", "guided"; NULL: the compiler's */
    int64_t chunk;                            /* iterations at a time; 0: the policy's */
    int64_t number;                           /* of threads; 0: the run-time's */
    const char *places;                       /* where they run: "close", "spread", "primary"; NULL: the run-time's */
    const struct value *only_if;              /* the condition of their use as asked for; NULL: none */
    const struct tree_expr *condition;        /* the same of the tree's variables, made by lower_bodies */
    bool alone;                               /* not to share a region with others */
    bool shared;                              /* the iterations go to the threads of the REGION around */
    const struct statement *const *reduction; /* n_reduction updates of one element, by all threads */
    int n_reduction;
};

/* One coordinate of a tuple: var = first + (its digit), of extent digits. */
struct part {
    const struct var *var;
    const struct affine *first, *extent;
};

/* MULTIPLY: of two factors in memory or in fragments; FILL: all elements get one value; MAP: each element of a fragment
 * is computed of those of others at its place. */
enum tensor_kind { TENSOR_MULTIPLY, TENSOR_LOAD, TENSOR_STORE, TENSOR_FILL, TENSOR_MAP };

/* A tile in memory: its rows, or columns, are `distance` elements apart. */
struct tensor_tile {
    bool by_columns;
    const struct affine *distance; /* of parameters */
};

/* All of an m x n x k tile at once, by a warp: the assignment is that of its first element. */
struct tensor {
    enum tensor_kind kind;
    int m, n, k;
    bool swapped;               /* the second factor has the rows */
    struct tensor_tile tile[2]; /* MULTIPLY: that with the rows, that with the columns, where they are in memory; LOAD,
                                 * STORE: tile[0] */
};

enum tile_kind { TILE_LOAD, TILE_STORE, TILE_ZERO, TILE_MULTIPLY };

/* A tile in memory, and the register that it goes to or comes from. */
struct tile_place {
    int number;                        /* of the register */
    bool stays;                        /* of a factor: it is there already */
    const struct affine *distance;     /* bytes from row to row, of parameters */
    const struct affine *rows, *bytes; /* of what there is of the tile; NULL: all */
};

/* All of a tile at once, in registers of a CPU that hold tiles: the assignment is that of its first element. */
struct matrix_tile {
    enum tile_kind kind;
    int rows, columns, groups;          /* of the sums, and of products that are summed up: depth neighbours each */
    const struct simd_product *product; /* MULTIPLY */
    bool swapped;                       /* the second factor has the rows */
    struct tile_place sums;             /* only its number: MULTIPLY, ZERO */
    struct tile_place factor[2];        /* MULTIPLY: that with the rows, that with the columns */
};

enum { TILE_REGISTERS = 8 };

struct tile_shape {
    int n; /* registers */
    int rows[TILE_REGISTERS], bytes[TILE_REGISTERS];
    bool parts; /* there are parts of tiles */
};

/* Updates of one element by threads along x, of which each warp makes one. */
struct warp_sum {
    int threads;
    int warp;                   /* of them make one update */
    const char *total;          /* name of the value of an update; NULL: ARRAY_warp */
    bool by_warp;               /* the element is the warp's own, and gets its first value */
    bool scattered;             /* the first thread of a warp may take no part where others do */
    const struct guard *update; /* after pass "grid", unless scattered: where the first thread takes part */
};

/* How a kernel is launched. */
struct launch {
    const char *name;                        /* before all trees are made: of the first nest in it */
    const struct affine *extent[AXIS_COUNT]; /* of blocks and threads, of parameters; NULL: one */
    const struct affine *wanted_x; /* threads along x before they were filled up to warps; NULL: they were not */
    int64_t run[WHOLE_AXES];       /* so many positions on an axis are those of one block, on threads_axis; 0: one */
    enum axis threads_axis[WHOLE_AXES];
    int64_t blocks[WHOLE_AXES]; /* at most so many along an axis, each of which walks on; 0: not said */
    int64_t resident;           /* blocks that are to be on a multiprocessor at once; 0: not said */
};

/* A part of the program as a function of its own. */
struct routine {
    const char *name;    /* before pass "outline": without the name of what calls it in front */
    const char *comment; /* above it, or NULL */
};

/* One of the variables of a node's own that tell the instances apart which it runs at once: var is 0 .. extent - 1, and
 * the instances' arguments use it. */
struct inner_dim {
    const struct var *var;
    int64_t extent;
    bool lane; /* the number of the lane in the node's vector: only active lanes run their instance */
};

/* What a node runs of a statement besides its own. */
struct instance_map {
    const struct statement *statement;
    const struct affine *const *argument;
};

struct node {
    enum node_kind kind;
    const char *comment; /* one line above it, or NULL */

    /* BLOCK: child[0..n_child) in order.  LOOP, IF, VALUE, LET, TUPLE, CALL, REGION, SINGLE, POINTER, TILES,
     * TEXT: child[0] is the body.
     * SWITCH: child[k] runs where lower is label[k]; where it is none of them, nothing does.
     * IF: child[1], where n_child is 2 (pass "else" and after it), is what runs otherwise. */
    const struct node *const *child;
    int n_child;

    /* LOOP: var runs over lower + step * n, n >= 0, while <= upper (step < 0: while >= upper;
     * lower is always the first value). */
    const struct var *var; /* also VALUE: const int64_t var = lower */
    const struct affine *lower;
    const struct affine *upper; /* inclusive */
    int64_t step;
    const struct loop_info *info; /* the schedule's loop it comes from, or NULL */
    bool piece;                   /* of a loop that was cut: not to be cut again */
    bool rest;                    /* goes through the last, partial, tile of the loop it is the inner part of */
    bool over_values;             /* of a rest: var has that loop's value and its own, added; that loop is not around */
    bool continues; /* the loop in front of it in the block ends with var at lower: var goes on from there */
    bool once;      /* continues, for one iteration at most */
    enum axis axis; /* its iterations run at once, each where the launch has this position; after pass "grid": a block
                     * walks through those that are a whole grid apart, a thread those that are a whole block apart */
    const struct threads *threads; /* NULL: one after the other; also of a REGION */
    bool joined;   /* one with the loop in threads that it is directly inside of, though of a step of its own */
    bool simd;     /* the compiler is asked for vectors (OpenMP) */
    int64_t lanes; /* simd: of one vector; 0: its choice */
    const struct lane_total *total; /* simd: n_total of them */
    int n_total;
    const char *const *pragma; /* lines for the compiler in front of it, n_pragma of them */
    int n_pragma;
    int64_t unroll;                   /* iterations that the compiler is asked to unroll; 0: its choice */
    const struct array *const *local; /* variables that each iteration has for itself, n_local of them; also of a BLOCK
                                       * that is one iteration */
    int n_local;
    const struct array *const *own; /* of a loop in threads, the innermost of several that are one: arrays of which each
                                     * thread has its own, n_own of them; also of a BLOCK that is one iteration of such
                                     * a loop */
    int n_own;
    bool scope; /* BLOCK: what is declared in it ends with it */

    /* LET: in child[0], var is a name of value, all lanes of `vector` if it has one; with `declares`, what starts as
     * value. Of a number that is read and that bounds or subscripts use (passes "clip" and "base") `known` holds, and
     * with `limit` in its place loops have all iterations that the order has; neither is printed. */
    const struct affine *limit;
    const struct guard *known;

    /* POINTER: in child[0], var points to `target`. */

    /* PREFETCH: the processor is asked for `target`, or for what is where its subscripts are larger by `further`, be
     * that inside of the array or not. */
    const int64_t *further; /* of each dimension; NULL: all 0 */
    bool will_write;
    int locality;         /* 0: used once, .. 3: to stay in all caches */
    const int64_t *label; /* SWITCH: n_child of them, all different */

    /* CALL: child[0] runs as a function; the arrays of `local` are the function's. What it uses of the variables around
     * it are its arguments (pass "outline"); a REGION, a KERNEL and a LOOP that starts threads have these, too. */
    const struct routine *routine;
    const struct var *const *argument_var; /* outermost first, n_argument_var of them */
    int n_argument_var;

    /* REGION: all of `threads` (its number, places and condition) run child[0] together; `local` are arrays that they
     * share. SINGLE: one of them runs child[0]. They wait for each other behind a SINGLE and a loop in threads. */
    bool nowait; /* SINGLE, LOOP in threads: but not behind this one */

    /* TILES: in child[0] the registers of tiles have this shape. */
    const struct tile_shape *shape;

    /* TEXT: the description's instruction of that name, on the operands in `value`, computes what child[0] does, and
     * its text is printed in the place of child[0]. Until pass "unfold" `computes` is that in the place of a child: who
     * changes trees has nothing to change in it. */
    const char *instruction;
    const struct node *computes;

    /* TUPLE: var counts from 0 through the product of the parts' extents, the last part's fastest; with an axis it is
     * the position there, bound around, or with a step, too, a block walks through positions: var starts at lower and
     * is by `step` grids more each time. */
    const struct part *part;
    int n_part;

    /* FENCE: what was streamed before it is seen before what is stored behind it; `waits`: and all threads of the
     * REGION wait for each other. */

    /* REFUSE: the function ends here, what it was called with is not what it needs. */

    /* IF: any of alternative[0..n_alternative) holds; or `value` does, where that is set. */
    const struct guard *alternative;
    int n_alternative;

    /* BARRIER: in a KERNEL, where all threads of a block come to it or none: after pass "grid" no condition or loop
     * around depends on a thread's position or on data, unless it is lone. */
    const struct launch *launch; /* KERNEL: child[0] runs on the device */
    const char *note;            /* BARRIER of the statement, where all threads of a block wait: what for */
    bool waits;                  /* BARRIER: in front of it each thread waits for its asynchronous copies; see FENCE */
    bool lone;                   /* BARRIER that waits: for nothing else */
    int prior; /* BARRIER that waits: it closes a group, the copies that its thread has started since the last one was
                * closed, and then leaves this number of groups, the latest, under way. BARRIER that is lone and does
                * not wait: it closes this number of groups */

    /* STATEMENT: one instance label[argument...]. ASSIGN: the same, with its expressions made; and a LET that is what
     * became of one. With inner dimensions these are the instances
     *     { S[argument] : 0 <= v0 < extent0, .. },   argument being of the variables around and of the inner v0, ..
     * of which a vector runs those of its active lanes. argument is NULL where no instance runs: in what sums start
     * with, and end with, and in a LET that names what the statement stores. It is no use of the variables in it:
     * nothing is printed for it, and what drops a variable that nothing uses puts its value there
     * (node_value_if_used). */
    const struct statement *statement;
    const struct affine *const *argument;
    const struct inner_dim *inner;
    int n_inner;
    const struct instance_map *also; /* n_also statements more, of groups that are stored together */
    int n_also;
    bool untold;                 /* which ones is not known, and argument NULL */
    const struct guard *counted; /* where it does not hold, the node computes what nobody uses, and runs no instance of
                                  * the order; NULL: it always holds */
    /* ASSIGN: target = value, or target op= value. */
    struct element target;
    enum expr_op op;
    const struct tree_expr *value;
    const struct tree_expr *guard_value; /* non-affine condition, or NULL; of a LOOP: where it does not hold the next
                                          * iteration is none, nor any after it, as nothing would run there */
    const struct vector *vector;         /* ASSIGN, LET: of so many lanes; NULL: of one value */
    const struct lane_total *into;  /* ASSIGN, an update: this is updated in the target's place; NULL: the target is */
    enum declaration declares;      /* the target is a variable that starts to exist here */
    const struct tensor *tensor;    /* ASSIGN of a whole tile; NULL: of one value */
    const struct matrix_tile *tile; /* the same on a CPU */
    int64_t neighbours;             /* a copy of so many elements from target and value on; 0: of one */
    int64_t apart[2];               /* see struct statement */
    bool asynchronous;              /* a copy to shared memory that is done only when its thread has waited for it, at a
                                      * BARRIER that waits: after pass "grid" one is on each way to a use */
    bool streams;                   /* ASSIGN of a whole vector, to an address that is a multiple of its size: past the
                                      * caches */
    bool atomic;                    /* an update that no other thread's interrupts */
    const struct warp_sum *warp_sum; /* ASSIGN: an update that warps make as one; after pass "grid" of the threads for
                                      * which one of alternative[0..n_alternative) holds, of all where there is none;
                                      * lower is then the position along x */
    bool wrap;                       /* integer update whose order changed: compute it in the unsigned type */
};

/* Does what is declared in this block end with it? */
bool node_is_scope(const struct node *block);
/* A block of nothing. */
bool node_is_empty(const struct node *node);
/* Blocks among the children are dissolved, unless they have a comment or arrays; one child alone is that child. */
const struct node *node_block(struct arena *arena, const struct node *const *child, int n);
/* The same in the place of block, with its comment. */
const struct node *node_block_like(struct arena *arena, const struct node *block, const struct node *const *child,
                                   int n);
/* node with another `computes`, NULL on an overflow; node itself where it has none. */
const struct node *node_with_computes(struct arena *arena, const struct node *node, const struct node *computes);
const struct node *node_loop(struct arena *arena, const struct var *var, const struct affine *lower,
                             const struct affine *upper, int64_t step, const struct loop_info *info,
                             const struct node *body);
/* Of that kind and type, the rest still to be set; the number value. */
struct tree_expr *tree_expr_new(struct arena *arena, enum tree_expr_kind kind, enum type type);
const struct tree_expr *tree_expr_integer(struct arena *arena, enum type type, int64_t value);
/* The affine value converted to type, an integer where it is constant; its own is NULL where affine is. */
const struct tree_expr *tree_expr_index(struct arena *arena, enum type type, const struct affine *affine);
/* a op b, computed in that type. */
const struct tree_expr *tree_expr_binary(struct arena *arena, enum expr_op op, enum type type,
                                         const struct tree_expr *a, const struct tree_expr *b);

/* Do they say the same in the same words? */
bool condition_equal(const struct condition *a, const struct condition *b);
/* Is the condition one of guard's? */
bool guard_has(const struct guard *guard, const struct condition *condition);
/* As many alternatives as guard has conditions, none an equation: one of them holds when not all of guard's do. */
const struct guard *guard_opposites(struct arena *arena, const struct guard *guard);
/* Without alternatives or with one that has no condition: body itself. */
const struct node *node_if(struct arena *arena, const struct guard *alternative, int n, const struct node *body);
/* A copy of an IF node with what runs otherwise. */
const struct node *node_with_else(struct arena *arena, const struct node *node, const struct node *otherwise);
const struct node *node_value(struct arena *arena, const struct var *var, const struct affine *value,
                              const struct node *body);
/* The same where body uses var; else body alone, whose instances are told without var. */
const struct node *node_value_if_used(struct arena *arena, const struct var *var, const struct affine *value,
                                      const struct node *body);
const struct node *node_statement(struct arena *arena, const struct statement *statement,
                                  const struct affine *const *argument);
const struct node *node_switch(struct arena *arena, const struct affine *value, const int64_t *label,
                               const struct node *const *child, int n);
/* body as a function. */
const struct node *node_call(struct arena *arena, const struct routine *routine, const struct node *body);
const struct node *node_barrier(struct arena *arena, const struct statement *statement, const char *note, bool waits,
                                bool lone, int prior);
/* body as a kernel. */
const struct node *node_kernel(struct arena *arena, const struct launch *launch, const struct node *body);
/* node with another child k. */
const struct node *node_with_child(struct arena *arena, const struct node *node, int k, const struct node *child);
/* A copy of a LOOP, IF or VALUE node with another body. */
const struct node *node_with_body(struct arena *arena, const struct node *node, const struct node *body);
/* A copy of a LOOP node with other bounds. */
const struct node *node_with_bounds(struct arena *arena, const struct node *loop, const struct affine *lower,
                                    const struct affine *upper);
/* A copy of node with this comment. */
const struct node *node_with_comment(struct arena *arena, const struct node *node, const char *comment);
/* Is it a loop, over a number or a tuple, whose iterations threads share? */
bool node_is_parallel(const struct node *node);
/* A copy of a parallel loop, to be changed, without comment: the threads of a region around it share its iterations. */
struct node *node_shared_loop(struct arena *arena, const struct node *loop);
/* A region of the parallel loop's threads, with its comment, around inside. */
const struct node *node_region(struct arena *arena, const struct node *loop, const struct node *inside);
/* The iteration of the loop in which its variable has this value, with what each iteration declares. */
const struct node *node_iteration(struct arena *arena, const struct node *loop, const struct affine *value);
/* node, which comes without guard around it: where that does not hold, it runs no instances. */
const struct node *node_counted(struct arena *arena, const struct node *node, const struct guard *guard);
/* node, of which is not told any more which instances it runs. */
const struct node *node_untold(struct arena *arena, const struct node *node);
/* node with value for every occurrence of var, down to where a node below binds var anew. */
const struct node *node_substitute(struct arena *arena, const struct node *node, const struct var *var,
                                   const struct affine *value);

/* A readable dump, stable over runs, for --dump and tests. */
void node_dump(struct text *out, const struct node *node, int depth);
void affine_dump(struct text *out, const struct affine *affine);

#endif
