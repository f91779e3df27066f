/* The expression language: text to expressions, names resolved, not yet typed.
 *
 * C's grammar and precedence, `C[i, j]` and `C[i][j]`, casts `f32(x)`. In conditions `a <= b < c` is
 * a chain (both must hold) and `=` is `==`.
 */
#ifndef READ_PARSE_H
#define READ_PARSE_H

#include "program/program.h"

/* The names an expression may use. */
struct scope {
    const struct program *program; /* its params, scalars and arrays so far */
    const char *const *loop;       /* enclosing loops, outermost first */
    int n_loop;
};

/* What one text is parsed with. */
struct reading {
    struct arena *arena;
    struct diags *diags;
    const struct scope *scope;
};

/* A statement as written; label NULL when it has none. */
struct parsed_statement {
    const char *label;
    struct place label_place;
    struct expr *target;
    enum expr_op op;
    struct expr *value;
};

/* Each of these takes a whole string value and returns NULL (false) after reporting at least one fault. */
struct expr *parse_value(const struct reading *reading, const struct value *string);
struct expr *parse_condition(const struct reading *reading, const struct value *string);
bool parse_statement(const struct reading *reading, const struct value *string, struct parsed_statement *statement);
/* A loop header: "i < M", "1 <= j < N - 1", "0 <= i < N step -2"; the bounds see scope's loops, and may be no affine
 * expressions. */
bool parse_loop(const struct reading *reading, const struct value *string, struct nest_loop *loop);

/* Reports what keeps expr from being affine (what it is: "the bound of a loop"); true when it is affine. */
bool require_affine(const struct reading *reading, const struct expr *expr, const char *what);

#endif
