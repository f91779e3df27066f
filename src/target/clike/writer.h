/* Writing lines of C: indentation, and long lines broken where they read best. */
#ifndef TARGET_CLIKE_WRITER_H
#define TARGET_CLIKE_WRITER_H

#include "base/text.h"

#include <stdbool.h>

enum { WRITER_WIDTH = 99 }; /* the longest line */

struct writer {
    struct text *out;
    int indent; /* levels of four blanks */
};

/* One line of code. Longer than WRITER_WIDTH, it goes on in further lines, indented by four more. */
void write_line(struct writer *writer, const char *line);
void write_linef(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A blank line, unless the text starts here, the line above is blank or it opens a block. */
void write_blank(struct writer *writer);
/* Words of plain text: prefix starts the first line, rest the others. Breaks at blanks. */
void write_words(struct text *out, const char *prefix, const char *rest, const char *words);

#endif
