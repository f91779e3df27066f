/* Values of the parameters, and of expressions in them as descriptions write these: / rounds down. */
#ifndef RUN_PARAMS_H
#define RUN_PARAMS_H

#include "base/text.h"
#include "run/json.h"

#include <stdint.h>

struct param_value {
    const char *name;
    int64_t value;
};

struct params {
    const struct param_value *param;
    int n;
};

/* Of an object {"N": 7}. */
struct params params_from(struct arena *arena, const struct json *object);
/* "N = 7, M = 3"; "no parameters" without any. */
void params_print(struct text *out, const struct params *params);
/* The value of an expression; `word`, unless it is NULL, is a name that has the value value_of_word. False: it is none,
 * or a name has no value. Comparisons and logic give 0 or 1. */
bool params_evaluate(const struct params *params, const char *expression, const char *word, int64_t value_of_word,
                     int64_t *value);

#endif
