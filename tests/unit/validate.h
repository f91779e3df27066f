/* A validator of JSON Schema, of the keywords that `polynest schema` uses. */
#ifndef TESTS_UNIT_VALIDATE_H
#define TESTS_UNIT_VALIDATE_H

#include "base/text.h"

#include <cjson/cJSON.h>

/* The number of messages that a validator has for the value, which are added to out, a line each; a keyword that it
 * does not know is one, too. */
int validate(const cJSON *schema, const cJSON *value, struct text *out);

#endif
