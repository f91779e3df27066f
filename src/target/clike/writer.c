#include "target/clike/writer.h"

#include "target/clike/wrap.h"

void write_line(struct writer *writer, const char *line)
{
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
