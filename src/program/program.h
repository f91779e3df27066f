/* The program: what a description says is to be computed, before any schedule.
 *
 * Built by read/, completed by program_complete (program/complete.h: domains, accesses, context), constant
 * afterwards. Two views of the same thing: the nests as written (blocks of loops, conditions and statements;
 * what the oracle and the reference code run) and the statements with isl sets and maps (what analysis works
 * on).
 *
 * Spaces: a statement with label S inside loops i, j has instances S[i,j]; the values are those
 * the user sees (a stepped loop's i is 0, 2, 4, ...). An array A has elements A[a0,a1].
 * All sets and maps carry the program's parameters in declared order.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "base/names.h"
#include "program/expr/expr.h"
#include "program/step.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

struct instruction; /* program/instruction.h */

struct param {
    const char *name;
    struct place place;
    enum type type; /* TYPE_I64 unless declared otherwise */
};

struct scalar {
    const char *name;
    struct place place;
    enum type type;
};

/* Where a temporary is kept. */
enum memory {
    MEMORY_AUTO, /* on the stack when it is small and of constant shape, else on the heap */
    MEMORY_STACK,
    MEMORY_HEAP,
    MEMORY_STATIC,
    MEMORY_LOCAL,  /* on a device: each thread has its own */
    MEMORY_SHARED, /* each block has its own */
    MEMORY_GLOBAL, /* all kernels have it */
};

enum fragment_use { FRAGMENT_SUMS, FRAGMENT_ROWS, FRAGMENT_COLUMNS };

/* A tile of a matrix instruction in the registers of a warp: m x n sums, or the m x k or k x n factors of them. */
struct fragment {
    enum fragment_use use;
    int m, n, k;
    bool turned;     /* the array's last dimension are the rows, and the one in front of it the columns */
    bool by_columns; /* factors: neighbours in memory are those of a column */
};

/* A stored dimension of an array: which subscript it counts, in which steps. */
struct stored_dim {
    int dim;
    int64_t unit; /* it is subscript / unit, */
    int64_t size; /* modulo size unless that is 0 */
};

struct loop_info;
struct nest_loop;

enum role { ROLE_IN, ROLE_OUT, ROLE_INOUT, ROLE_TEMP, ROLE_CONST };

struct array {
    const char *name;
    struct place place;
    enum role role;
    enum type type;
    struct expr **shape; /* extents, affine in the parameters; n_dim of them */
    int n_dim;           /* 0: one element, accessed without brackets */
    /* Storage: element A[a0,a1,..] is at offset + sum of a_k * stride_k, where either
     * stride[k] is given, or stride is NULL and the dimensions are laid out densely in the
     * order dim_order (slowest first; {0, 1, ..} is row-major). */
    int *dim_order;
    struct expr **stride;
    struct expr *offset; /* NULL: 0; only with stride */
    /* In blocks, only without stride: the dimensions in memory instead of dim_order, slowest first, n_digit of them; a
     * dimension that is cut is there several times. NULL: none is cut. */
    const struct stored_dim *digit;
    int n_digit;
    bool auto_layout;                    /* a cache may still choose the layout */
    int64_t pad;                         /* temp: unused elements behind each run of the fastest dimension */
    enum memory memory;                  /* temp */
    struct place memory_place;           /* of the step that moved it there; else that of nothing */
    const struct stored_dim *stored_dim; /* of a laid out array (program/storage/lay_out.h): n_dim of them; else NULL */
    bool init_zero;                      /* temp with "init": 0 */
    bool full_storage;                   /* temp with "storage": "full": never contracted */
    bool window;               /* temp: where values leave iterations, contraction keeps what is live at a time */
    bool must_window;          /* temp with "storage": "window": refused where neither makes it smaller */
    int n_iteration;           /* its first dimensions are iterations, of no extent: contraction must remove them */
    bool iterations_gone;      /* and has */
    struct fragment *fragment; /* its elements are tiles that matrix instructions know; NULL: values */
    bool in_tiles;             /* its elements are in registers of tiles, the last two dimensions being one of these */
    bool in_registers;         /* each element is one, so that subscripts must become literals */
    bool is_while;             /* tells whether a loop goes on, which stays false (read/while_loops.h) */
    bool is_call;              /* stands for what a call, or the state of a function, depends on (read/calls.h) */
    bool is_buffer;            /* of a cache: contraction removes its iterations and leaves its shape */
    bool rotates;              /* of a cache: it is filled an iteration ahead */
    bool asynchronous;         /* of a cache: it is filled by asynchronous copies */
    int64_t run; /* on a device: its first dimension, with this extent and subscripts 0, is for the iterations of
                          * a run that a block has of a collapsed loop; 0: it has none */
    const bool *is_fine; /* of a buffer, by dimension: counts within a coarser one, of the same dimension of the cached
                          * array; NULL: none does */
    const int *within;   /* of a temporary: identities of the loops that keep its values in an iteration */
    int n_within;
    const struct array *contracted_from; /* as declared, when this is what contraction left of it; else NULL */
    int64_t align;                       /* bytes, 0: none asked */
    const unsigned char *data;           /* const: its elements in row-major order, little-endian; else NULL */
    const struct nest_loop *reads,
        *writes;         /* of an operand of a function: loops over the elements that a call reads, and
                                             * over those that it changes, one for each dimension; NULL: over all */
    bool injective;      /* of an index array: all its elements differ, as callers see to */
    bool nondecreasing;  /* no element is smaller than the one before it, as callers see to */
    struct expr *values; /* affine condition that every element meets, loop 0 being the element; or NULL */
    /* { A[a0,a1] : 0 <= a0 < shape0 and ... }, without the assumptions */
    isl_set *elements;
    /* A view: element V[v0,..] is element offset_of[k] + stride_of[k] * v_k of view_of; NULL for arrays. */
    const struct array *view_of;
    struct expr **offset_of;
    int64_t *stride_of;
};

/* Where it is told what memory the array is in. */
static inline struct place array_memory_place(const struct array *array)
{
    return array->memory_place.source ? array->memory_place : array->place;
}

/* One loop header: lower <= name < upper step step. Values lower, lower + step, ... while
 * below upper; a negative step runs from the largest value downwards: upper - 1 (or upper),
 * then step by step while >= lower. */
struct nest_loop {
    const char *name;
    struct place place;
    struct expr *lower; /* NULL: 0 */
    struct expr *upper;
    bool lower_strict; /* lower < name */
    bool upper_strict; /* name < upper; false: name <= upper */
    int64_t step;      /* not 0 */
};

struct statement;

/* A body in source form: loops around, a condition, then items in order. */
struct block {
    struct nest_loop *loop;
    int n_loop;
    struct expr *condition; /* NULL: none; inside the loops */
    bool condition_affine;  /* false: the statements inside are may-writes */
    struct item *item;
    int n_item;
};

struct item { /* exactly one of the two */
    struct statement *statement;
    struct block *block;
};

struct nest {
    const char *name;
    struct place place;
    unsigned permit; /* of enum permit, besides the program's */
    struct block *body;
    /* Polyhedral form: body has no loops, the statements' domains are given, and their order is
     * this map { S[i,j] -> [t0,t1]; .. }, total and single-valued; NULL otherwise. */
    isl_union_map *order;
    const char **order_names; /* names of t0, t1, ...; n_order_names of them */
    int n_order_names;
    int first_statement, n_statement; /* range in program->statement */
};

/* One reference to an array by a statement. */
struct access {
    const struct array *array;
    const struct expr *expr; /* the EXPR_ACCESS */
    isl_map *map;            /* { S[i,j] -> A[f(i,j)] }, restricted to the domain; all elements if may */
    bool write;              /* else a read; `+=` gives one of each */
    bool may;                /* indirect, or under a non-affine condition */
};

struct call;

struct statement {
    int index; /* textual order over the whole program */
    const char *label;
    const char *from; /* the label of the one of the description that steps made it from; NULL: its own */
    const struct statement *divided; /* that some of its instances were of, when it was one with others; NULL: none */
    struct place place;
    const struct nest *nest;
    const char **loop_name; /* of its dimensions, outermost first */
    int n_loop;
    struct expr *target; /* EXPR_ACCESS that is assigned */
    enum expr_op op;     /* OP_NONE for `=`, else target = target op value, as C converts */
    struct expr *value;
    struct expr *guard;  /* conjunction of the enclosing non-affine conditions, or NULL */
    isl_set *domain;     /* { S[i,j] : .. }, with the assumptions intersected */
    const char *barrier; /* no assignment: all threads of a block wait for each other, and what for; else NULL */
    bool sometimes;      /* a barrier that not every iteration of the loops around has */
    bool waits;          /* a barrier in front of which each thread waits for its asynchronous copies */
    bool lone;           /* and that is all of it: no thread waits for another one */
    int prior;           /* of a barrier that waits: the number of groups of copies, the latest, that it leaves under
                              * way; of one that is lone and does not wait: the number of groups that it closes
                              * (plan/device/sync/groups.h) */
    int64_t neighbours;  /* how many neighbours in memory it copies at once; 0: one element */
    int64_t apart[2];    /* neighbours: the distance in elements from one to the next, in the target and in what is
                           * read, where they are neighbours on the other side only; else 0 */
    bool asynchronous;   /* a copy that is done only when its thread has waited for it */
    const struct call *call; /* that it is part number `part` of (program/instruction.h); NULL: of none */
    int part;
    bool is_copy;         /* made by a cache: it fills or flushes a buffer */
    const char *copies;   /* that buffer */
    bool atomic;          /* an update that other threads make, too, of the same element: not to be interrupted */
    const struct loop_info *joins; /* an update of an array of which each thread of this loop has a copy; the copies
                                    * are combined after the loop (OpenMP's reduction clause). NULL: there are none */
    int lanes;            /* of one element by so many threads along x: each warp makes one update of it; 0: not so */
    const char *total;    /* with lanes: what the value of a warp's update is called; NULL: ARRAY_warp */
    struct expr **taking; /* with by_warp: affine; an instance has a value where all n_taking of them are >= 0 */
    int n_taking;
    bool by_warp;   /* such an update of an element that the warp has for itself, and that has no value before */
    bool regrouped; /* an update by partial results, made by a step: integer sums may pass values they had not */
    struct access *access;
    int n_access; /* the target's write is access[0]; its read, if op, is access[1] */
};

enum permit { PERMIT_REASSOCIATE = 1, PERMIT_CONTRACT = 2, PERMIT_APPROXIMATE = 4 };

struct target_options {
    const char *language; /* "c" */
    const char *simd;     /* "none" */
    const char *arch;     /* "sm_90"; NULL: none given */
    int warp;             /* threads of a device that exchange values: 32 or 64 */
    bool openmp;
    bool host_launcher; /* of a device: there is a function for arrays in the host's memory, too */
};

struct program {
    const struct program *described; /* what the user wrote, when steps have changed the statements; else NULL */
    struct arena *arena;
    isl_ctx *ctx;
    const struct source *source;
    const char *name;
    struct place name_place;
    struct param *param;
    int n_param;
    struct scalar *scalar;
    int n_scalar;
    struct array *array;
    int n_array;
    VEC(const char *) file; /* those that data was read from */
    struct array *view;     /* parts of arrays by names of their own, see program/storage/view.h */
    int n_view;
    const bool *unused; /* by array: no statement uses it any more, since it was inlined; NULL: none */
    struct nest *nest;
    int n_nest;
    struct statement **statement;
    int n_statement;
    unsigned permit; /* of enum permit: of all nests (program/permit.h) */
    struct target_options target;
    isl_set *context;    /* [M,N] -> { : assume and extents >= 0 } */
    const char **assume; /* the assumptions as the user wrote them; n_assume of them */
    int n_assume;
    const char *chosen;                 /* "tile = 32": the values of its tunables, or NULL */
    const struct value *when;           /* the condition on which this variant is used; NULL: it has none */
    const struct value *variant;        /* that was chosen; NULL: none */
    const struct value *when_supported; /* it is used only where the processor has its instructions; NULL: or not */
    struct step *schedule;
    int n_schedule;
    struct step *plan;
    int n_plan;
    struct instruction *instruction; /* that the description brings along, n_instruction of them */
    int n_instruction;
};

const struct statement *program_statement(const struct program *program, const char *label);
const struct array *program_array(const struct program *program, const char *name);
const struct param *program_param(const struct program *program, const char *name);
const struct scalar *program_scalar(const struct program *program, const char *name);
/* Does the user call a parameter, scalar, array or view so, or a statement such a function of C's library? A name that
 * nobody gave is another one. A loop may have the
 * function's name, which nothing inside of it uses. */
bool program_has_name(const struct program *program, const char *name);
/* wanted, or wanted_1, wanted_2, ..: free in the program, not reserved and none of the n others. */
const char *program_default_name(struct arena *arena, const struct program *program, const char *wanted,
                                 const char *const *other, int n);
/* Adds the names of parameters, scalars and arrays, which nothing else in emitted code may have. */
void program_add_names(const struct program *program, struct names *names);
/* The parameters in declared order: the space that every isl object of the program is aligned to. */
__isl_give isl_space *program_params_space(const struct program *program);
const char *role_name(enum role role); /* "inout" */

/* Has each iteration of the loop with this identity the temporary's values for itself? */
bool array_is_within(const struct array *array, int loop);
bool statement_uses_array(const struct statement *statement, const struct array *array);
/* "C[i, j] += A[i, k] * B[k, j]" with the statement's loop names. */
void statement_print(struct text *out, const struct statement *statement);
/* A readable, stable dump for --dump=program and tests. */
void program_dump(struct text *out, const struct program *program);

#endif
