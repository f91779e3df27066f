/* Writing lines of C at an indentation. */
#ifndef TARGET_CLIKE_WRITER_H
#define TARGET_CLIKE_WRITER_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

struct writer {
    struct text *out;
    int indent; /* levels of four blanks */
    bool whole; /* lines stay as long as they are, until write_broken */
};

/* One line of code, broken when it is too long (wrap.h). */
void write_line(struct writer *writer, const char *line);
void write_linef(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A blank line, unless the text starts here, the line above is blank or it opens a block. */
void write_blank(struct writer *writer);
/* Whole lines, broken when they are too long. */
void write_broken(struct text *out, const char *code);
/* The body of a function, of whole lines, in its braces. */
void write_body(struct text *out, const char *body);
/* Is it a character of identifiers? */
bool c_is_word(char c);
/* Does the identifier occur in code of this text? Comments and members, as in threadIdx.x, do not count. */
bool c_mentions(const char *code, const char *name);
/* Text that can stand in a comment. */
const char *comment_text(struct arena *arena, const char *text);

#endif
