/* What format.c and its parts share: a text as items with the comments between them. */
#ifndef READ_FORMAT_PARTS_H
#define READ_FORMAT_PARTS_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

enum { FORMAT_LIMIT = 120, FORMAT_INDENT = 2 };

struct comment {
    const char *text; /* size bytes, without blanks at its end */
    size_t size;
    int column;    /* where it started, in bytes */
    int blanks;    /* in front of it on its line */
    bool own_line; /* a line starts with it */
    bool spaced;   /* a line without anything is in front of it */
    bool to_end;   /* it starts with two slashes */
};

/* What stands between two tokens; a comma belongs to the first of them. */
struct gap {
    VEC(struct comment) comment;
    int blanks;  /* in front of the second token */
    bool line;   /* a line starts with the second token */
    bool spaced; /* a line without anything is in front of it */
};

enum item_kind { ITEM_PLAIN, ITEM_LIST, ITEM_OBJECT };

/* A value; of a member of an object, with its key. */
struct item {
    enum item_kind kind;
    struct gap before;
    const char *key; /* with its quotes, key_size bytes; NULL: no member */
    size_t key_size;
    struct gap behind_key;
    const char *text; /* of a plain one, size bytes */
    size_t size;
    VEC(struct item *) item; /* of a list or an object */
    struct gap end;          /* in front of the closing bracket */
    int value_width;         /* of the value on one line, comments included */
    int width;               /* likewise, with the key */
    bool broken;             /* a line starts in it */
};

struct document {
    struct item *root;
    struct gap end; /* behind the root */
};

/* Reads text, which is JSON with comments. */
struct document format_read(struct arena *arena, const char *text);

/* Starts a line in the gap, or in a comment of it? */
bool gap_breaks(const struct gap *gap);
/* Does the last comment of the gap take all of its line? */
bool gap_ends_line(const struct gap *gap);

/* A place in the printed text at which blanks may be put in. */
struct mark {
    size_t at;
    int line, column, width; /* where its cell starts, and how wide that is */
    int pad;                 /* blanks to put in */
    bool wanted;             /* the user put some there */
    bool comment;            /* its cell is a comment at the end of a line */
};

/* The cells on the first line of an item of a list: n marks from the first on. */
struct row {
    const struct item *item;
    int first, n;
};

struct columns {
    struct arena *arena;
    VEC(struct mark) mark;
    VEC(int) width; /* of each line that is complete */
};

/* Lines up the cells of n rows that follow each other; no line becomes wider than the limit by that. */
void format_rows(struct columns *columns, const struct row *row, int n);
/* Likewise the comments at the ends of lines that follow each other. */
void format_comments(struct columns *columns);

/* The characters of text. */
int format_width(const char *text, size_t size);

#endif
