/* Formatting JSON with comments: blanks, indentation and columns are made anew, the values stay what they are.
 *
 * Line breaks between items stay where the user put them, and come where a line would be wider than 120 columns; a
 * list or an object that has every item on a line of its own is one line again where it fits. Items that follow a
 * bracket on its line hang below the first of them; others are indented by two. Rows of a list keep the columns that
 * somebody gave them. A formatted text is formatted: once more changes nothing.
 */
#ifndef READ_FORMAT_FORMAT_H
#define READ_FORMAT_FORMAT_H

#include "base/diag.h"

/* Adds the formatted text of source to out. False when source is no JSON with comments, which is reported to diags. */
bool format_source(struct arena *arena, const struct source *source, struct diags *diags, struct text *out);

#endif
