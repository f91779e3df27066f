/* Breaking one line of C into several that fit. */
#ifndef TARGET_CLIKE_WRAP_H
#define TARGET_CLIKE_WRAP_H

#include "base/text.h"

enum { WRAP_WIDTH = 99 }; /* the longest line */

/* Adds line, indented by so many blanks and ended. When it is too long it is broken where its meaning is: after
 * the `=`, before weak operators rather than strong ones, inside brackets last, and in a subscript only if no other way
 * of breaking it fits; further lines stand below the bracket they are in, else four further in. */
void wrap_line(struct text *out, int indent, const char *line);
/* Words of plain text: prefix starts the first line, rest the others. Breaks after commas where it can. */
void wrap_words(struct text *out, const char *prefix, const char *rest, const char *words);

#endif
