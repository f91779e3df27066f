/* One look through a dump: what the parts of the reader share. Only files of lower/dump include this. */
#ifndef LOWER_DUMP_READER_H
#define LOWER_DUMP_READER_H

#include "lower/dump/fields.h"
#include "lower/dump/lex.h"
#include "lower/dump/names.h"

/* Expressions and nodes inside of each other are so many at most. */
enum { MOST_DEPTH = 200 };

struct reader {
    struct lexer lexer;
    const struct dump_scope *scope;
    struct lowering *lowering;
    handle_vec loops, vars;
    int depth;
    bool early;    /* the tree is one of SECTION_LOOPS: each of its loops is one of the order */
    bool unfolded; /* what texts compute is their child */
};

/* Each function below reports the first thing that is wrong and then gives NULL, or false. */

/* One more of what may be inside of each other. */
bool reader_enter(struct reader *reader);
void reader_leave(struct reader *reader);

const struct var *dump_read_var(struct reader *reader);
const struct array *dump_read_array(struct reader *reader);
const struct affine *dump_read_affine(struct reader *reader);
const struct tree_expr *dump_read_expr(struct reader *reader);
bool dump_read_element(struct reader *reader, struct element *element);
/* A word of the enumeration. */
bool dump_read_word(struct reader *reader, const struct words *words, int *number);

/* The fields of the table in its order, with commas between them, into the object, which is all zero. kinds: of a node,
 * only those of its kind; 0: all. */
bool dump_read_fields(struct reader *reader, const struct object *table, unsigned kinds, void *object);
/* What stands behind the field's word. */
bool dump_read_field(struct reader *reader, const struct field *field, void *object);

/* A node with all that is in it, which begins with the line at hand. */
const struct node *dump_read_node(struct reader *reader, uint64_t indentation);
/* What stands at this indentation: a node, or the block of several. */
const struct node *dump_read_body(struct reader *reader, uint64_t indentation);

#endif
