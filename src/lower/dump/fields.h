/* What a dump says of nodes and of what they hold: tables of the members in the order in which a dump names them. The
 * writer (write.c) and the reader (read.c) go through the same tables; only expressions have a form of their own.
 *
 * A member that has its usual value is left out; all others stand as `word value`, a flag as its word.
 */
#ifndef LOWER_DUMP_FIELDS_H
#define LOWER_DUMP_FIELDS_H

#include "tree/tree.h"

enum { DUMP_VERSION = 1 };

enum field_kind {
    FIELD_FLAG,      /* bool */
    FIELD_INT,       /* int, not negative */
    FIELD_NUMBER,    /* int64_t */
    FIELD_STEP,      /* int64_t: the same, `apart` for LANES_APART */
    FIELD_WORD,      /* an enumeration */
    FIELD_OPERATOR,  /* enum expr_op of an assignment: `=`, `+=` */
    FIELD_TEXT,      /* const char *, in quotes */
    FIELD_AFFINE,    /* const struct affine * */
    FIELD_EXPR,      /* const struct tree_expr * */
    FIELD_VAR,       /* const struct var * */
    FIELD_ARRAY,     /* const struct array * */
    FIELD_STATEMENT, /* const struct statement * */
    FIELD_LOOP,      /* const struct loop_info *, of the order */
    FIELD_CONDITION, /* const struct value *: under which a parallel loop of the plan runs in threads */
    FIELD_PRODUCT,   /* const struct simd_product *: its number in the target's table */
    FIELD_GUARD,     /* struct guard: `(i >= 0 and j == 0)` */
    FIELD_ELEMENT,   /* struct element: `A[i, j]` */
    FIELD_OBJECT,    /* a struct with a table of its own, in braces */
};

/* How the value is there: itself, by a pointer that may be NULL, as an array of `n`, or as a pointer to a list. */
enum holding { HOLD_ONE, HOLD_POINTER, HOLD_ROW, HOLD_LIST };

struct field;

struct object {
    const struct field *field;
    int n;
    size_t size;
};

/* The words of an enumeration; NULL: this number has none. */
struct words {
    const char *(*word)(int number);
    int n;
};

struct field {
    const char *word;
    enum field_kind kind;
    enum holding how;
    bool needed; /* is never left out */
    int n;       /* ROW */
    size_t at;
    size_t n_at;                       /* LIST: where its length is, */
    int (*length)(const void *object); /* or what tells it from other members, -1: nothing does. NULL: n_at is set */
    int64_t usual;                     /* INT, NUMBER: the value that is left out */
    const struct object *object;       /* OBJECT */
    const struct words *words;         /* WORD */
    unsigned kinds;                    /* of a node: those that have it, 1 << kind; 0: all */
};

/* How the line of a node begins: a word, then these fields, without commas. */
struct head {
    const char *word;
    const struct field *field;
    int n;
    int least_child, most_child; /* -1: any number */
};

const struct head *dump_head(enum node_kind kind);
/* What follows the head of a node, behind commas; members that the head of its kind has stand there. */
extern const struct object dump_node;
bool dump_has(enum node_kind kind, const struct field *field);
/* What stands in braces behind the subscripts of an element. */
extern const struct object dump_element;
/* Of an array, what passes set. */
extern const struct object dump_var, dump_array;
extern const struct words dump_types;

/* Bytes of one value. */
size_t value_size(const struct field *field);
/* How long the list of the object is; -1: there is nothing to tell. Of a row, without usual values at its end. */
int field_length(const struct field *field, const void *object);
/* Is there nothing to say of it? */
bool field_is_omitted(const struct field *field, const void *object);

#endif
