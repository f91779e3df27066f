/* The tokenizer below json.h: grammar and places of JSON with comments, without decoding. */
#ifndef READ_SCAN_H
#define READ_SCAN_H

#include "program/step.h"

#define SCAN_MAX_DEPTH 64
#define SCAN_MAX_SIZE ((size_t)4 << 20)

/* Checks that source is UTF-8 without NUL characters and not too large; reports the first fault. */
bool scan_utf8(const struct source *source, struct diags *diags);
/* The text with comments (and a byte order mark) replaced by blanks, of the same length; NULL after a fault. */
char *scan_blank(struct arena *arena, const struct source *source, struct diags *diags);
/* The shape of the blanked text: kinds and places; strings, keys and numbers are still without
 * their values (a number is a VALUE_INT). NULL after the first fault. */
struct value *scan_values(struct arena *arena, const struct source *source, const char *blanked, struct diags *diags);

#endif
