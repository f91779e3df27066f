#include "read/scan.h"

#include "base/utf8.h"

#include <string.h>

struct scan {
    struct arena *arena;
    struct diags *diags;
    const struct source *source;
    const char *text;
    size_t at;
    int depth;
};

static bool check_character(const struct source *source, struct diags *diags, size_t at, size_t length)
{
    const struct place place = {source, at, 1};

    if (source->text[at] == '\0')
        diag_error(diags, "nul", place, "NUL character in the description");
    else if (length == 0)
        diag_error(diags, "utf8", place, "byte 0x%02x is not valid UTF-8 here", (unsigned char)source->text[at]);
    return source->text[at] != '\0' && length != 0;
}

bool scan_utf8(const struct source *source, struct diags *diags)
{
    size_t length;

    if (source->size > SCAN_MAX_SIZE) {
        diag_error(diags, "too-large", (struct place){source, 0, 0}, "the description is larger than 4 MiB");
        return false;
    }
    for (size_t at = 0; at < source->size; at += length) {
        length = utf8_length(source->text + at, source->size - at);
        if (!check_character(source, diags, at, length))
            return false;
    }
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The end of the comment that starts at text[at], or size + 1 when it never ends. */
static size_t comment_end(const char *text, size_t at, size_t size)
{
    if (text[at + 1] == '/') {
        while (at < size && text[at] != '\n')
            at++;
        return at;
    }
    for (at += 2; at + 1 < size; at++)
        if (text[at] == '*' && text[at + 1] == '/')
            return at + 2;
    return size + 1;
}

static void blank(char *text, size_t from, size_t to)
{
    for (; from < to; from++)
        if (text[from] != '\n')
            text[from] = ' ';
}

static bool starts_comment(const char *text, size_t at)
{
    return text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*');
}

char *scan_blank(struct arena *arena, const struct source *source, struct diags *diags)
{
    char *text = arena_copy_n(arena, source->text, source->size);
    bool string = false;

    if (source->size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        blank(text, 0, 3);
    for (size_t at = 0; at < source->size; at++) {
        if (string && text[at] == '\\' && at + 1 < source->size) {
            at++;
        } else if (text[at] == '"') {
            string = !string;
        } else if (!string && starts_comment(text, at)) {
            const size_t end = comment_end(text, at, source->size);

            if (end > source->size) {
                diag_error(diags, "json", (struct place){source, at, 2}, "this comment has no end");
                return NULL;
            }
            blank(text, at, end);
            at = end - 1;
        }
    }
    return text;
}

static void skip_blanks(struct scan *scan)
{
    while (is_blank(scan->text[scan->at]))
        scan->at++;
}

static bool fault(struct scan *scan, size_t at, size_t length, const char *message)
{
    diag_error(scan->diags, "json", (struct place){scan->source, at, length}, "%s", message);
    return false;
}

static bool is_word(const struct scan *scan, const char *word)
{
    return strncmp(scan->text + scan->at, word, strlen(word)) == 0;
}

/* What other languages allow. */
static const char *cure_for(const struct scan *scan, unsigned char c)
{
    size_t before = scan->at;

    while (before > 0 && is_blank(scan->text[before - 1]))
        before--;
    if ((c == ']' || c == '}') && before > 0 && scan->text[before - 1] == ',')
        return "no comma stands behind the last one";
    if (c == '#')
        return "a comment starts with `//`";
    if (is_word(scan, "True") || is_word(scan, "False"))
        return "truth values are `true` and `false`";
    if (is_word(scan, "None") || is_word(scan, "null"))
        return "what has no value is left out";
    return c == '\'' ? "texts and keys stand in double quotes" : NULL;
}

static bool unexpected(struct scan *scan, const char *wanted)
{
    const struct place place = {scan->source, scan->at, scan->at < scan->source->size};
    const unsigned char c = (unsigned char)scan->text[scan->at];
    const char *cure = cure_for(scan, c);
    struct diag *diag = NULL;

    if (scan->at >= scan->source->size)
        diag_error(scan->diags, "json", place, "the text ends where %s is expected", wanted);
    else if (c >= ' ' && c < 127)
        diag = diag_error(scan->diags, "json", place, "expected %s, found `%c`", wanted, c);
    else
        diag_error(scan->diags, "json", place, "expected %s", wanted);
    if (diag && cure)
        diag_hint(scan->diags, diag, "%s", cure);
    return false;
}

static int hex_value(char c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;

    return !at ? -1 : at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
}

/* The code unit of the \uXXXX at text, or -1. */
static int code_unit(const char *text)
{
    int unit = 0;

    if (text[0] != '\\' || text[1] != 'u')
        return -1;
    for (int k = 2; k < 6; k++) {
        const int digit = hex_value(text[k]);

        if (digit < 0)
            return -1;
        unit = 16 * unit + digit;
    }
    return unit;
}

/* Steps over the escape at scan->at. */
static bool scan_escape(struct scan *scan)
{
    const char *text = scan->text + scan->at;
    const int unit = code_unit(text);
    size_t length = 6;

    if (text[1] != '\0' && strchr("\"\\/bfnrt", text[1])) {
        scan->at += 2;
        return true;
    }
    if (unit < 0)
        return fault(scan, scan->at, 2, "unknown escape in a string");
    if (unit == 0)
        return fault(scan, scan->at, 6, "NUL character in a string");
    if (unit >= 0xd800 && unit <= 0xdfff) {
        const int low = unit <= 0xdbff ? code_unit(text + 6) : -1;

        if (low < 0xdc00 || low > 0xdfff)
            return fault(scan, scan->at, 6, "half of a surrogate pair in a string");
        length = 12;
    }
    scan->at += length;
    return true;
}

/* The string at scan->at, which is its opening quote; *place covers its characters. */
static bool scan_string(struct scan *scan, struct place *place)
{
    const size_t start = ++scan->at;

    while (scan->text[scan->at] != '"') {
        const unsigned char c = (unsigned char)scan->text[scan->at];

        if (scan->at >= scan->source->size || c == '\n')
            return fault(scan, start - 1, 1, "this string has no end");
        if (c < ' ')
            return fault(scan, scan->at, 1, "control character in a string");
        if (c == '\\') {
            if (!scan_escape(scan))
                return false;
        } else {
            scan->at++;
        }
    }
    *place = (struct place){scan->source, start, scan->at - start};
    scan->at++;
    return true;
}

static size_t digits(const char *text)
{
    size_t n = 0;

    while (text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* The length of the JSON number at text, 0 when there is none. */
static size_t number_length(const char *text)
{
    size_t at = text[0] == '-';
    size_t n = digits(text + at);

    if (n == 0 || (n > 1 && text[at] == '0'))
        return 0;
    at += n;
    if (text[at] == '.') {
        n = digits(text + at + 1);
        if (n == 0)
            return 0;
        at += n + 1;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        const size_t sign = text[at + 1] == '+' || text[at + 1] == '-';

        n = digits(text + at + 1 + sign);
        if (n == 0)
            return 0;
        at += 1 + sign + n;
    }
    return at;
}

static bool scan_number(struct scan *scan, struct value *value)
{
    const size_t length = number_length(scan->text + scan->at);

    if (length == 0)
        return fault(scan, scan->at, 1, "malformed number");
    value->kind = VALUE_INT;
    scan->at += length;
    return true;
}

static bool scan_word(struct scan *scan, struct value *value)
{
    static const char *const words[] = {"false", "true", "null"};

    for (int k = 0; k < 3; k++) {
        const size_t length = strlen(words[k]);

        if (strncmp(scan->text + scan->at, words[k], length) != 0)
            continue;
        if (k == 2)
            return fault(scan, scan->at, length, "null has no meaning in a description");
        value->kind = VALUE_BOOL;
        value->integer = k;
        scan->at += length;
        return true;
    }
    return unexpected(scan, "a value");
}

static bool scan_value(struct scan *scan, struct value *value);

typedef VEC(struct value) value_vec;
typedef VEC(struct place) place_vec;

/* After an item: true when another one follows, with *done unset; *done at the closing bracket. */
static bool scan_separator(struct scan *scan, char close, bool *done)
{
    skip_blanks(scan);
    *done = scan->text[scan->at] == close;
    if (!*done && scan->text[scan->at] != ',')
        return unexpected(scan, close == ']' ? "`,` or `]`" : "`,` or `}`");
    scan->at++;
    if (!*done)
        skip_blanks(scan);
    return true;
}

static bool scan_items(struct scan *scan, struct value *value)
{
    value_vec items = {0};
    bool done = scan->text[scan->at] == ']';

    scan->at += done;
    while (!done) {
        struct value item = {0};

        if (!scan_value(scan, &item) || !scan_separator(scan, ']', &done))
            return false;
        VEC_PUSH(scan->arena, &items, item);
    }
    value->item = items.at;
    value->n_item = items.n;
    return true;
}

static bool scan_key(struct scan *scan, struct place *place)
{
    if (scan->text[scan->at] != '"')
        return unexpected(scan, "a key in double quotes");
    if (!scan_string(scan, place))
        return false;
    skip_blanks(scan);
    if (scan->text[scan->at] != ':')
        return unexpected(scan, "`:`");
    scan->at++;
    skip_blanks(scan);
    return true;
}

static bool scan_members(struct scan *scan, struct value *value)
{
    value_vec items = {0};
    place_vec keys = {0};
    bool done = scan->text[scan->at] == '}';

    scan->at += done;
    while (!done) {
        struct value item = {0};
        struct place key;

        if (!scan_key(scan, &key) || !scan_value(scan, &item) || !scan_separator(scan, '}', &done))
            return false;
        VEC_PUSH(scan->arena, &items, item);
        VEC_PUSH(scan->arena, &keys, key);
    }
    value->item = items.at;
    value->n_item = items.n;
    value->key_place = keys.at;
    value->key = ARENA_ARRAY(scan->arena, keys.n, const char *);
    return true;
}

/* The list or object at scan->at. */
static bool scan_container(struct scan *scan, struct value *value)
{
    const bool list = scan->text[scan->at] == '[';
    bool good;

    if (scan->depth == SCAN_MAX_DEPTH) {
        diag_error(scan->diags, "depth", (struct place){scan->source, scan->at, 1}, "nested more than %d levels deep",
                   SCAN_MAX_DEPTH);
        return false;
    }
    value->kind = list ? VALUE_LIST : VALUE_OBJECT;
    scan->depth++;
    scan->at++;
    skip_blanks(scan);
    good = list ? scan_items(scan, value) : scan_members(scan, value);
    scan->depth--;
    return good;
}

static bool scan_value(struct scan *scan, struct value *value)
{
    const size_t start = scan->at;
    const char c = scan->text[start];
    bool good;

    if (c == '"') {
        value->kind = VALUE_STRING;
        return scan_string(scan, &value->place);
    }
    if (c == '[' || c == '{')
        good = scan_container(scan, value);
    else if (c == '-' || (c >= '0' && c <= '9'))
        good = scan_number(scan, value);
    else
        good = scan_word(scan, value);
    value->place = (struct place){scan->source, start, scan->at - start};
    return good;
}

struct value *scan_values(struct arena *arena, const struct source *source, const char *blanked, struct diags *diags)
{
    struct scan scan = {.arena = arena, .diags = diags, .source = source, .text = blanked};
    struct value *root = ARENA_NEW(arena, struct value);

    skip_blanks(&scan);
    if (!scan_value(&scan, root))
        return NULL;
    skip_blanks(&scan);
    if (scan.at < source->size) {
        unexpected(&scan, "the end of the text");
        return NULL;
    }
    return root;
}
