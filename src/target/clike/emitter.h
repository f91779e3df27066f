/* What printing one function needs to know, shared by the parts of a C-like printer. */
#ifndef TARGET_CLIKE_EMITTER_H
#define TARGET_CLIKE_EMITTER_H

#include "base/vec.h"
#include "base/words.h"
#include "caps/simd.h"
#include "target/clike/dialect.h"
#include "target/clike/helpers.h"
#include "target/clike/writer.h"
#include "tree/translate.h"
#include "tree/tree.h"

/* Precedence of a piece of C: what binds tighter has the larger number. */
enum precedence {
    PREC_SELECT = 1,
    PREC_LOR,
    PREC_LAND,
    PREC_OR,
    PREC_XOR,
    PREC_AND,
    PREC_EQUAL,
    PREC_RELATION,
    PREC_SHIFT,
    PREC_SUM,
    PREC_QUOTIENT, /* / and %, which C treats as products but readers do not */
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_PRIMARY,
};

/* Of an array where node declares it, NULL: where the function does. */
struct doubt {
    const struct node *node;
    const struct array *array;
    bool elements; /* compilers may think that elements of it are not set */
    bool rows;     /* rows of it, in registers, are set under conditions of their own */
    bool fixed;    /* one that a number names, `t[0]`, is read under fewer conditions */
    bool spare;    /* the same, and the array is longer than the loops that set it */
    bool lanes;    /* some lanes of vectors in it are read by a function, one by one */
};

/* A function that was made for this file. */
struct vector_function {
    const char *name, *code;
};

struct emitter {
    struct arena *arena;
    const struct program *program;
    const struct dialect *dialect; /* of the target */
    struct scope scope;            /* for extents and strides: parameters only */
    const int64_t *param_least;    /* see struct unit */
    struct writer writer;
    struct names names; /* every name of the file */
    struct helpers helpers;
    bool hides_signs;         /* of integers of 32 bits, from the compiler */
    bool uses_math;           /* functions of <math.h> */
    bool uses_half[2];        /* conversions of f16, of bf16 by the dialect's words */
    bool uses_bool;           /* true or false */
    bool uses_memory;         /* memset or memcpy */
    const struct simd *simd;  /* the target's vectors; NULL: none */
    int *array_lanes;         /* by array: lanes of its elements when it is an array of vectors, else 0 */
    bool *array_read;         /* by array: for more than an update of itself; NULL: not known */
    bool *array_updated;      /* by array: from its own value; NULL: not known */
    bool *array_stored;       /* by array: otherwise than from registers of tiles; NULL: not known */
    bool *array_local;        /* by array: declared inside of a loop */
    bool *array_moved;        /* by array: allocated, the stack being too full */
    VEC(struct doubt) doubts; /* what compilers may think not to be set */
    int64_t *array_threads; /* by array: how many threads at least it is allocated for, 1: the run-time's; 0: shared */
    bool *by_reference;     /* by array without dimensions: known by its address here */
    bool uses_threads;      /* the number of a thread */
    int in_team;            /* regions, and loops in threads, around what is at hand */
    int n_described;        /* so many of the names, the first, are those of the loops and the description */
    VEC(struct word) own;   /* names that vectors need: the usual one, and the one it has in this file */
    const char *own_end;    /* what all of these end with; NULL: nothing */
    VEC(struct word) renamed;         /* those of simd, its helpers and what these call that have another one here */
    const char **vector_helper;       /* by helper of simd: its definition; NULL: not used */
    VEC(struct vector_function) each; /* functions that call the library for each lane */
    VEC(const struct var *) inverted; /* masks that are set where their conditions do not hold */
    bool uses_vectors;
    const char *vector_flags;    /* what compilers need for the vectors at hand beside the set's own flags, or NULL */
    const struct var *alone;     /* by itself on its side of a condition: sums with it may overflow; or NULL */
    int canonical;               /* loops from here inwards that OpenMP wants in the form `i < N` */
    bool owes_fence;             /* the innermost of these loops is to have the fence of those around it */
    const struct node *doacross; /* whose innermost loop is to be printed; NULL: none */
    VEC(const struct tree_expr *) rounded;        /* products that C compilers are to keep apart from sums */
    VEC(const struct node *) rounded_updates;     /* `x *= e`, likewise */
    VEC(const struct node *) fenced;              /* loops of which C compilers are to make no vectors */
    VEC(const struct instruction *) instructions; /* of the description's that are used */
    const struct tree_expr *last; /* the value at hand, which is stored where nothing is added to it; or NULL */
    void (*kernel)(struct emitter *emitter, const struct node *kernel);    /* prints a launch; NULL: there are none */
    const char *(*call)(struct emitter *emitter, const struct node *call); /* a call's text; NULL: there are none */
    void (*call_launching)(struct emitter *emitter, const struct node *call); /* prints one of what has kernels */
    void (*warp_sum)(struct emitter *emitter, const struct node *assign); /* prints an update that warps make as one */
    const char *(*atomic)(struct emitter *emitter, const struct node *assign); /* an update that others make, too */
    const char *(*copy)(struct emitter *emitter, const struct node *assign); /* of neighbours, or an asynchronous one */
    const char *of_fragment; /* one element of a tile in registers, behind the tile: ".x[e]"; NULL: the tile is meant */
    const char *refusal;     /* what a function returns for arguments that are not what it needs, or NULL */
    const char *lacks;       /* what the target has no instruction for; NULL: nothing */
    const char *lacks_hint;  /* what would help, or NULL */
    struct place lacks_place; /* where that was asked for; without a source: by the last step for vectors */
    bool failed;              /* an index left 64 bits; the text is no good */
};

/* The type of an argument that is passed by value: f16 as float, which all compilers pass alike. */
enum type emitter_value_type(const struct emitter *emitter, enum type type);
/* "float", "__half": the target's word for type. */
const char *emitter_type(const struct emitter *emitter, enum type type);
/* Is the type a class, which starts as {} and not as a number? */
bool emitter_has_class(const struct emitter *emitter, enum type type);
/* text, in parentheses when it binds less than needed. */
const char *parenthesised(struct emitter *emitter, const char *text, enum precedence precedence,
                          enum precedence needed);

#endif
