/* JSON as a tree that can be changed and printed, read by cJSON, for what polynest itself has written: signatures,
 * samples, steps and logs. Comments are allowed. */
#ifndef RUN_JSON_H
#define RUN_JSON_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

enum json_kind { JSON_WORD, JSON_STRING, JSON_LIST, JSON_OBJECT };

struct json {
    enum json_kind kind;
    const char *key;  /* of a member of an object; else NULL */
    const char *text; /* a string; or a number, true, false or null */
    const struct json **item;
    int n;
};

/* The value at the start of text; NULL: there is none. */
const struct json *json_parse(struct arena *arena, const char *text);
/* The member of an object; NULL: there is none, or object is NULL or none. */
const struct json *json_member(const struct json *object, const char *key);
/* Its text; "" when there is none, or it has items. */
const char *json_text(const struct json *object, const char *key);
/* Its number; 0 when it is none. */
double json_number(const struct json *object, const char *key);
/* A list or an object of which item `at` is another one; NULL: is left out; at n: one more. */
const struct json *json_with_item(struct arena *arena, const struct json *value, int at, const struct json *item);
/* On one line. */
void json_print(struct text *out, const struct json *value);

#endif
