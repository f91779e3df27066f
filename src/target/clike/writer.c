#include "target/clike/writer.h"

#include "target/clike/wrap.h"

#include <ctype.h>
#include <string.h>

void write_line(struct writer *writer, const char *line)
{
    if (writer->whole)
        text_addf(writer->out, "%*s%s\n", 4 * writer->indent, "", line);
    else
        wrap_line(writer->out, 4 * writer->indent, line);
}

void write_linef(struct writer *writer, const char *format, ...)
{
    struct text line = {0};
    va_list args;

    va_start(args, format);
    text_vaddf(&line, format, args);
    va_end(args);
    write_line(writer, text_str(&line));
    text_free(&line);
}

void write_blank(struct writer *writer)
{
    const char *text = text_str(writer->out);
    const size_t size = writer->out->size;

    if (size < 2 || text[size - 2] == '\n' || text[size - 2] == '{')
        return;
    text_char(writer->out, '\n');
}

void write_broken(struct text *out, const char *code)
{
    struct text line = {0};

    for (size_t size; *code; code += size + (code[size] == '\n')) {
        size = strcspn(code, "\n");
        const size_t indent = strspn(code, " ");
        text_truncate(&line, 0);
        if (size > WRAP_WIDTH) {
            text_add_n(&line, code + indent, size - indent);
            wrap_line(out, (int)indent, text_str(&line));
        } else {
            text_add_n(out, code, size);
            text_char(out, '\n');
        }
    }
    text_free(&line);
}

void write_body(struct text *out, const char *body)
{
    text_add(out, "{\n");
    write_broken(out, body);
    text_add(out, "}\n");
}

bool c_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool c_mentions(const char *code, const char *name)
{
    const size_t size = strlen(name);

    for (const char *c = code; *c; c++) {
        if (c[0] == '/' && c[1] == '*') {
            c = strstr(c, "*/") + 1;
            continue;
        }
        if (!c_is_word(*c))
            continue;
        const size_t length = strspn(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const bool member = c > code && c[-1] == '.';
        if (length == size && !member && strncmp(c, name, size) == 0)
            return true;
        c += length - 1;
    }
    return false;
}

const char *comment_text(struct arena *arena, const char *text)
{
    char *copy = arena_copy(arena, text);

    for (char *c = copy; *c; c++) {
        if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*'))
            c[1] = ' ';
        if (c[0] == '\n' || c[0] == '\r' || c[0] == '\\')
            c[0] = c[0] == '\\' ? '|' : ' ';
    }
    return copy;
}
