/* The tokens of a dump. A line begins with a token of its own, which has its indentation. */
#ifndef LOWER_DUMP_LEX_H
#define LOWER_DUMP_LEX_H

#include "base/diag.h"

#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_LINE,    /* number: spaces in front of it */
    TOKEN_COMMENT, /* text: behind "# ", to the end of the line */
    TOKEN_NAME,    /* text */
    TOKEN_STRING,  /* text, without quotes */
    TOKEN_NUMBER,  /* number, without its sign */
    TOKEN_SIGN     /* text: an operator, or one of ( ) [ ] { } , : */
};

struct token {
    enum token_kind kind;
    const char *text;
    uint64_t number;
    size_t offset, length;
};

struct lexer {
    struct arena *arena;
    const struct source *source;
    struct diags *diags;
    size_t at;
    struct token token; /* the one at hand */
    bool failed;        /* an error was reported; only TOKEN_END comes any more */
};

struct lexer lexer_of(struct arena *arena, const struct source *source, struct diags *diags);
void lexer_next(struct lexer *lexer);
/* Reports the first error only, at the token at hand; false. */
bool lexer_fail(struct lexer *lexer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Is this name or sign at hand? */
bool lexer_at(const struct lexer *lexer, const char *text);
/* Goes past it if it is at hand. */
bool lexer_skip(struct lexer *lexer, const char *text);
/* Goes past it, or reports that it is missing. */
bool lexer_expect(struct lexer *lexer, const char *text);
/* The name at hand, past which it goes; NULL after reporting that there is none, but no `what`. */
const char *lexer_name(struct lexer *lexer, const char *what);
/* A number between least and most, maybe with a minus. */
bool lexer_number(struct lexer *lexer, int64_t least, int64_t most, int64_t *number);

#endif
