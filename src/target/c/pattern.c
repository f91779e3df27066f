#include "target/c/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NESTED = 64, /* brackets inside of each other */
    MOST_DIGITS = 8,  /* of a number that fits an int, with room for what is added to it */
};

/* An open bracket. */
struct bracket {
    char open;
    const struct c_function *callee; /* of a call of one of the file's functions */
    int argument;                    /* of the call, commas so far */
    bool calls;                      /* it has arguments */
};

/* A line of code being read. */
struct reading {
    struct c_file *file;
    struct c_pattern *pattern;
    struct text out;
    struct bracket bracket[MOST_NESTED];
    int depth;
    int subscripts;         /* of the open brackets */
    const char *line;       /* behind its indentation */
    const char *declarator; /* its end, where lengths of arrays are constants */
    bool heading;           /* of a loop or condition, or a declaration of an index */
};

size_t c_word_size(const char *code)
{
    return strspn(code, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

const struct c_function *c_function_named(const struct c_file *file, const char *name, size_t size)
{
    for (int k = 0; k < file->function.n; k++)
        if (strncmp(file->function.at[k].name, name, size) == 0 && !file->function.at[k].name[size])
            return &file->function.at[k];
    return NULL;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The end of `__m512 acc[6][4]`, in which numbers have to be constants; the line's start where it declares no array. */
static const char *declarator_end(const char *line)
{
    const char *equals = strstr(line, " = ");
    const char *end = equals ? equals : line + strcspn(line, ";");
    const size_t word = c_word_size(line);
    const bool declares =
        starts(line, "_Alignas") || starts(line, "static ") || starts(line, "const ") ||
        (word && line[word] == ' ' &&
         (isalpha((unsigned char)line[word + 1]) || line[word + 1] == '_' || starts(line + word + 1, "(*")));

    return declares && memchr(line, '[', (size_t)(end - line)) ? end : line;
}

/* Is it a line in which numbers count iterations, and are compared with nothing of an array? */
static bool is_heading(const char *line)
{
    if (starts(line, "for (") || starts(line, "switch (") || starts(line, "const int64_t ") ||
        starts(line, "const int "))
        return true;
    return (starts(line, "if (") || starts(line, "} else if (")) && !strchr(line, '[');
}

/* What stands before, or behind, a place of the line, blanks aside. */
static char beside(const struct reading *reading, const char *at, int step)
{
    for (at += step; at >= reading->line && *at == ' '; at += step)
        continue;
    return at < reading->line || !*at ? '\n' : *at;
}

static bool is_alone(char before, char after)
{
    return strchr("(,", before) && strchr("),", after);
}

static bool is_label(const struct reading *reading, const char *at)
{
    return starts(reading->line, "case ") && at == reading->line + strlen("case ");
}

static bool may_vary(const struct reading *reading, const char *at, size_t size)
{
    const struct bracket *bracket = reading->depth ? &reading->bracket[reading->depth - 1] : NULL;
    const char before = beside(reading, at, -1), after = beside(reading, at + size - 1, 1);
    const bool sum = bracket && bracket->calls && strchr("+-", before) && strchr("),", after);

    if (size > MOST_DIGITS || reading->line[0] == '#' || at < reading->declarator || is_label(reading, at) ||
        !strchr(" ([", at[-1]))
        return false;
    if (bracket && bracket->calls && is_alone(before, after))
        return bracket->callee != NULL;
    return reading->subscripts > 0 || reading->heading || sum;
}

/* The variable in `for (int jj = 0; jj < 32; ..`, whose end stands at a place; NULL: no loop's does. */
static const char *loop_at(const struct reading *reading, const char *at)
{
    const char *name = strstr(reading->line, "; ");
    const size_t size = name ? c_word_size(name + 2) : 0;

    if (!starts(reading->line, "for (") || !size || name + 2 + size + 3 != at || !starts(name + 2 + size, " < "))
        return NULL;
    return arena_copy_n(reading->file->emitter.arena, name + 2, size);
}

static void add_number(struct reading *reading, const char *at, size_t size)
{
    const struct bracket *bracket = reading->depth ? &reading->bracket[reading->depth - 1] : NULL;
    struct c_number number = {.value = (int)strtol(at, NULL, 10),
                              .loop = loop_at(reading, at),
                              .before = beside(reading, at, -1),
                              .after = beside(reading, at + size - 1, 1)};

    if (bracket && bracket->callee && is_alone(number.before, number.after)) {
        number.callee = bracket->callee->name;
        number.argument = bracket->argument;
    }
    VEC_PUSH(reading->file->emitter.arena, &reading->pattern->number, number);
    text_char(&reading->out, PATTERN_GAP);
}

static void open_bracket(struct reading *reading, const char *at)
{
    const char *name = at;

    while (name > reading->line && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
        name--;
    if (reading->depth < MOST_NESTED)
        reading->bracket[reading->depth] =
            (struct bracket){*at, c_function_named(reading->file, name, (size_t)(at - name)), 0,
                             name < at && *at == '('};
    reading->subscripts += *at == '[';
    reading->depth += reading->depth < MOST_NESTED;
}

static void close_bracket(struct reading *reading, char close)
{
    reading->subscripts -= close == ']';
    reading->depth -= reading->depth > 0;
}

/* One word, comment or other character; returns what follows. */
static const char *read_token(struct reading *reading, const char *at)
{
    const size_t word = c_word_size(at);
    const size_t digits = strspn(at, "0123456789");

    if (starts(at, "/*")) {
        const char *end = strstr(at, "*/");
        text_add_n(&reading->out, at, (size_t)(end - at) + 2);
        return end + 2;
    }
    if (word && word == digits && at[word] != '.' && may_vary(reading, at, word)) {
        add_number(reading, at, word);
        return at + word;
    }
    if (strchr("([{", *at))
        open_bracket(reading, at);
    else if (strchr(")]}", *at))
        close_bracket(reading, *at);
    else if (*at == ',' && reading->depth)
        reading->bracket[reading->depth - 1].argument++;
    text_add_n(&reading->out, at, word ? word + (at[word] == '.') : 1);
    return at + (word ? word + (at[word] == '.') : 1);
}

static void read_line(struct reading *reading, const char *line)
{
    const char *unroll = "#pragma GCC unroll ";
    const char *at = line + strspn(line, " ");

    text_add_n(&reading->out, line, (size_t)(at - line));
    if (starts(at, unroll)) {
        const struct c_number number = {.value = (int)strtol(at + strlen(unroll), NULL, 10)};
        VEC_PUSH(reading->file->emitter.arena, &reading->pattern->number, number);
        text_char(&reading->out, PATTERN_UNROLL);
        return;
    }
    reading->line = at;
    reading->declarator = declarator_end(at);
    reading->heading = is_heading(at);
    reading->depth = reading->subscripts = 0;
    while (*at)
        at = read_token(reading, at);
}

struct c_pattern c_pattern_of(struct c_file *file, const struct c_function *function)
{
    struct arena *arena = file->emitter.arena;
    struct c_pattern pattern = {0};
    struct reading reading = {.file = file, .pattern = &pattern};

    text_addf(&reading.out, "%s\n", function->parameters);
    for (const char *code = function->body; *code;) {
        const size_t size = strcspn(code, "\n");
        read_line(&reading, arena_copy_n(arena, code, size));
        text_char(&reading.out, '\n');
        code += size + (code[size] == '\n');
    }
    pattern.text = arena_copy(arena, text_str(&reading.out));
    text_free(&reading.out);
    return pattern;
}
