/* How a C-like language writes what such languages do not share: one table of functions and spellings a target. */
#ifndef TARGET_CLIKE_DIALECT_H
#define TARGET_CLIKE_DIALECT_H

#include "base/template.h"

#include <stdbool.h>

struct emitter;
struct node;

/* How a type of 16 bits and its conversions are written. */
struct half_words {
    const char *type, *widen, *narrow, *narrow_f64; /* narrow: from float; narrow_f64: from double, or NULL */
    const char *raw;                                /* the type of its bits, of which a table is made */
    const char *header;                             /* "cuda_fp16.h" */
};

/* Kernels and what launches them. Where a text has operands, {a}, {b}, it is a template's value (base/template.h). */
struct device_words {
    const char *title;     /* of the language: "CUDA" */
    const char *prefix;    /* its headers declare what starts with that and a capital letter */
    const char *header;    /* "cuda_runtime.h" */
    const char *arch_flag; /* of the compiler, in front of an architecture */

    /* In kernels. */
    const char *const *position; /* by axis: that of a block or a thread, unsigned */
    const char *product[2];      /* functions of floats and doubles that compilers keep apart from sums; or NULL */
    const char *barrier;         /* of a block */
    bool merges_loads;           /* compilers lose what is stored before a choice of loads: device/merged.c */
    bool drops_signs;            /* compilers drop one of two signs in the least of three: device/signs.c */
    const char *any;             /* does {a} hold in a thread of the warp? */
    const char *exchange;        /* what the thread whose number differs by the bits of {b} has for {a} */
    const char *copy;            /* starts a copy of {c} bytes from {b} to {a}; NULL: there are no asynchronous ones */
    const char *commit;          /* closes a group of copies: those started since the last one */
    const char *wait;            /* a function of the number of groups, the latest, that it does not wait for */
    const char *copy_header;     /* declares these */
    const char *tensor_head;     /* the template that a file with matrix instructions starts with, */
    /* which this prints for a whole tile; last: what it declares may stay visible. NULL: there are none. */
    void (*tensor)(struct emitter *emitter, const struct node *assign, bool last);

    /* In launchers. */
    const char *error;     /* the type of results */
    const char *success;   /* that of no error, */
    const char *too_large; /* and of more than a launch can have */
    const char *last_error;
    const char *stream; /* the type */
    const char *allocate, *release;
    const char *allocate_async, *clear_async, *release_async;
    const char *copy_memory, *to_device, *to_host;
    const char *permit_shared; /* permits kernel {a} to ask for {b} bytes; NULL: it may ask for all that there are */
    const char *launch; /* of kernel {a}: grid {b}, block {c}, {d} bytes of shared memory, stream {e}, arguments {f} */
};

struct dialect {
    const char *alignas_word;      /* _Alignas, alignas */
    const char *unread_word;       /* in front of a variable that nothing reads: (void) */
    const char *unroll_word;       /* of the pragma: GCC unroll, unroll */
    const char *table_word;        /* in front of constant arrays */
    const char *function_words;    /* in front of the name of a function that the main one calls, and in */
    const char *restrict_word;     /* its parameters */
    const char *inlined_words;     /* in front of one that has its numbers as parameters; NULL: none do */
    const char *invalid;           /* the result that tells of an unmet precondition */
    const char *no_contraction;    /* the template that keeps products apart from sums in the file; NULL: calls do */
    const struct half_words *half; /* of f16 and bf16; NULL: there are helpers for them, or none of these types */
    const struct device_words *device; /* NULL: there are no kernels */
};

#endif
