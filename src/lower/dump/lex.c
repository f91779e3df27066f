#include "lower/dump/lex.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static char ahead(const struct lexer *lexer, size_t by)
{
    return lexer->at + by < lexer->source->size ? lexer->source->text[lexer->at + by] : '\0';
}

struct lexer lexer_of(struct arena *arena, const struct source *source, struct diags *diags)
{
    return (struct lexer){.arena = arena, .source = source, .diags = diags, .token = {.kind = TOKEN_LINE}};
}

bool lexer_fail(struct lexer *lexer, const char *format, ...)
{
    const size_t length = lexer->token.length ? lexer->token.length : 1;
    va_list args;

    if (lexer->failed)
        return false;
    va_start(args, format);
    diag_error(lexer->diags, "dump", (struct place){lexer->source, lexer->token.offset, length}, "%s",
               arena_vprintf(lexer->arena, format, args));
    va_end(args);
    lexer->failed = true;
    lexer->token.kind = TOKEN_END;
    return false;
}

static void take(struct lexer *lexer, enum token_kind kind, size_t size)
{
    lexer->token.kind = kind;
    lexer->token.text = arena_copy_n(lexer->arena, lexer->source->text + lexer->at, size);
    lexer->at += size;
}

/* To the start of the next line that has something. */
static void next_line(struct lexer *lexer)
{
    size_t spaces = 0;

    do {
        lexer->at += ahead(lexer, 0) == '\n';
        for (spaces = 0; ahead(lexer, spaces) == ' ';)
            spaces++;
        lexer->at += spaces;
    } while (ahead(lexer, 0) == '\n');
    lexer->token.kind = lexer->at < lexer->source->size ? TOKEN_LINE : TOKEN_END;
    lexer->token.number = spaces;
    lexer->token.offset = lexer->at;
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What stands behind a backslash. */
static bool take_escape(struct lexer *lexer, char *c)
{
    const int high = hex_digit(ahead(lexer, 1)), low = hex_digit(ahead(lexer, 2));

    *c = ahead(lexer, 0);
    if (*c == '"' || *c == '\\') {
        lexer->at++;
        return true;
    }
    *c = (char)(16 * high + low);
    lexer->at += 3;
    return ahead(lexer, 0) != '\0' && high >= 0 && low >= 0 && *c;
}

static void take_string(struct lexer *lexer)
{
    char *text = arena_alloc(lexer->arena, lexer->source->size - lexer->at + 1, 1);
    size_t n = 0;
    bool right = true;

    lexer->at++;
    while (right && ahead(lexer, 0) != '"' && ahead(lexer, 0) != '\n' && ahead(lexer, 0) != '\0') {
        text[n++] = ahead(lexer, 0);
        lexer->at++;
        if (text[n - 1] == '\\')
            right = take_escape(lexer, &text[n - 1]);
    }
    if (!right || ahead(lexer, 0) != '"') {
        lexer_fail(lexer, "the text in quotes has no end, or an escape that is none");
        return;
    }
    lexer->at++;
    lexer->token.kind = TOKEN_STRING;
    lexer->token.text = arena_copy(lexer->arena, text);
}

static void take_number(struct lexer *lexer)
{
    uint64_t number = 0;
    bool fits = true;

    for (; isdigit((unsigned char)ahead(lexer, 0)); lexer->at++)
        fits = fits && !__builtin_mul_overflow(number, 10, &number) &&
               !__builtin_add_overflow(number, (uint64_t)(ahead(lexer, 0) - '0'), &number);
    lexer->token.kind = TOKEN_NUMBER;
    lexer->token.number = number;
    lexer->token.length = lexer->at - lexer->token.offset;
    if (!fits)
        lexer_fail(lexer, "the number has more than 64 bits");
}

static size_t count_while(const struct lexer *lexer, bool (*belongs)(char c))
{
    size_t n = 0;

    while (belongs(ahead(lexer, n)))
        n++;
    return n;
}

static bool is_in_name(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.#", c));
}

static bool is_operator(char c)
{
    return c && strchr("+-*/%<>=!&|^~", c);
}

static void take_comment(struct lexer *lexer)
{
    size_t size = 0;

    lexer->at += ahead(lexer, 1) == ' ' ? 2 : 1;
    while (ahead(lexer, size) != '\n' && lexer->at + size < lexer->source->size)
        size++;
    take(lexer, TOKEN_COMMENT, size);
}

void lexer_next(struct lexer *lexer)
{
    if (lexer->failed)
        return;
    while (ahead(lexer, 0) == ' ')
        lexer->at++;
    const char c = ahead(lexer, 0);
    lexer->token = (struct token){.offset = lexer->at};
    if (lexer->at == lexer->source->size || c == '\n')
        next_line(lexer);
    else if (isalpha((unsigned char)c) || c == '_')
        take(lexer, TOKEN_NAME, count_while(lexer, is_in_name));
    else if (isdigit((unsigned char)c))
        take_number(lexer);
    else if (c == '"')
        take_string(lexer);
    else if (c == '#')
        take_comment(lexer);
    else if (is_operator(c))
        take(lexer, TOKEN_SIGN, count_while(lexer, is_operator));
    else if (c && strchr("()[]{},:", c))
        take(lexer, TOKEN_SIGN, 1);
    else
        lexer_fail(lexer, "a byte that no dump has");
    if (lexer->token.kind != TOKEN_LINE && lexer->token.kind != TOKEN_END)
        lexer->token.length = lexer->at - lexer->token.offset;
}

bool lexer_at(const struct lexer *lexer, const char *text)
{
    const enum token_kind kind = lexer->token.kind;

    return (kind == TOKEN_NAME || kind == TOKEN_SIGN) && strcmp(lexer->token.text, text) == 0;
}

bool lexer_skip(struct lexer *lexer, const char *text)
{
    if (!lexer_at(lexer, text))
        return false;
    lexer_next(lexer);
    return true;
}

bool lexer_expect(struct lexer *lexer, const char *text)
{
    return lexer_skip(lexer, text) || lexer_fail(lexer, "`%s` is missing here", text);
}

const char *lexer_name(struct lexer *lexer, const char *what)
{
    const char *name = lexer->token.text;

    if (lexer->token.kind != TOKEN_NAME && lexer->token.kind != TOKEN_STRING)
        return lexer_fail(lexer, "%s is missing here", what), NULL;
    lexer_next(lexer);
    return name;
}

bool lexer_number(struct lexer *lexer, int64_t least, int64_t most, int64_t *number)
{
    const bool negative = lexer_skip(lexer, "-");
    const uint64_t size = lexer->token.number, limit = negative ? (uint64_t)1 << 63 : INT64_MAX;

    if (lexer->token.kind != TOKEN_NUMBER)
        return lexer_fail(lexer, "a number is missing here");
    if (size > limit)
        return lexer_fail(lexer, "the number has more than 64 bits");
    *number = negative ? (int64_t)-size : (int64_t)size;
    if (*number < least || *number > most)
        return lexer_fail(lexer, "the number is not from %" PRId64 " to %" PRId64, least, most);
    lexer_next(lexer);
    return true;
}
