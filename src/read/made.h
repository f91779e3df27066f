/* What the reader makes where the user wrote something shorter: arrays of loops' iterations, and their elements. */
#ifndef READ_MADE_H
#define READ_MADE_H

#include "read/reader.h"

struct expr *made_expr(struct reader *reader, enum expr_kind kind, struct place place);
/* The element of the iteration that the loops around have, of an array with a subscript for each of the outer ones. */
struct expr *made_element(struct reader *reader, const struct array *array);
/* wanted, or with a number behind it: no word of the description, and none of the scope's loops. */
const char *made_name(struct reader *reader, const char *wanted, const struct scope *scope);
/* A temporary of the program with an element for each iteration of the scope's loops; the reader has room for it. */
struct array *made_temporary(struct reader *reader, const char *wanted, const struct scope *scope, enum type type,
                             struct place place);

#endif
