/* What every printer gets: one finished function. */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "base/vec.h"
#include "program/precision.h"
#include "program/program.h"
#include "tree/tree.h"

/* What is printed of a variant. */
struct variant_text {
    const char *name;      /* of its function */
    const char *condition; /* of its use, as the description has it, and as it is printed; NULL: of the last one */
    const char *test, *test_in_and; /* the latter beside others */
    const char *includes, *heads, *helpers, *tables, *steps, *code;
    const struct value *asks;  /* the description's word for it; NULL: its instructions are there in any case */
    const char *needed;        /* if it asks: those instructions, as compilers' target attribute has them, "avx2,fma" */
    const char *own_helpers;   /* and the functions that are compiled for them */
    const char *declared;      /* and what texts of the description's declare */
    const char *own_header;    /* and what declares them, or NULL */
    const char *own_end;       /* and what these end with */
    VEC(const char *) own;     /* and their names */
    const char *question;      /* and how a call asks for all of it */
    const char *question_code; /* and the functions for that, or NULL */
    const char *flags, *permits, *statics; /* for the comment; NULL: nothing */
    bool returns_status, allocates, has_tiles;
};

/* Variants between which one function chooses when it is called. Each is printed as a unit of its own, in order, and
 * leaves its text here; with the last one the function is printed. */
struct dispatch {
    struct arena *arena;
    const char *name;                    /* of the function that chooses */
    const struct target_options *target; /* of all of them */
    const char *arguments;               /* and how they are stored, as callers are told */
    struct precision precision;          /* of all that are printed */
    int n;                               /* variants */
    VEC(struct variant_text) variant;    /* those that are printed */
};

/* What printing a function found that callers and build systems need. */
struct needs {
    const char *flags;     /* of the compiler; NULL: none */
    const char *condition; /* that callers see to, with "; " between them; NULL: none */
};

struct several;

/* A function that compares what it computes with its description as written. Two runs print it into one file: the first
 * one the scheduled function, the last one that of the description, and the one that calls both. */
struct self_check {
    struct arena *arena;             /* of what the first run leaves for the last one */
    const char *name;                /* of what is called */
    const char *scheduled, *written; /* and of what that calls */
    bool is_last;
    bool returns_status, allocates, has_tiles; /* what is scheduled */
    unsigned permits;                          /* of enum permit: what it, or the description, may change */
    unsigned permits_all;                      /* those of them that all statements have */
    const char *flags;                         /* that compilers need for it; NULL: none */
    const char *tables;                        /* which it has in front of it */
    /* Rounding errors that results may differ by: 16 and so many more, in C, for each element of the smallest of
     * n_share results; all times `times`, which is 0 where results have the same bits. */
    const char *operations;
    const char *const *share;
    int n_share, times;
    const enum type *rounded;   /* by array: in which type its rounding errors are */
    struct precision precision; /* of what is scheduled: what buffers of steps round to, too */
};

struct unit {
    const struct program *program;
    const struct node *tree;            /* after all passes; only ASSIGN leaves; NULL: an index overflowed */
    const struct var *const *param_var; /* of program->param */
    const int64_t *param_least;         /* a bound of each parameter from below; INT64_MIN where there is none */
    const int64_t *param_most;          /* and from above; INT64_MAX */
    const char *const *written;         /* of program->array: see program/check/written.h; NULL: not told */
    const int *transfers;               /* of program->array: see program/check/transfer.h */
    const char *name;                   /* of the function */
    const char *header_name;            /* "gemm.h", what the source includes */
    const char *input_name;             /* "gemm.json", without folders, for the comment */
    const char *repeats;                /* which statements run more than once, for the comment; NULL: none */
    struct dispatch *dispatch;          /* it is one of these variants; NULL: it is all there is */
    const struct tree_expr *when;       /* where it is chosen; NULL: where no other is */
    struct several *several;            /* of the file that it shares, and leaves its parts to; NULL: it has its own */
    struct self_check *self_check;      /* that it is a part of; NULL: none */
    const struct node *const *result;   /* of program->array: lower/body/element_loops.h; NULL: not told */
    struct needs *needs;                /* is filled in; NULL: nobody asks */
    bool check_args;                    /* emit the preconditions as a run-time test */
    /* What the parameters must meet: one of the alternatives (lower/body/preconditions.h); NULL: not told. */
    const struct guard *precondition;
    int n_precondition;
    const char *const *requirement; /* of arithmetic: what must hold for it to be defined, n_requirement of them */
    int n_requirement;
    const struct node *requirement_check;  /* of what arguments tell: lower/body/requirement_checks.h; NULL: nothing */
    const struct node *const *value_check; /* of program->array: lower/body/value_checks.h; NULL: not told */
};

struct dialect;

/* Prints source and header as text. Reports what the target cannot express. */
typedef enum status unit_printer(const struct dialect *dialect, struct arena *arena, const struct unit *unit,
                                 struct text *source, struct text *header, struct diags *diags);

struct target {
    const char *language; /* as in descriptions, see caps/language.h */
    const char *needs;    /* which compilers, for `polynest targets` */
    unit_printer *print;
    const struct dialect *dialect; /* target/clike/dialect.h */
};

/* All of them: one a language of caps/language.h, in that order. */
const struct target *const *targets(int *n);
enum status target_print(struct arena *arena, const struct unit *unit, struct text *source, struct text *header,
                         struct diags *diags);

#endif
