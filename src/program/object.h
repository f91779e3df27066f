/* Values of a description, and what they may be: descriptors of its objects, key by key.
 *
 * Each kind of object (an array, a nest, the arguments of a step) has a table of its keys. The reader checks what is
 * there against it (unknown keys, kinds, ranges, keys that are missing); `polynest help`, the manual and the schema
 * print the same data.
 */
#ifndef PROGRAM_OBJECT_H
#define PROGRAM_OBJECT_H

#include "base/diag.h"
#include "base/vec.h"

#include <stdint.h>

struct expr;   /* program/expr/expr.h */
struct reader; /* read/reader.h */

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
/* The same where it is of the kind. */
const struct value *value_of_kind(const struct value *object, const char *key, enum value_kind kind);

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
    ARGUMENT_MAP,          /* string: a set or map in isl's notation */
    ARGUMENT_CHOICE,       /* string: one of choices, separated by blanks, or of words */
    ARGUMENT_LOOP_INTS,    /* object: loop -> integer >= minimum */
    ARGUMENT_LOOP_NAMES,   /* object: loop -> new identifier */
    ARGUMENT_LOOP_CHOICES, /* object: loop -> one of choices */
    ARGUMENT_LAYOUT,       /* string: row_major or col_major, or list of loops */
    ARGUMENT_NESTS,        /* list of strings: nests, labels or loops */
    ARGUMENT_CONDITION,    /* string: a condition of parameters and scalars */
    ARGUMENT_TEXT,         /* any string */
    ARGUMENT_NUMBER,       /* a number or a truth value */
    ARGUMENT_ANY,          /* any value */
    ARGUMENT_OBJECT,       /* object with the keys of `object` */
    ARGUMENT_LIST,         /* list of what form[0] says */
    ARGUMENT_MEMBERS,      /* object: any key -> what form[0] says */
    ARGUMENT_FORMS,        /* what one of the forms says, up to the one without a key */
    ARGUMENT_STEPS,        /* list of steps of `choices`, schedule or plan */
};

/* What one key of an object, or one form of its value, is. */
struct argument {
    const char *key; /* of a form: what messages call it */
    enum argument_kind kind;
    bool required;
    int64_t minimum, maximum; /* maximum 0: none */
    const char *choices;      /* ARGUMENT_CHOICE, ARGUMENT_LOOP_CHOICES; the only ARGUMENT_INT */
    const char *const *(*words)(struct arena *arena); /* likewise, where these are in a table of their own */
    const struct object_type *object;
    const struct argument *form;
    const char *fallback; /* the default, as documentation; NULL when required */
    const char *doc;      /* what it means, in a sentence or more */
    /* Puts a value that is as the rest says into what is being read, or reports why not; NULL: who reads the object
     * does. */
    void (*read)(struct reader *reader, const struct value *value, void *into);
    bool declares; /* names that other keys use: where it has a fault, these are not looked at */
};

/* A kind of object. */
struct object_type {
    const char *name;  /* of its page and in the schema; NULL: it is part of the one around */
    const char *title; /* "an array", in messages */
    const char *rule;  /* what it is, in sentences */
    bool not_empty;    /* it has at least one of its keys */
    bool each;         /* a fault in one key that is required does not keep the next ones from being read */
    const char *mark;  /* the key that tells it from other forms of a value; NULL: it is the last one of these */
    const struct argument *key; /* ends with a NULL key */
};

/* The one of keys, or of forms, with that name; NULL: there is none. */
const struct argument *find_key(const struct argument *keys, const char *key);
/* The words of an ARGUMENT_CHOICE, then NULL. */
const char *const *argument_words(struct arena *arena, const struct argument *argument);
/* The number of a word among them, -1: it is none. */
int argument_number(struct arena *arena, const struct argument *argument, const char *word);
/* Is value of one of the kinds that the argument has? */
bool argument_takes(const struct argument *argument, const struct value *value);

typedef VEC(const struct object_type *) object_vec;
/* root and all objects with a name that it has inside, each once. */
object_vec objects_inside(struct arena *arena, const struct object_type *root);

#endif
