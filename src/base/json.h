/* Writing JSON: strings with everything escaped that has to be. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/text.h"

/* text as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void json_string(struct text *out, const char *text);
/* json_string, or null for NULL. */
void json_string_or_null(struct text *out, const char *text);

#endif
