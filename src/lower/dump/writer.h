/* What the parts of the writer share. Only files of lower/dump include this. */
#ifndef LOWER_DUMP_WRITER_H
#define LOWER_DUMP_WRITER_H

#include "lower/dump/fields.h"
#include "lower/dump/names.h"

struct writer {
    struct text *out;
    const struct dump_scope *scope;
    handle_vec loops;
    handle_vec vars; /* without handles while they are collected */
    bool collects;   /* the variables; what is written is for nobody */
};

void dump_write_quoted(struct text *out, const char *word);
/* In quotes where it is not read as one name. */
void dump_write_name(struct writer *writer, const char *name);
void dump_write_var(struct writer *writer, const struct var *var);
void dump_write_affine(struct writer *writer, const struct affine *affine);
void dump_write_expr(struct writer *writer, const struct tree_expr *expr);
void dump_write_element(struct writer *writer, const struct element *element);
/* The fields of the table that have something to say, with `, ` between them. */
void dump_write_fields(struct writer *writer, const struct object *table, const void *object);

#endif
