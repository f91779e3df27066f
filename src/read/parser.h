/* The parser's state and its pieces, shared by parse.c (expressions), names.c (names in
 * them), composed.c (functions made of others) and forms.c (whole texts). */
#ifndef READ_PARSER_H
#define READ_PARSER_H

#include "read/lex.h"
#include "read/parse.h"

struct parser {
    const struct reading *reading;
    struct lexed lexed;
    int at;                    /* the current token */
    bool condition;            /* chains of comparisons, `=` is `==` */
    bool failed;               /* a fault was reported */
    int depth, nodes, unknown; /* counted against their limits */
};

/* Splits string into words; false after a fault. */
bool parser_start(struct parser *parser, const struct reading *reading, const struct value *string);
const struct token *parser_token(const struct parser *parser);
bool parser_is(const struct parser *parser, const char *op); /* the current token is this operator */
bool parser_take(struct parser *parser, const char *op);     /* the same, and steps over it */
/* Reports "expected WANTED, found .." unless something was reported before; always false. */
bool parser_expected(struct parser *parser, const char *wanted);
/* Reports unless the whole text is used up. */
bool parser_end(struct parser *parser);
struct place parser_place(const struct parser *parser, int token); /* of one token */

/* A part of an expression from token `first` to the last one that was stepped over; reports when there are too many. */
struct expr *parser_new(struct parser *parser, enum expr_kind kind, int first);
/* expr gets copies of n arguments. */
void parser_args(struct parser *parser, struct expr *expr, struct expr *const *arg, int n);
/* The same expression again, at another place; NULL after a fault. */
struct expr *parser_copy(struct parser *parser, const struct expr *expr, int first);
/* The functions of one argument that stand for an expression of others (composed.c): the k-th's name, NULL behind the
 * last; which one a name is, -1: none; what the k-th is of x, NULL after a fault. */
const char *composed_name(int k);
int composed_by_name(const char *name);
struct expr *parser_composed(struct parser *parser, int k, struct expr *x, int first);
/* An expression whose operators bind at least as tightly as level; NULL after a fault. */
struct expr *parser_expr(struct parser *parser, int level);
/* The current token, a name, with its subscripts or arguments; NULL after a fault. */
struct expr *parser_name(struct parser *parser);
/* name with its subscripts, which is an array; NULL after a fault. */
struct expr *parser_access(struct parser *parser);

enum { LEVEL_SELECT = 0, LEVEL_OR = 1, LEVEL_SUM = 9, LEVEL_UNARY = 11 };

#endif
