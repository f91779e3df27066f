/* Words of the expression language (design section 4): C's, plus `and`, `or`, `not`, `mod`. */
#ifndef READ_LEX_H
#define READ_LEX_H

#include "base/diag.h"

#include <stdint.h>

/* LONG: an integer that no type but u64 holds. */
enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_INT, TOKEN_LONG, TOKEN_REAL, TOKEN_OP };

struct token {
    enum token_kind kind;
    size_t start, end;    /* bytes of the text */
    const char *spelling; /* `and`, `or`, `not` are the OPs &&, ||, !; `mod` and the rest are names */
    int64_t integer;
    double real;
};

/* A text with its words; the last token is TOKEN_END. */
struct lexed {
    const char *text;
    struct place place; /* of the text in the description */
    bool exact;         /* byte k of the text stands at byte k of the place */
    VEC(struct token) token;
};

/* The place of bytes start..end of the text; all of it when the text has escapes. */
struct place lexed_place(const struct lexed *lexed, size_t start, size_t end);
/* False after a fault, which is reported. place covers text, without quotes. */
bool lex(struct arena *arena, struct diags *diags, const char *text, struct place place, struct lexed *lexed);

#endif
