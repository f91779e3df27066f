/* Changes of a dump: of bytes, of words and numbers, of lines. */
#include "dumps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGES = 4 };

static uint64_t draw(uint64_t *random, uint64_t n)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random % n;
}

struct piece {
    size_t at, length;
};

static bool is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '#' || c == '.';
}

/* A word, a number or a sign. */
static struct piece draw_token(const char *text, uint64_t *random)
{
    size_t at = draw(random, strlen(text)), end;

    while (text[at] == ' ' || text[at] == '\n')
        at = text[at + 1] ? at + 1 : 0;
    while (at > 0 && is_in_word(text[at]) && is_in_word(text[at - 1]))
        at--;
    for (end = at + 1; is_in_word(text[at]) && is_in_word(text[end]);)
        end++;
    return (struct piece){at, end - at};
}

static struct piece draw_line(const char *text, uint64_t *random)
{
    size_t at = draw(random, strlen(text));

    while (at > 0 && text[at - 1] != '\n')
        at--;
    return (struct piece){at, strcspn(text + at, "\n") + (strchr(text + at, '\n') != NULL)};
}

/* text with other[0..length) in the place of the piece. */
static char *replaced(const char *text, struct piece piece, const char *other, size_t length)
{
    const size_t size = strlen(text);
    char *result = malloc(size - piece.length + length + 1);

    memcpy(result, text, piece.at);
    memcpy(result + piece.at, other, length);
    memcpy(result + piece.at + length, text + piece.at + piece.length, size - piece.at - piece.length + 1);
    return result;
}

static char *with_number(const char *text, uint64_t *random)
{
    static const char *const number[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "7",
                                         "64",
                                         "2147483647",
                                         "2147483648",
                                         "4294967296",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "99999999999999999999"};
    struct piece piece = draw_token(text, random);

    for (int k = 0; k < 50 && !isdigit((unsigned char)text[piece.at]); k++)
        piece = draw_token(text, random);
    const char *other = number[draw(random, sizeof(number) / sizeof(number[0]))];
    return replaced(text, piece, other, strlen(other));
}

static char *with_byte(const char *text, uint64_t *random)
{
    static const char bytes[] = " \n()[]{},:=+-*/\"#0aN~!\x01\xff";
    const char byte = bytes[draw(random, sizeof(bytes) - 1)];
    const struct piece piece = {draw(random, strlen(text)), draw(random, 2)};

    return replaced(text, piece, &byte, 1);
}

static char *with_token(const char *text, uint64_t *random)
{
    const struct piece piece = draw_token(text, random), other = draw_token(text, random);

    return replaced(text, piece, text + other.at, other.length);
}

static char *without_token(const char *text, uint64_t *random)
{
    return replaced(text, draw_token(text, random), "", 0);
}

static char *without_line(const char *text, uint64_t *random)
{
    return replaced(text, draw_line(text, random), "", 0);
}

static char *with_line(const char *text, uint64_t *random)
{
    const struct piece line = draw_line(text, random), other = draw_line(text, random);

    return replaced(text, (struct piece){line.at, 0}, text + other.at, other.length);
}

/* Deeper, or less deep, by a step or by a blank. */
static char *indented(const char *text, uint64_t *random)
{
    static const char blanks[] = "    ";
    const struct piece line = draw_line(text, random);
    const size_t there = strspn(text + line.at, " "), by = draw(random, 2) ? 4 : 1;

    if (draw(random, 2))
        return replaced(text, (struct piece){line.at, 0}, blanks, by);
    return replaced(text, (struct piece){line.at, there < by ? there : by}, "", 0);
}

static char *truncated(const char *text, uint64_t *random)
{
    const size_t at = draw(random, strlen(text));

    return replaced(text, (struct piece){at, strlen(text) - at}, "", 0);
}

char *mutated(const char *text, uint64_t *random)
{
    static char *(*const change[])(const char *, uint64_t *) = {with_number, with_byte,    with_token, without_token,
                                                                with_token,  without_line, with_line,  indented,
                                                                with_number, truncated};
    char *result = malloc(strlen(text) + 1);
    const uint64_t n = 1 + draw(random, MOST_CHANGES);

    memcpy(result, text, strlen(text) + 1);
    for (uint64_t k = 0; k < n && *result; k++) {
        const uint64_t kind = draw(random, sizeof(change) / sizeof(change[0]) - (k > 0));
        char *next = change[kind](result, random);
        free(result);
        result = next;
    }
    return result;
}
