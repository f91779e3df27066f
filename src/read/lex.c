#include "read/lex.h"

#include "program/expr/real.h"

#include <math.h>
#include <string.h>

static const char *const operators[] = {
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "+", "-",
    "*",   "/",   "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "=",  "?",  ":",  "(",  ")",  "[",  "]",  ",",
};

struct lexer {
    struct arena *arena;
    struct diags *diags;
    struct lexed *lexed;
    size_t at;
};

struct place lexed_place(const struct lexed *lexed, size_t start, size_t end)
{
    if (!lexed->exact)
        return lexed->place;
    return place_part(lexed->place, start, end - start);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool fault(struct lexer *lexer, size_t start, size_t end, const char *rule, const char *message)
{
    diag_error(lexer->diags, rule, lexed_place(lexer->lexed, start, end), "%s", message);
    return false;
}

static void add(struct lexer *lexer, struct token token, size_t end)
{
    token.start = lexer->at;
    token.end = end;
    VEC_PUSH(lexer->arena, &lexer->lexed->token, token);
    lexer->at = end;
}

static bool lex_name(struct lexer *lexer)
{
    static const char *const words[][2] = {{"and", "&&"}, {"or", "||"}, {"not", "!"}};
    const char *text = lexer->lexed->text;
    size_t end = lexer->at;
    struct token token = {.kind = TOKEN_NAME};

    while (is_letter(text[end]) || is_digit(text[end]))
        end++;
    token.spelling = arena_copy_n(lexer->arena, text + lexer->at, end - lexer->at);
    for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
        if (strcmp(token.spelling, words[k][0]) == 0) {
            token.kind = TOKEN_OP;
            token.spelling = words[k][1];
        }
    add(lexer, token, end);
    return true;
}

/* The end of the digits, point and exponent that start at text[at]; *real when there is a point or exponent. */
static size_t number_end(const char *text, size_t at, bool *real)
{
    size_t end = at;

    while (is_digit(text[end]))
        end++;
    if (text[end] == '.') {
        *real = true;
        do
            end++;
        while (is_digit(text[end]));
    }
    if (text[end] == 'e' || text[end] == 'E') {
        const size_t sign = text[end + 1] == '+' || text[end + 1] == '-';

        if (is_digit(text[end + 1 + sign])) {
            *real = true;
            for (end += 1 + sign; is_digit(text[end]);)
                end++;
        }
    }
    return end;
}

/* The token's number, and whether it is larger than INT64_MAX; false: not even u64 holds it. */
static bool integer_value(struct token *token)
{
    uint64_t value = 0;

    for (const char *digits = token->spelling; *digits; digits++)
        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(*digits - '0'), &value))
            return false;
    token->kind = value > INT64_MAX ? TOKEN_LONG : TOKEN_INT;
    token->integer = value > INT64_MAX ? 0 : (int64_t)value;
    return true;
}

static bool lex_number(struct lexer *lexer)
{
    const char *text = lexer->lexed->text;
    bool real = false;
    const size_t start = lexer->at, end = number_end(text, start, &real);
    struct token token = {.kind = real ? TOKEN_REAL : TOKEN_INT};

    token.spelling = arena_copy_n(lexer->arena, text + start, end - start);
    if (is_letter(text[end]) || text[end] == '.')
        return fault(lexer, start, end + 1, "number",
                     "literals have no suffix: they take the type of the other operand, or write f32(0.1)");
    if (real) {
        token.real = real_parse(token.spelling);
        if (!isfinite(token.real))
            return fault(lexer, start, end, "number", "this number is too large");
    } else {
        if (text[start] == '0' && end - start > 1)
            return fault(lexer, start, end, "number", "integers are written without leading zeros");
        if (!integer_value(&token))
            return fault(lexer, start, end, "number", "this integer does not fit 64 bits");
    }
    add(lexer, token, end);
    return true;
}

static bool lex_operator(struct lexer *lexer)
{
    const char *rest = lexer->lexed->text + lexer->at;
    struct place place;
    struct diag *diag = NULL;

    for (size_t k = 0; k < sizeof(operators) / sizeof(operators[0]); k++) {
        const size_t length = strlen(operators[k]);

        if (strncmp(rest, operators[k], length) == 0) {
            add(lexer, (struct token){.kind = TOKEN_OP, .spelling = operators[k]}, lexer->at + length);
            return true;
        }
    }
    place = lexed_place(lexer->lexed, lexer->at, lexer->at + 1);
    if (*rest > ' ' && *rest < 127)
        diag = diag_error(lexer->diags, "syntax", place, "`%c` has no meaning here", *rest);
    else
        diag_error(lexer->diags, "syntax", place, "this character has no meaning here");
    if (*rest == ';')
        diag_hint(lexer->diags, diag, "a loop is its bounds, `0 <= i < N`; an assignment ends with its text");
    return false;
}

static bool lex_token(struct lexer *lexer)
{
    const char *here = lexer->lexed->text + lexer->at;

    if (is_letter(*here))
        return lex_name(lexer);
    if (is_digit(*here) || (*here == '.' && is_digit(here[1])))
        return lex_number(lexer);
    return lex_operator(lexer);
}

bool lex(struct arena *arena, struct diags *diags, const char *text, struct place place, struct lexed *lexed)
{
    struct lexer lexer = {arena, diags, lexed, 0};

    *lexed = (struct lexed){.text = text, .place = place};
    lexed->exact = place.source && strlen(text) == place.length;
    for (;;) {
        while (text[lexer.at] == ' ' || text[lexer.at] == '\t' || text[lexer.at] == '\n')
            lexer.at++;
        if (text[lexer.at] == '\0')
            break;
        if (!lex_token(&lexer))
            return false;
    }
    add(&lexer, (struct token){.kind = TOKEN_END, .spelling = "the end"}, lexer.at);
    return true;
}
