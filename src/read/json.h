/* JSON with comments and places: the only user of cJSON.
 *
 * An own tokenizer blanks `//` and block comments, checks UTF-8, grammar and depth and records where each
 * value stands; cJSON parses the blanked text; both results are joined into a tree of struct value.
 */
#ifndef READ_JSON_H
#define READ_JSON_H

#include "program/step.h"

/* The root value of source, or NULL when it is not acceptable JSON (reported to diags).
 * Numbers are integers below 2^53 in magnitude or any others (VALUE_REAL); null, NUL characters, duplicate keys
 * and nesting deeper than 64 are errors. */
const struct value *json_read(struct arena *arena, const struct source *source, struct diags *diags);
/* The value as JSON in one line; numbers that are no integers as they were written. */
void value_print(const struct value *value, struct text *out);

#endif
