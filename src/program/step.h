/* Steps and the descriptors of the primitives that carry them out.
 *
 * A step is one entry of "schedule" or "plan". The reader checks it against the descriptor
 * (unknown keys, kinds, ranges, required arguments) and hands it on as generic values; it knows
 * no primitive by itself. `polynest primitives`, `polynest help STEP`, the manual and the schema print the same data.
 */
#ifndef PROGRAM_STEP_H
#define PROGRAM_STEP_H

#include "base/diag.h"

#include <stdint.h>

struct expr; /* program/expr/expr.h */

enum value_kind {
    VALUE_BOOL,
    VALUE_INT,  /* below 2^53 in magnitude */
    VALUE_REAL, /* any other number; its text is at its place */
    VALUE_STRING,
    VALUE_LIST,
    VALUE_OBJECT,
};

/* A JSON value with its place. Strings are NUL-free UTF-8. */
struct value {
    enum value_kind kind;
    struct place place; /* of a string: its characters, without the quotes */
    int64_t integer;    /* also 0 / 1 of a bool */
    const char *string;
    const char **key;        /* of an object's members */
    struct place *key_place; /* likewise */
    struct value *item;      /* elements of a list, members of an object */
    int n_item;
    const struct expr *condition; /* of an ARGUMENT_CONDITION: what it says, typed */
};

const char *value_kind_name(enum value_kind kind); /* "a string", for messages */
/* The member of an object, or NULL when it has none or is no object (NULL included). */
const struct value *value_member(const struct value *object, const char *key);

enum argument_kind {
    ARGUMENT_LOOP,      /* string: loop, nest.loop or label.loop */
    ARGUMENT_LOOPS,     /* list of such */
    ARGUMENT_STATEMENT, /* string: a label */
    ARGUMENT_INT,       /* integer >= minimum */
    ARGUMENT_INTS,      /* list of integers */
    ARGUMENT_BOOL,
    ARGUMENT_NAME,         /* string: a new identifier */
    ARGUMENT_NAMES,        /* list of new identifiers */
    ARGUMENT_AFFINE,       /* integer, or string with an affine expression of parameters */
    ARGUMENT_AFFINES,      /* list of such */
    ARGUMENT_MAP,          /* string: a map in isl's notation */
    ARGUMENT_CHOICE,       /* string: one of choices, separated by blanks */
    ARGUMENT_LOOP_INTS,    /* object: loop -> integer >= minimum */
    ARGUMENT_LOOP_NAMES,   /* object: loop -> new identifier */
    ARGUMENT_LOOP_CHOICES, /* object: loop -> one of choices */
    ARGUMENT_FUSE_NAMES,   /* object: nest and fusing -> new name, fused and unfused -> list of new names */
    ARGUMENT_KERNEL,       /* object: unroll -> list of loops, vectorize -> loop */
    ARGUMENT_LOOP_SIDES,   /* object: before, after -> loop */
    ARGUMENT_LAYOUT,       /* string: row_major or col_major, or list of loops */
    ARGUMENT_NESTS,        /* list of strings: nests, labels or loops */
    ARGUMENT_CONDITION,    /* string: a condition of parameters and scalars */
    ARGUMENT_TEXT,         /* any string */
};

struct argument {
    const char *key;
    enum argument_kind kind;
    bool required;
    int64_t minimum;
    const char *choices;  /* ARGUMENT_CHOICE, ARGUMENT_LOOP_CHOICES */
    const char *fallback; /* the default, as documentation; NULL when required */
    const char *doc;      /* one line */
};

struct step;
struct schedule; /* sched/schedule.h: what schedule primitives work on */

struct primitive {
    const char *name;                /* the key that names the step: "split" */
    const char *summary;             /* one line */
    const char *rule;                /* what the step does, in sentences */
    const char *proved;              /* what must hold for it, in sentences */
    const struct argument *argument; /* argument[0].key is name itself; ends with a NULL key */
    /* Replaces the schedule's current order (and program) by the one after the step, or reports
     * to its diagnostics why not. */
    enum status (*apply)(struct schedule *schedule, const struct step *step);
};

struct step {
    const struct primitive *primitive;
    struct place place;        /* the whole object */
    const struct value *value; /* the object */
    const char *unsafe;        /* its reason, or NULL */
    int number;                /* 1, 2, ... in the list */
};

/* The value of an argument, or NULL when the step does not give it. */
const struct value *step_value(const struct step *step, const char *key);
int64_t step_int(const struct step *step, const char *key, int64_t fallback);
const char *step_string(const struct step *step, const char *key, const char *fallback);
struct place step_place(const struct step *step, const char *key); /* of the value, else of the step */
/* "split j by 5 as jj": the step in one line for comments and listings. */
void step_print(struct text *out, const struct step *step);

#endif
